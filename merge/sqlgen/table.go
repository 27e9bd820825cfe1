package sqlgen

import (
	"fmt"

	"github.com/autocdc/autocdc/schema"
)

// Kind is how a target stores its history.
type Kind int

// The kinds of target.
const (
	SCD1 Kind = iota + 1
	SCD2
	Bitemporal
	Append
)

// Column is one of a target's own columns. Type and Collation are SQL text; only
// the DDL uses them.
type Column struct {
	Name      schema.Ident
	Type      string
	Collation string
	Plain     bool // values that are equal are the same to the last bit
	Tracked   bool
	Index     int // bit in __missing: the attribute number less one, so that it never moves
}

// String returns the quoted name.
func (c Column) String() string { return c.Name.String() }

// Table is a target as the statements see it.
type Table struct {
	ID       int64 // of the target in the metadata schema; names its other tables
	Target   schema.Name
	Meta     schema.Ident // the metadata schema
	Kind     Kind
	Columns  []Column
	Keys     []schema.Ident
	Sequence []Field // several: a composite type is made of them
	System   []Field // bitemporal: the system sequence
	Several  bool    // several flows: the flow's name decides ties
	Comment  string
	Bits     int // length of __missing
}

// Field is the type of a sequence, or one field of a STRUCT.
type Field struct {
	Name schema.Ident
	Type string
}

// Tracked returns the columns whose change makes a version.
func (t *Table) Tracked() []Column {
	var cols []Column
	for _, c := range t.Columns {
		if c.Tracked {
			cols = append(cols, c)
		}
	}
	return cols
}

// Values returns the columns that are not keys.
func (t *Table) Values() []Column {
	var cols []Column
	for _, c := range t.Columns {
		if !t.isKey(c.Name) {
			cols = append(cols, c)
		}
	}
	return cols
}

func (t *Table) isKey(name schema.Ident) bool {
	for _, k := range t.Keys {
		if k == name {
			return true
		}
	}
	return false
}

// SequenceType is the SQL type of a sequence value.
func (t *Table) SequenceType() string { return t.typeOf(t.Sequence, "__sequence") }

// SystemType is the SQL type of a system sequence value.
func (t *Table) SystemType() string { return t.typeOf(t.System, "__system_sequence") }

func (t *Table) typeOf(fields []Field, suffix string) string {
	if len(fields) == 1 {
		return fields[0].Type
	}
	return t.CompositeName(suffix).String()
}

// CompositeName is the name of the composite type for a STRUCT.
func (t *Table) CompositeName(suffix string) schema.Name {
	return schema.Name{Schema: t.Target.Schema, Name: t.Target.Name + suffix}
}

// IsNull returns SQL that is true if a sequence value, or a field of it, is null.
func (t *Table) IsNull(value string) string { return isNull(value, t.Sequence) }

// SystemIsNull is IsNull for system sequences.
func (t *Table) SystemIsNull(value string) string { return isNull(value, t.System) }

func isNull(value string, fields []Field) string {
	if len(fields) > 1 {
		return "NOT (" + value + " IS NOT NULL)"
	}
	return value + " IS NULL"
}

// SeqColumn is the target's column that holds the sequence of a row.
func (t *Table) SeqColumn() schema.Ident {
	if t.Kind == SCD1 {
		return "__sequence"
	}
	return "__start_at"
}

// The tables beside the target.

// Events holds what a batch brings, in the target's shape.
func (t *Table) Events() schema.Name { return t.temp("events") }

// Changed holds the rows of a snapshot that the target lacks or has otherwise.
func (t *Table) Changed() schema.Name { return t.temp("changed") }

// Gone holds the keys that a snapshot lacks.
func (t *Table) Gone() schema.Name { return t.temp("gone") }

// Checksums holds what the source says of each bucket of keys.
func (t *Table) Checksums() schema.Name { return t.temp("checksums") }

// Differing holds the buckets of keys in which source and target differ.
func (t *Table) Differing() schema.Name { return t.temp("differing") }

// Step holds, per event, what it does to its key.
func (t *Table) Step() schema.Name { return t.temp("step") }

// Run holds, per version that a batch makes or touches, its bounds.
func (t *Table) Run() schema.Name { return t.temp("run") }

// Late holds the keys that must be folded.
func (t *Table) Late() schema.Name { return t.temp("late") }

// Fold holds the events of late keys, old and new, in order.
func (t *Table) Fold() schema.Name { return t.temp("fold") }

// Known holds the events of bitemporal keys, old and new, in order.
func (t *Table) Known() schema.Name { return t.temp("known") }

// Epoch holds the system times that are folded.
func (t *Table) Epoch() schema.Name { return t.temp("epoch") }

// Belief holds the versions of each epoch.
func (t *Table) Belief() schema.Name { return t.temp("belief") }

// Island holds the rows that the target must have.
func (t *Table) Island() schema.Name { return t.temp("island") }

// FoldStep is Step for late keys.
func (t *Table) FoldStep() schema.Name { return t.temp("fold_step") }

// FoldRun is Run for late keys.
func (t *Table) FoldRun() schema.Name { return t.temp("fold_run") }

// SpillIndex finds events by number; made when a spilled batch needs it.
func (t *Table) SpillIndex() schema.Ident { return schema.Ident(fmt.Sprintf("spill_%d", t.ID)) }

// Shadow remembers what late events need and the target's rows cannot show.
func (t *Table) Shadow() schema.Name { return t.meta("shadow") }

// Floor remembers the truncates.
func (t *Table) Floor() schema.Name { return t.meta("floor") }

func (t *Table) temp(kind string) schema.Name {
	return schema.Name{Schema: "pg_temp", Name: fmt.Sprintf("%s_%d", kind, t.ID)}
}

func (t *Table) meta(kind string) schema.Name {
	return schema.Name{Schema: string(t.Meta), Name: fmt.Sprintf("%s_%d", kind, t.ID)}
}
