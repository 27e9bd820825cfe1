package merge

import (
	"encoding/binary"
	"slices"

	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
)

// mapping tells where a relation's tuples hold what a flow needs. An index of -1
// means that the relation has no such column.
type mapping struct {
	columns []int  // per target column
	keys    []int  // per key
	raw     []int  // per column of the flow's raw stage
	isKey   []bool // per target column
	full    bool   // old tuples hold all columns
}

func (f *flow) mapping(rel *schema.Relation) *mapping {
	m := f.maps[rel]
	if m == nil {
		m = f.makeMapping(rel)
		f.maps[rel] = m
	}
	return m
}

func (f *flow) makeMapping(rel *schema.Relation) *mapping {
	m := &mapping{full: rel.Replica == schema.IdentityFull}
	for i, c := range f.target.Columns {
		m.columns = append(m.columns, indexOf(rel, f.plainSource(f.Columns[i])))
		m.isKey = append(m.isKey, slices.Contains(f.target.Keys, c.Name))
	}
	for _, k := range f.target.Keys {
		m.keys = append(m.keys, indexOf(rel, f.plainSource(f.sourceOf(k))))
	}
	for _, c := range f.rel.Columns {
		m.raw = append(m.raw, indexOf(rel, c.Name))
	}
	return m
}

func indexOf(rel *schema.Relation, column string) int {
	if column == "" {
		return -1
	}
	return rel.Column(column)
}

// sourceOf names the column of the flow's rows that fills a target column.
func (f *Flow) sourceOf(column string) string {
	for i, c := range f.Target.Columns {
		if c.Name == column {
			return f.Columns[i]
		}
	}
	return ""
}

// key appends the values of the key columns to buf[:0], each behind its length,
// and returns the index of the first key that is null or missing, or -1.
func (m *mapping) key(values []batch.Value, buf []byte) ([]byte, int) {
	buf = buf[:0]
	for i, at := range m.keys {
		if at < 0 || at >= len(values) || values[at].Kind != batch.Text {
			return buf, i
		}
		buf = binary.AppendUvarint(buf, uint64(len(values[at].Data)))
		buf = append(buf, values[at].Data...)
	}
	return buf, -1
}

// pick returns the values of the wanted columns. A column that the relation does
// not have (dropped at the source) counts as not carried.
func pick(values []batch.Value, at []int) []batch.Value {
	return pickInto(make([]batch.Value, 0, len(at)), values, at)
}

// pickInto is pick in the place of picked.
func pickInto(picked, values []batch.Value, at []int) []batch.Value {
	picked = picked[:0]
	for _, j := range at {
		if j < 0 || j >= len(values) {
			picked = append(picked, batch.Value{Kind: batch.Unchanged})
			continue
		}
		picked = append(picked, values[j])
	}
	return picked
}

// carried reports whether all values were sent.
func carried(values []batch.Value) bool {
	for _, v := range values {
		if v.Kind == batch.Unchanged {
			return false
		}
	}
	return true
}

// fill takes what an update left unchanged from an older state of the row.
func fill(values, older []batch.Value) {
	for i := range values {
		if values[i].Kind == batch.Unchanged && i < len(older) {
			values[i] = older[i]
		}
	}
}

// lacks reports whether a value is missing that the relation has.
func (m *mapping) lacks(values []batch.Value) bool {
	for i, v := range values {
		if v.Kind == batch.Unchanged && m.columns[i] >= 0 {
			return true
		}
	}
	return false
}
