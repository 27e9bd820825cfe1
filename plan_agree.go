package autocdc

import (
	"slices"
	"strings"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
)

// agree reports what flows into one target may not differ in.
func (p *targetPlanner) agree() {
	first := p.flows[0]
	for _, c := range p.flows[1:] {
		p.sameShape(first, c)
		p.sameSequence(first, c)
	}
	changes, snapshots := p.kinds()
	if len(changes) > 1 {
		p.truncates()
		p.sourcesOfLSN()
	}
	for _, c := range snapshots[min(1, len(snapshots)):] {
		p.add(c.decl.pos, "one flow compares all rows with the target: read both with one query (UNION ALL), or declare two targets",
			"flows %q and %q both bring snapshots into %s", snapshots[0].decl.name, c.decl.name, p.name)
	}
}

func (p *targetPlanner) sameShape(first, c carried) {
	a, b := first.decl.cdc, c.decl.cdc
	if a.StoredAs != b.StoredAs {
		p.add(c.decl.pos, "", "flows %q and %q store %s in different ways", first.decl.name, c.decl.name, p.name)
	}
	if !sameSet(names(a.Keys), names(b.Keys)) {
		p.add(keyPos(c.decl), "KEYS "+parens(names(a.Keys)), "flows %q and %q have different keys for %s", first.decl.name, c.decl.name, p.name)
	}
	ta, tb := p.tracked(a.TrackHistory), p.tracked(b.TrackHistory)
	if (ta == nil) != (tb == nil) || !sameSet(ta, tb) {
		p.add(c.decl.pos, "", "flows %q and %q track different columns of %s", first.decl.name, c.decl.name, p.name)
	}
}

func keyPos(d *flowDecl) flowsql.Pos {
	if len(d.cdc.Keys) > 0 {
		return d.cdc.Keys[0].Pos
	}
	return d.pos
}

func (p *targetPlanner) sameSequence(first, c carried) {
	p.sameTypes("sequence", first, c, first.sequence, c.sequence)
	p.sameTypes("system sequence", first, c, first.system, c.system)
}

func (p *targetPlanner) sameTypes(what string, first, c carried, before, now []merge.Column) {
	a, b := typeList(before), typeList(now)
	if a == "" || b == "" || a == b {
		return // unknown types have a fault of their own
	}
	p.add(sequenceAt(c.decl), "cast them to one type", "flow %q has a %s of type %s, flow %q of type %s; the target %s can have one only",
		first.decl.name, what, a, c.decl.name, b, p.name)
}

func sequenceAt(d *flowDecl) flowsql.Pos {
	if d.cdc.SequenceBy != nil {
		return d.cdc.SequenceBy.Pos
	}
	return d.pos
}

func typeList(cols []merge.Column) string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = c.Type
	}
	return strings.Join(out, ", ")
}

// truncates: a TRUNCATE of one source table would empty what another flow brought.
func (p *targetPlanner) truncates() {
	changes, _ := p.kinds()
	for _, c := range changes {
		if c.decl.feed == merge.Changes && c.decl.opts.truncate == "" {
			p.add(c.decl.pos, "add WITH (truncate = 'ignore'), or WITH (truncate = 'apply') if a TRUNCATE of its table is to empty the whole target",
				"flow %q shares the target %s with other flows and does not say what a TRUNCATE means", c.decl.name, p.name)
		}
	}
}

// sourcesOfLSN: positions of two servers cannot be compared.
func (p *targetPlanner) sourcesOfLSN() {
	byLSN := slices.DeleteFunc(slices.Clone(p.flows), func(c carried) bool {
		return c.decl.feed != merge.Changes || c.flow.SequenceBy != nil || c.decl.cdc.StoredAs != flowsql.SCD1
	})
	for _, c := range byLSN[min(1, len(byLSN)):] {
		if c.decl.source != byLSN[0].decl.source {
			p.add(c.decl.pos, "add SEQUENCE BY __commit_ts to both", "flows %q and %q order %s by positions of two sources, which cannot be compared",
				byLSN[0].decl.name, c.decl.name, p.name)
		}
	}
}
