package sqlgen

import "github.com/autocdc/autocdc/schema"

// Variant says which shape of a statement a batch needs.
type Variant struct {
	Spilled   bool  // one source transaction, staged in pieces: its end is parameter $1
	Partial   bool  // some events do not carry all columns
	InOrder   bool  // no event can be late
	Chained   bool  // some keys have several events
	Large     bool  // so many events that it pays to look at a few before
	Truncates bool  // the batch brings truncates
	Remembers bool  // the shadow holds something
	Batch     int64 // bitemporal: greater than those before; orders what is remembered by arrival
}

// Generator renders statements. It is safe for concurrent use.
type Generator struct{ r *renderer }

// New readies the templates.
func New() (*Generator, error) {
	r, err := newRenderer()
	if err != nil {
		return nil, err
	}
	return &Generator{r: r}, nil
}

type data struct {
	*Table
	Variant
	Name      schema.Name // of the table to make
	StepTable schema.Name
	RunTable  schema.Name
}

// Statement renders the named statement of a target.
func (g *Generator) Statement(name string, t *Table, v Variant) (string, error) {
	return g.r.render(name, data{Table: t, Variant: v, StepTable: t.Step(), RunTable: t.Run()})
}

// FoldRun renders the statement that finds the runs of late keys: the same as
// for the others, over other tables.
func (g *Generator) FoldRun(t *Table) (string, error) {
	return g.r.render("scd2_run", data{Table: t, StepTable: t.FoldStep(), RunTable: t.FoldRun()})
}

// KeyColumn is a column with the word whether it is a key.
type KeyColumn struct {
	Column
	Key bool
}

// KeyOnly lists the columns for rows that have nothing but a key.
func (t *Table) KeyOnly() []KeyColumn {
	cols := make([]KeyColumn, len(t.Columns))
	for i, c := range t.Columns {
		cols[i] = KeyColumn{Column: c, Key: t.isKey(c.Name)}
	}
	return cols
}

// Positions has, per bit of __missing, the column that it stands for, or nil.
func (t *Table) Positions() []*Column {
	positions := make([]*Column, t.Bits)
	for i := range t.Columns {
		positions[t.Columns[i].Index] = &t.Columns[i]
	}
	return positions
}
