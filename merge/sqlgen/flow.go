package sqlgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/autocdc/autocdc/schema"
)

// Flow is how the rows of one source table become events of a target.
type Flow struct {
	Table      *Table
	Name       string
	ID         int      // names its raw stage within a session
	Relation   string   // name of the source table, or of the last view; expressions may qualify columns with it
	RawColumns []Column // the source's columns
	Views      []View   // what makes the flow's rows of the source's
	RowColumns []Column // of the flow's rows: the source's, or the last view's
	Sources    []string // per Table.Columns the column of the flow's rows, or empty
	Of         []string // per Table.Columns the source column that it is made of, if it is one alone
	SequenceBy []string // SQL over the raw stage
	SystemBy   []string // bitemporal
	Delete     string   // condition or empty
	Truncate   string   // condition or empty
	IgnoreNull []string // target columns whose nulls are not carried
	ToUpdate   string   // source column of type text[] or empty
	Alters     bool     // rows may lack unchanged values (CHANGES)

	Expectations []Expectation

	// Of a flow that appends: its query before and after the relation that stands for
	// the feed, whether the query gives that an alias, and which of __op, __lsn,
	// __commit_ts and __xid it mentions.
	Head, Tail string
	Named      bool
	Rows       []string
}

// Raw is the flow's raw stage.
func (f *Flow) Raw() schema.Name {
	return schema.Name{Schema: "pg_temp", Name: fmt.Sprintf("raw_%d_%d", f.Table.ID, f.ID)}
}

// Alias is the name under which expressions see the raw stage.
func (f *Flow) Alias() schema.Ident { return schema.Ident(f.Relation) }

// RawNames are the names of the source's columns.
func (f *Flow) RawNames() []schema.Ident {
	names := make([]schema.Ident, len(f.RawColumns))
	for i, c := range f.RawColumns {
		names[i] = c.Name
	}
	return names
}

// Values is the select list for the target's columns.
func (f *Flow) Values() []string {
	values := make([]string, len(f.Sources))
	for i, s := range f.Sources {
		values[i] = f.value(s)
	}
	return values
}

func (f *Flow) value(source string) string {
	if source == "" {
		return "NULL"
	}
	return f.Alias().String() + "." + schema.Ident(source).String()
}

// KeyValues is the select list for the keys.
func (f *Flow) KeyValues() []string {
	var values []string
	for _, k := range f.Table.Keys {
		values = append(values, f.value(f.sourceOf(k)))
	}
	return values
}

// NullKey is a key's value and its name as a literal.
type NullKey struct{ Value, Literal string }

// NullKeys lists the keys for the search of null ones.
func (f *Flow) NullKeys() []NullKey {
	var keys []NullKey
	for _, k := range f.Table.Keys {
		keys = append(keys, NullKey{Value: f.value(f.sourceOf(k)), Literal: schema.Literal(string(k))})
	}
	return keys
}

func (f *Flow) sourceOf(name schema.Ident) string {
	for i, c := range f.Table.Columns {
		if c.Name == name {
			return f.Sources[i]
		}
	}
	return ""
}

// Sequence is the value of SEQUENCE BY.
func (f *Flow) Sequence() string { return sequence(f.SequenceBy, f.Table.SequenceType()) }

// System is the value of SYSTEM SEQUENCE BY.
func (f *Flow) System() string { return sequence(f.SystemBy, f.Table.SystemType()) }

func sequence(by []string, kind string) string {
	if len(by) == 1 {
		return fmt.Sprintf("CAST((%s\n) AS %s)", by[0], kind)
	}
	fields := make([]string, len(by))
	for i, e := range by {
		fields[i] = "(" + e + "\n)"
	}
	return fmt.Sprintf("CAST(ROW(%s) AS %s)", strings.Join(fields, ", "), kind)
}

// Op is the operation: t, d or u.
func (f *Flow) Op() string {
	a := f.Alias().String()
	truncate, del := a+`."__op" = 'truncate'`, a+`."__op" = 'delete'`
	if f.Truncate != "" {
		truncate += fmt.Sprintf(` OR %s."__op" <> 'delete' AND (%s
)`, a, f.Truncate)
	}
	if f.keeps() {
		del += fmt.Sprintf(` OR NOT %s."__keeps"`, a)
	}
	if f.Delete != "" {
		del += " OR (" + f.Delete + "\n)"
	}
	return fmt.Sprintf(`CAST(CASE WHEN %s THEN 't' WHEN %s THEN 'd' ELSE 'u' END AS "char")`, truncate, del)
}

// Missing is the bit string of the columns that an upsert does not carry, null if
// it carries all.
func (f *Flow) Missing() string {
	if !f.Partial() {
		return "NULL"
	}
	bits := slices.Repeat([]string{"B'0'"}, f.Table.Bits)
	for i, c := range f.Table.Columns {
		bits[c.Index] = f.missingBit(c, f.Sources[i], f.Of[i])
	}
	return fmt.Sprintf("CASE WHEN %s = 'u' THEN NULLIF(%s, B'%s') END", f.Op(), strings.Join(bits, " || "), strings.Repeat("0", len(bits)))
}

// Partial says whether rows of the flow may carry less than all columns.
func (f *Flow) Partial() bool {
	if f.Alters || len(f.IgnoreNull) > 0 || f.ToUpdate != "" {
		return true
	}
	for _, s := range f.Sources {
		if s == "" {
			return true
		}
	}
	return false
}

func (f *Flow) missingBit(c Column, source, of string) string {
	if f.Table.isKey(c.Name) {
		return "B'0'"
	}
	if source == "" {
		return "B'1'"
	}
	var conditions []string
	if at := f.rawIndex(of); f.Alters && at >= 0 {
		conditions = append(conditions, fmt.Sprintf(`COALESCE(get_bit(%s."__missing", %d), 0) = 1`, f.Alias(), at))
	}
	for _, n := range f.IgnoreNull {
		if n == string(c.Name) {
			conditions = append(conditions, f.value(source)+" IS NULL")
		}
	}
	if f.ToUpdate != "" {
		conditions = append(conditions, fmt.Sprintf("NOT COALESCE(%s = ANY (%s), true)", schema.Literal(string(c.Name)), f.value(f.ToUpdate)))
	}
	if len(conditions) == 0 {
		return "B'0'"
	}
	return "CAST(CAST(" + strings.Join(conditions, " OR ") + " AS integer) AS bit(1))"
}

func (f *Flow) rawIndex(source string) int {
	for i, c := range f.RawColumns {
		if string(c.Name) == source {
			return i
		}
	}
	return -1
}

// FlowName is the literal that decides ties between flows.
func (f *Flow) FlowName() string {
	if !f.Table.Several {
		return "NULL"
	}
	return schema.Literal(f.Name)
}

// NoRows is an empty relation with the columns of the flow's raw stage and their
// types, to describe expressions over without making anything.
func NoRows(f *Flow) string {
	var columns []string
	for _, c := range f.RowColumns {
		columns = append(columns, fmt.Sprintf("CAST(NULL AS %s) AS %s", c.Type, c.Name))
	}
	columns = append(columns, `CAST(NULL AS text) AS "__op"`, `CAST(NULL AS pg_lsn) AS "__lsn"`,
		`CAST(NULL AS timestamptz) AS "__commit_ts"`, `CAST(NULL AS bigint) AS "__xid"`)
	return "(SELECT " + strings.Join(columns, ", ") + " LIMIT 0) AS " + f.Alias().String()
}
