package autocdc

import (
	"slices"
	"strings"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
)

// sourceTable is a table as its source's catalog shows it, without the columns
// that the WAL does not carry.
type sourceTable struct {
	rel    *schema.Relation
	raw    []string     // per column, its type on the target
	notes  []string     // per column, what becomes of its type where the target's differs
	unsent []string     // names of generated columns
	keys   []catalogKey // unique keys, the primary one first
	base   *sourceTable // of a view: the table that it reads in the end
}

// catalogKey is a unique key of a source table.
type catalogKey struct {
	index      string
	columns    []string
	primary    bool
	deferrable bool
	nullable   bool
}

// stored is the table itself, where a view may lie over it.
func (t *sourceTable) stored() *sourceTable {
	if t.base != nil {
		return t.base
	}
	return t
}

// flowPlanner compares one declared flow with its source table.
type flowPlanner struct {
	*faults
	decl  *flowDecl
	table *sourceTable
}

// pseudo are the columns that rows have beside their own, with their types.
func pseudo() []merge.Column {
	return []merge.Column{
		{Name: "__op", Type: "text"},
		{Name: "__lsn", Type: "pg_lsn"},
		{Name: "__commit_ts", Type: "timestamp with time zone"},
		{Name: "__xid", Type: "bigint"},
	}
}

// isPseudo tells whether a column is one that rows have beside their own.
func isPseudo(name string) bool {
	return slices.ContainsFunc(pseudo(), func(c merge.Column) bool { return c.Name == name })
}

// plan returns the flow without target and sequence types.
func (p *flowPlanner) plan() (*merge.Flow, []merge.Column) {
	f := &merge.Flow{
		Name: p.decl.name, Source: p.decl.source, Feed: p.decl.feed,
		Rel: p.table.stored().rel, RawTypes: p.table.stored().raw,
		NoCopy:            !p.decl.opts.copy,
		SkipChangeCommits: p.decl.opts.skipChangeCommits,
		IgnoreTruncate:    p.decl.opts.truncate == "ignore",
		Once:              p.decl.cdc.Once,
	}
	if f.Once && f.NoCopy {
		p.add(p.decl.cdc.Pos, "leave the option out", "flow %q runs ONCE and has WITH (copy = false): there would be nothing to run", f.Name)
	}
	if l := p.decl.cdc.Columns; l == nil || l.All {
		f.Follow = true
		f.Except = p.excepted()
	}
	if p.decl.feed == merge.Snapshot {
		f.Once, f.MaxDeletes, f.Follow = p.decl.cdc.Once, p.decl.opts.maxDeletes, false
		f.Checksum = p.decl.opts.checksum != nil
		columns := p.columns()
		p.keyColumns(columns)
		return f, columns
	}
	if !p.kindOfTable() {
		return f, nil
	}
	p.rowNames()
	columns := p.columns()
	p.keyColumns(columns)
	if p.decl.feed == merge.Changes {
		p.identity()
	}
	p.conditions(f)
	p.sequence(f)
	p.system(f)
	p.columnsToUpdate(f)
	return f, columns
}

// kindOfTable refuses what has no row changes in the WAL.
func (p *flowPlanner) kindOfTable() bool {
	from := p.decl.cdc.From
	kinds := map[byte]string{'v': "a view", 'm': "a materialized view", 'f': "a foreign table"}
	if k := kinds[p.table.rel.Kind]; k != "" {
		p.add(from.Name.Pos, "replicate the tables that it reads", "%s is %s: its changes are not in the WAL", p.table.rel.Name, k)
		return false
	}
	return true
}

// rowNames refuses source columns that hide one of the rows' own.
func (p *flowPlanner) rowNames() {
	for _, c := range pseudo() {
		if p.table.rel.Column(c.Name) >= 0 {
			p.add(p.decl.from().Pos, "rename it at the source",
				"column %q of %s has a name that every row has beside its own columns", c.Name, p.table.rel.Name)
		}
	}
}

// columns returns the target columns that the flow carries.
func (p *flowPlanner) columns() []merge.Column {
	var out []merge.Column
	for _, name := range p.columnNames() {
		c := p.column(name)
		if merge.Reserved(name) && !isPseudo(name) {
			p.add(p.columnsPos(), "leave it out with COLUMNS * EXCEPT ("+name+"), or rename it at the source",
				"column %q of %s has a name that the target needs for itself", name, p.table.rel.Name)
		}
		out = append(out, c)
	}
	return out
}

func (p *flowPlanner) columnsPos() flowsql.Pos {
	if l := p.decl.cdc.Columns; l != nil {
		return l.Pos
	}
	return p.decl.from().Pos
}

// column gives a column of the source as one of the target.
func (p *flowPlanner) column(name string) merge.Column {
	if i := p.table.rel.Column(name); i >= 0 {
		return merge.Column{Name: name, Type: p.table.raw[i], Collation: p.table.rel.Columns[i].Collation}
	}
	all := pseudo()
	return all[slices.IndexFunc(all, func(c merge.Column) bool { return c.Name == name })]
}

// columnNames resolves COLUMNS.
func (p *flowPlanner) columnNames() []string {
	l := p.decl.cdc.Columns
	if l == nil {
		return p.ownNames()
	}
	named := p.known("COLUMNS", l.Columns, true)
	if !l.All {
		return named
	}
	return slices.DeleteFunc(p.ownNames(), func(n string) bool { return slices.Contains(named, n) })
}

// ownNames are the columns of the source, of a target those that are not for the merge.
func (p *flowPlanner) ownNames() []string {
	names := p.sourceNames()
	if p.decl.chained {
		names = slices.DeleteFunc(names, merge.Reserved)
	}
	return names
}

// excepted names what COLUMNS * EXCEPT leaves out.
func (p *flowPlanner) excepted() []string {
	if l := p.decl.cdc.Columns; l != nil {
		return names(l.Columns)
	}
	return nil
}

func (p *flowPlanner) sourceNames() []string {
	names := make([]string, len(p.table.rel.Columns))
	for i, c := range p.table.rel.Columns {
		names[i] = c.Name
	}
	return names
}

// known returns those names that are columns of the source, and reports the others
// and those given twice.
func (p *flowPlanner) known(clause string, list []flowsql.Ident, withPseudo bool) []string {
	candidates := p.sourceNames()
	if withPseudo && p.decl.feed != merge.Snapshot {
		for _, c := range pseudo() {
			candidates = append(candidates, c.Name)
		}
	}
	var out []string
	for _, id := range list {
		switch {
		case slices.Contains(out, id.Name):
			p.add(id.Pos, "", "column %q is named twice in %s", id.Name, clause)
		case slices.Contains(candidates, id.Name):
			out = append(out, id.Name)
		default:
			p.unknownColumn(clause, id, candidates)
		}
	}
	return out
}

func (p *flowPlanner) unknownColumn(clause string, id flowsql.Ident, candidates []string) {
	if slices.Contains(p.table.unsent, id.Name) {
		p.add(id.Pos, "compute it on the target, for instance as a generated column there",
			"%s: %q is a generated column of %s, which the WAL does not carry", clause, id.Name, p.table.rel.Name)
		return
	}
	hint := didYouMean(id.Name, candidates)
	if hint == "" {
		hint = "its columns are " + listed(p.sourceNames())
	}
	p.add(id.Pos, hint, "%s: %s has no column %q", clause, p.table.rel.Name, id.Name)
}

// conditions sets APPLY AS.
func (p *flowPlanner) conditions(f *merge.Flow) {
	if t := p.decl.cdc.DeleteWhen; t != nil {
		f.DeleteWhen = t.SQL
	}
	if t := p.decl.cdc.TruncateWhen; t != nil {
		f.TruncateWhen = t.SQL
	}
	if p.decl.feed == merge.Stream && p.decl.opts.truncate != "" {
		p.warn(p.decl.cdc.Pos, "", "flow %q reads STREAM: a TRUNCATE of its table is always ignored", p.decl.name)
	}
}

// sequence sets SEQUENCE BY; the default, written out, counts as the default.
func (p *flowPlanner) sequence(f *merge.Flow) {
	s := p.decl.cdc.SequenceBy
	if s == nil {
		if p.decl.cdc.StoredAs == flowsql.Bitemporal {
			p.add(p.decl.pos, "add SEQUENCE BY with the time from which a row holds", "flow %q is BITEMPORAL and has no SEQUENCE BY", p.decl.name)
			return
		}
		if p.decl.feed == merge.Stream {
			p.add(p.decl.cdc.From.Pos, "add SEQUENCE BY with the column that orders the events, for instance an ever-growing id or a time",
				"flow %q reads STREAM and has no SEQUENCE BY", p.decl.name)
		}
		return
	}
	if p.decl.feed == merge.Changes {
		if isDefault(s, p.decl.cdc.StoredAs) {
			return
		}
		p.ownSequence(s)
	}
	for _, t := range s.Fields {
		f.SequenceBy = append(f.SequenceBy, t.SQL)
	}
}

// system sets SYSTEM SEQUENCE BY.
func (p *flowPlanner) system(f *merge.Flow) {
	s := p.decl.cdc.SystemSequenceBy
	if s == nil {
		return
	}
	if p.decl.cdc.StoredAs != flowsql.Bitemporal {
		p.add(s.Pos, "add STORED AS BITEMPORAL", "flow %q: SYSTEM SEQUENCE BY needs a bitemporal target", p.decl.name)
	}
	for _, t := range s.Fields {
		f.SystemSequenceBy = append(f.SystemSequenceBy, t.SQL)
	}
}

// columnsToUpdate sets COLUMNS TO UPDATE.
func (p *flowPlanner) columnsToUpdate(f *merge.Flow) {
	id := p.decl.cdc.ColumnsToUpdate
	if id == nil {
		return
	}
	if len(p.known("COLUMNS TO UPDATE", []flowsql.Ident{*id}, false)) == 0 {
		return
	}
	if typ := p.column(id.Name).Type; typ != "text[]" {
		p.add(id.Pos, "", "COLUMNS TO UPDATE: column %s is of type %s, text[] is needed", bare(id.Name), typ)
	}
	f.ColumnsToUpdate = id.Name
}

func defaultSequence(k flowsql.Kind) string {
	if k == flowsql.SCD1 {
		return "__lsn"
	}
	return "__commit_ts"
}

func isDefault(s *flowsql.Sequence, k flowsql.Kind) bool {
	return k != flowsql.Bitemporal && !s.Struct && len(s.Fields) == 1 && plainColumn(s.Fields[0]) == defaultSequence(k)
}

// plainColumn returns the name if the expression is nothing but one column.
func plainColumn(t flowsql.Text) string {
	if len(t.Tokens) == 1 && t.Tokens[0].Kind == flowsql.Word {
		return t.Tokens[0].Text
	}
	return ""
}

// ownSequence: a physical delete has no new row to take a sequence from.
func (p *flowPlanner) ownSequence(s *flowsql.Sequence) {
	names := func(t flowsql.Token) bool {
		return t.Kind == flowsql.Word && (t.Text == "__commit_ts" || t.Text == "__lsn")
	}
	for _, t := range s.Fields {
		if slices.ContainsFunc(t.Tokens, names) {
			return
		}
	}
	expr := strings.TrimSpace(s.Fields[0].SQL)
	hint := "write SEQUENCE BY CASE WHEN __op IN ('delete', 'truncate') THEN __commit_ts ELSE " + expr + " END, or leave SEQUENCE BY out"
	const message = "flow %q: SEQUENCE BY has no value for a physical delete of a CHANGES source"
	if p.decl.cdc.StoredAs == flowsql.SCD1 {
		p.warn(s.Pos, hint, message, p.decl.name)
		return
	}
	p.add(s.Pos, hint, message, p.decl.name)
}
