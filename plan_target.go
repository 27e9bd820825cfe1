package autocdc

import (
	"slices"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
)

// carried is one flow on its way into a target.
type carried struct {
	decl     *flowDecl
	flow     *merge.Flow
	columns  []merge.Column // that it carries
	sequence []merge.Column
	system   []merge.Column // bitemporal
	rows     *rows          // what the flow brings, where rows may lack values
}

// targetPlanner makes one target out of all flows that feed it.
type targetPlanner struct {
	*faults
	name   schema.Name
	stmt   *flowsql.CreateTable // nil where a fault was reported
	flows  []carried
	target *merge.Target
}

// maxName is how many bytes a name can have.
const maxName = 63

// plan builds the target and hands it to its flows.
func (p *targetPlanner) plan() *merge.Target {
	if slices.ContainsFunc(p.flows, func(c carried) bool { return c.decl.appends != nil }) {
		return p.appendTarget()
	}
	first := p.flows[0]
	p.target = &merge.Target{
		Name: p.name, Kind: kindOf(first.decl.cdc.StoredAs), Keys: names(first.decl.cdc.Keys),
		Sequence: first.sequence, SystemSequence: first.system, InOrder: p.inOrder(), Comment: p.comment(),
	}
	p.target.ChangeFeed = p.changeFeed()
	p.columns()
	p.track()
	p.agree()
	for _, c := range p.flows {
		c.flow.Target = p.target
		c.flow.Columns = p.fill(c)
		c.flow.IgnoreNull = p.ignored(c)
		c.flow.Expectations = p.expectations(c)
		c.flow.Follow = c.flow.Follow && (p.stmt == nil || len(p.stmt.Columns) == 0)
	}
	p.several()
	p.checksums()
	return p.target
}

// checksums refuses to compare by checksums a target that others change between the
// checksums and the comparison.
func (p *targetPlanner) checksums() {
	for _, c := range p.flows {
		if o := c.decl.opts.checksum; o != nil && len(p.flows) > 1 {
			p.add(o.Name.Pos, "leave the option out: all rows are compared then", "compare = 'checksum' is for a target of one flow, %s has %d", shown(p.name), len(p.flows))
		}
	}
}

func (p *targetPlanner) comment() string {
	if p.stmt == nil || p.stmt.Comment == nil {
		return ""
	}
	return *p.stmt.Comment
}

// changeFeed tells whether a flow wants one.
func (p *targetPlanner) changeFeed() bool {
	i := slices.IndexFunc(p.flows, func(c carried) bool { return c.decl.opts.changeFeed })
	if i < 0 {
		return false
	}
	if d := p.flows[i].decl; len(p.name.Name)+len("_changes") > maxName {
		p.add(d.pos, "give the target a shorter name", "flow %q: the name of the change feed of %s would be longer than %d bytes", d.name, p.name, maxName)
	}
	return true
}

// inOrder says that no event can be late. The version of a snapshot that has none of
// its own is its place in the order of the same source's changes.
func (p *targetPlanner) inOrder() bool {
	changes, snapshots := p.kinds()
	switch {
	case len(changes) > 1 || len(changes) == 1 && (changes[0].decl.feed != merge.Changes || changes[0].flow.SequenceBy != nil):
		return false
	case len(changes) == 1 && len(snapshots) == 1:
		return snapshots[0].decl.positioned
	}
	return true
}

// kinds divides the flows into those that bring changes and those that bring
// snapshots.
func (p *targetPlanner) kinds() (changes, snapshots []carried) {
	for _, c := range p.flows {
		if c.decl.feed == merge.Snapshot {
			snapshots = append(snapshots, c)
		} else {
			changes = append(changes, c)
		}
	}
	return changes, snapshots
}

// several says what the merge must tell apart.
func (p *targetPlanner) several() {
	changes, snapshots := p.kinds()
	if len(snapshots) > 0 && len(changes) > 0 && !p.target.InOrder {
		p.target.Partial = slices.ContainsFunc(p.flows, func(c carried) bool { return c.partial() })
	}
	p.target.Several = len(changes) > 1 || p.target.Partial
}

// partial tells whether events of the flow may carry less than all columns.
func (c carried) partial() bool {
	return c.decl.feed == merge.Changes || len(c.flow.IgnoreNull) > 0 || c.flow.ColumnsToUpdate != "" || slices.Contains(c.flow.Columns, "")
}

func kindOf(k flowsql.Kind) merge.Kind {
	switch k {
	case flowsql.SCD2:
		return merge.SCD2
	case flowsql.Bitemporal:
		return merge.Bitemporal
	}
	return merge.SCD1
}

func names(ids []flowsql.Ident) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.Name
	}
	return out
}

// columns takes those that the statement defines, then those of the flows.
func (p *targetPlanner) columns() {
	if p.stmt != nil {
		for _, c := range p.stmt.Columns {
			p.target.Columns = append(p.target.Columns, merge.Column{Name: c.Name.Name, Type: c.Type.SQL})
		}
	}
	defined := len(p.target.Columns) > 0
	for _, c := range p.flows {
		for _, col := range c.columns {
			p.column(c, col, defined)
		}
	}
}

// column adds one carried column, or compares it with the one that is there.
func (p *targetPlanner) column(c carried, col merge.Column, defined bool) {
	i := slices.IndexFunc(p.target.Columns, func(t merge.Column) bool { return t.Name == col.Name })
	switch {
	case i < 0 && defined && c.decl.appends != nil:
		p.lacks(c, col)
	case i < 0 && defined:
		p.add(c.decl.pos, "add "+bare(col.Name)+" "+col.Type+" to the column definitions of "+shown(p.name)+", or leave it out with COLUMNS",
			"flow %q carries the column %q, which the definition of %s does not have", c.decl.name, col.Name, p.name)
	case i < 0:
		p.target.Columns = append(p.target.Columns, col)
	case !defined && p.target.Columns[i].Type != col.Type:
		p.add(c.decl.pos, "define the columns in CREATE STREAMING TABLE",
			"flow %q brings column %q as %s, flow %q as %s", c.decl.name, col.Name, col.Type, p.flows[0].decl.name, p.target.Columns[i].Type)
	}
}

// fill gives, per target column, the source column that fills it.
func (p *targetPlanner) fill(c carried) []string {
	out := make([]string, len(p.target.Columns))
	for i, t := range p.target.Columns {
		if slices.ContainsFunc(c.columns, func(col merge.Column) bool { return col.Name == t.Name }) {
			out[i] = t.Name
		}
	}
	return out
}

// track resolves TRACK HISTORY ON of the first flow.
func (p *targetPlanner) track() {
	for _, c := range p.flows {
		l := c.decl.cdc.TrackHistory
		if l != nil && c.decl.cdc.StoredAs == flowsql.SCD1 {
			p.add(l.Pos, "add STORED AS SCD TYPE 2", "flow %q: TRACK HISTORY ON needs a history", c.decl.name)
		}
		if l != nil {
			p.knownTarget(l)
		}
	}
	p.target.Track = p.tracked(p.flows[0].decl.cdc.TrackHistory)
}

func (p *targetPlanner) knownTarget(l *flowsql.ColumnList) {
	all := p.columnNames()
	for _, id := range l.Columns {
		if !slices.Contains(all, id.Name) {
			p.add(id.Pos, didYouMean(id.Name, all), "TRACK HISTORY ON: the target %s has no column %s", p.name, bare(id.Name))
		}
	}
}

func (p *targetPlanner) columnNames() []string {
	out := make([]string, len(p.target.Columns))
	for i, c := range p.target.Columns {
		out[i] = c.Name
	}
	return out
}

func (p *targetPlanner) tracked(l *flowsql.ColumnList) []string {
	switch {
	case l == nil || l.All && len(l.Columns) == 0:
		return nil
	case !l.All:
		return names(l.Columns)
	}
	except := names(l.Columns)
	return slices.DeleteFunc(p.columnNames(), func(n string) bool { return slices.Contains(except, n) })
}

// ignored resolves IGNORE NULL UPDATES to the columns whose nulls are not carried;
// a key is never null.
func (p *targetPlanner) ignored(c carried) []string {
	l := c.decl.cdc.IgnoreNull
	if l == nil {
		return nil
	}
	var out []string
	for _, col := range c.columns {
		listed := slices.ContainsFunc(l.Columns, func(id flowsql.Ident) bool { return id.Name == col.Name })
		if listed != l.All && !slices.Contains(p.target.Keys, col.Name) {
			out = append(out, col.Name)
		}
	}
	for _, id := range l.Columns {
		if !slices.Contains(p.columnNames(), id.Name) {
			p.add(id.Pos, didYouMean(id.Name, p.columnNames()), "IGNORE NULL UPDATES: the target %s has no column %s", p.name, bare(id.Name))
		}
	}
	return out
}
