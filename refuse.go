package autocdc

import "github.com/autocdc/autocdc/config/flowsql"

// refusal is a clause that parses but that this version does not carry out.
type refusal struct {
	clause string
	given  bool
	pos    flowsql.Pos
}

// refuse reports the clauses of a flow that are not carried out; none is ever
// ignored.
func (d *declarer) refuse(f *flowsql.AutoCDC) {
	refusals := []refusal{
		{"ONCE", f.Once, f.Pos},
		{"FROM SNAPSHOT", f.From.Kind == flowsql.Snapshot, f.From.Pos},
	}
	for _, r := range refusals {
		if r.given {
			d.add(r.pos, "", "%s is not supported yet", r.clause)
		}
	}
}
