package files

import (
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// shape is a node of a file's schema: a leaf, or a group that becomes JSON.
type shape struct {
	name               string
	optional, repeated bool
	def, rep           int // levels at which the node is there, and repeats
	form               form
	children           []*shape
	leaf               int // the first, or only, leaf below
	leaves             int // how many there are
	scalar             scalar
	nanos              bool // nanoseconds may stay, since the value is text
}

// form is what a group stands for
// (https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#nested-types).
type form byte

const (
	formLeaf form = iota
	formStruct
	formList
	formMap
	formVariant
)

// shapesOf are the columns of a file, in its order.
func shapesOf(file *parquet.File) []*shape {
	var physical []format.SchemaElement
	for _, e := range file.Metadata().Schema {
		if e.Type.Valid {
			physical = append(physical, e)
		}
	}
	b := &shaper{physical: physical}
	var all []*shape
	for _, c := range file.Root().Columns() {
		all = append(all, b.shape(c, 0, 0))
	}
	return all
}

// shaper walks through a schema and counts leaves.
type shaper struct {
	physical []format.SchemaElement
	leaf     int
}

func (b *shaper) shape(c *parquet.Column, def, rep int) *shape {
	s := &shape{name: c.Name(), optional: c.Optional(), repeated: c.Repeated(), leaf: b.leaf}
	if s.optional || s.repeated {
		def++
	}
	if s.repeated {
		rep++
	}
	s.def, s.rep = def, rep
	if c.Leaf() {
		s.scalar = scalarOf(c.Type(), b.physical[b.leaf])
		b.leaf++
		s.leaves = 1
		return s
	}
	s.form = formOf(c)
	for _, child := range c.Columns() {
		s.children = append(s.children, b.shape(child, def, rep))
	}
	s.leaves = b.leaf - s.leaf
	return s
}

func formOf(c *parquet.Column) form {
	columns := c.Columns()
	single := len(columns) == 1 && columns[0].Repeated()
	t := c.Type().LogicalType()
	switch {
	case t == nil:
		return formStruct
	case isType[*format.VariantType](t):
		return formVariant
	case isType[*format.ListType](t) && single:
		return formList
	case isType[*format.MapType](t) && single && len(columns[0].Columns()) == 2:
		return formMap
	}
	return formStruct
}

func isType[T format.LogicalTypeValue](t *format.LogicalType) bool {
	if t == nil {
		return false
	}
	_, ok := t.Value.(T)
	return ok
}

// postgresType is the type of a column; that of what is nested is jsonb.
func (s *shape) postgresType() (string, error) {
	if err := s.known(); err != nil {
		return "", err
	}
	if s.form == formLeaf && !s.repeated {
		return s.scalar.pgType, nil
	}
	return "jsonb", nil
}

// known refuses what would not come whole.
func (s *shape) known() error {
	if s.form == formVariant || s.form == formLeaf && s.scalar.append == nil {
		return hinted("let the writer give it another type", "column %q has a type that is not known", s.name)
	}
	for _, c := range s.children {
		if err := c.known(); err != nil {
			return err
		}
	}
	return nil
}

// element is what a list repeats: the child of its repeated group or, as old
// writers have it, that group itself.
func (s *shape) element() *shape {
	group := s.children[0]
	if group.form != formStruct || len(group.children) != 1 || group.name == "array" || group.name == s.name+"_tuple" {
		return group
	}
	return group.children[0]
}

// cursor goes through the values of a row, leaf by leaf.
type cursor struct{ values [][]parquet.Value }

func newCursor(file *parquet.File) cursor {
	n := 0
	for _, e := range file.Metadata().Schema {
		if e.Type.Valid {
			n++
		}
	}
	return cursor{make([][]parquet.Value, n)}
}

func (c *cursor) set(row parquet.Row) {
	clear(c.values)
	row.Range(func(column int, values []parquet.Value) bool {
		c.values[column] = values
		return true
	})
}

// peek is the next value of a leaf; null without one.
func (c *cursor) peek(leaf int) parquet.Value {
	if len(c.values[leaf]) == 0 {
		return parquet.Value{}
	}
	return c.values[leaf][0]
}

// skip goes over a value of all leaves of a node: it is not there.
func (c *cursor) skip(s *shape) {
	for leaf := s.leaf; leaf < s.leaf+s.leaves; leaf++ {
		c.take(leaf)
	}
}

func (c *cursor) take(leaf int) parquet.Value {
	v := c.peek(leaf)
	if len(c.values[leaf]) > 0 {
		c.values[leaf] = c.values[leaf][1:]
	}
	return v
}
