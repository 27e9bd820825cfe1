package merge

import (
	"regexp"
	"slices"
	"strings"

	"github.com/autocdc/autocdc/merge/sqlgen"
	"github.com/autocdc/autocdc/schema"
)

// table is the target as the statements see it.
func (t *Target) table(id int64, meta schema.Ident) *sqlgen.Table {
	table := &sqlgen.Table{
		ID: id, Target: t.Name, Meta: meta, Kind: sqlgen.Kind(t.Kind), Keys: schema.Idents(t.Keys),
		Sequence: fields(t.Sequence), System: fields(t.SystemSequence), Several: t.Several, Comment: t.Comment,
	}
	for i, c := range t.Columns {
		table.Columns = append(table.Columns, sqlgen.Column{
			Name: schema.Ident(c.Name), Type: c.Type, Collation: c.Collation, Plain: oneText(c.Type, c.Collation), Index: i,
			Tracked: t.Track == nil || slices.Contains(t.Track, c.Name),
		})
	}
	return table
}

func fields(columns []Column) []sqlgen.Field {
	var list []sqlgen.Field
	for _, c := range columns {
		list = append(list, sqlgen.Field{Name: schema.Ident(c.Name), Type: c.Type})
	}
	return list
}

// statement is the flow as the statements see it; table is its target's.
func (f *Flow) statement(table *sqlgen.Table, id int) *sqlgen.Flow {
	s := &sqlgen.Flow{
		Table: table, Name: f.Name, ID: id, Relation: f.relation(), Sources: f.Columns,
		SequenceBy: f.SequenceBy, Delete: f.DeleteWhen, Truncate: f.TruncateWhen,
		IgnoreNull: f.IgnoreNull, ToUpdate: f.ColumnsToUpdate, Alters: f.Feed == Changes, Expectations: expectations(f.Expectations),
	}
	s.RawColumns, s.RowColumns, s.Views = f.rawColumns(), statementColumns(f.rowColumns()), f.views()
	for _, source := range f.Columns {
		s.Of = append(s.Of, f.madeOf(source))
	}
	if f.Target.Kind == Bitemporal {
		s.SystemBy = f.SystemSequenceBy
		if s.SystemBy == nil {
			s.SystemBy = []string{s.Alias().String() + `."__commit_ts"`}
		}
	}
	if f.SequenceBy == nil {
		s.SequenceBy = []string{s.Alias().String() + "." + f.defaultSequence().String()}
	}
	return s
}

func (f *Flow) rawColumns() []sqlgen.Column {
	var columns []sqlgen.Column
	for i, c := range f.Rel.Columns {
		columns = append(columns, sqlgen.Column{Name: schema.Ident(c.Name), Type: f.RawTypes[i], Index: i})
	}
	return columns
}

func statementColumns(columns []Column) []sqlgen.Column {
	list := make([]sqlgen.Column, len(columns))
	for i, c := range columns {
		list[i] = sqlgen.Column{Name: schema.Ident(c.Name), Type: c.Type, Index: i}
	}
	return list
}

func (f *Flow) defaultSequence() schema.Ident {
	if f.Target.Kind == SCD1 {
		return "__lsn"
	}
	return "__commit_ts"
}

// direct says that nothing of the flow has to be remembered: its changes are events
// of its target as they are, need no expression and cannot be late; or they are no
// events, but rows to append.
func (f *Flow) direct() bool {
	if f.Feed == Snapshot || f.Target.Kind == Append {
		return f.Target.InOrder
	}
	return f.Target.InOrder && f.Feed == Changes && f.SequenceBy == nil && f.DeleteWhen == "" && f.TruncateWhen == "" &&
		len(f.IgnoreNull) == 0 && f.ColumnsToUpdate == "" && len(f.Views)+len(f.Expectations) == 0 && !f.Target.Several && f.Target.Kind != Bitemporal &&
		!slices.ContainsFunc(f.Columns, Pseudo) && f.plainKeys()
}

// plainKeys says that equal keys have equal texts, so that they can be told apart
// without the target's =.
func (f *Flow) plainKeys() bool {
	for _, k := range f.Target.Keys {
		at := f.Rel.Column(f.plainSource(f.sourceOf(k)))
		if at < 0 || !oneText(f.RawTypes[at], f.Rel.Columns[at].Collation) {
			return false
		}
	}
	return true
}

// oneText says that equal values have equal texts. Of a numeric without a scale, of
// floats, intervals and many others one value has several texts; a collation of the
// user's own may hold texts for equal that differ.
func oneText(typ, collation string) bool {
	return plainType.MatchString(typ) && (collation == "" || strings.HasPrefix(collation, "pg_catalog."))
}

var plainType = regexp.MustCompile(`^(smallint|integer|bigint|oid|boolean|text|uuid|bytea|date|"char"|name|pg_lsn|` +
	`character( varying)?(\(\d+\))?|numeric\(\d+,\d+\)|time(stamp)?(\(\d\))? with(out)? time zone)$`)

// pseudo are the columns that every row of a feed has beside its own.
var pseudo = []string{"__op", "__lsn", "__commit_ts", "__xid"}

// Pseudo tells whether a name is that of a column which every row of a feed has
// beside its own.
func Pseudo(name string) bool { return slices.Contains(pseudo, name) }

// Staging tells whether the raw stage has a column of this name beside the source's.
func Staging(name string) bool { return Pseudo(name) || name == "__missing" || name == "__n" }

// reserved are the names that statements give to columns of their own beside a
// source's or a target's.
var reserved = []string{
	"__sequence", "__start_at", "__end_at", "__system_start_at", "__system_end_at",
	"__n", "__kind", "__seq", "__sys", "__grp", "__prev", "__missing", "__flow", "__seen_at", "__batch", "__arrival",
	"__pos", "__floor", "__snapshot", "__base", "__epoch", "__next_seq", "__row_id", "__first", "__staged", "__partial", "__island",
}

// Reserved tells whether a source column must not have this name.
func Reserved(name string) bool { return Pseudo(name) || slices.Contains(reserved, name) }
