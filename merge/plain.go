package merge

import (
	"context"
	"regexp"
	"slices"

	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
)

// plain says that rows of the flow are events of its target as they are: there
// is no expression to evaluate and no type to change, so that they are staged as
// events at once.
func (f *flow) plain() bool {
	t := f.target
	if t.Kind == Bitemporal || len(f.Views)+len(f.Expectations) > 0 || f.DeleteWhen != "" || f.TruncateWhen != "" || len(f.IgnoreNull) > 0 || f.ColumnsToUpdate != "" {
		return false
	}
	for i, c := range t.Columns {
		if at := f.rel.Column(f.Columns[i]); f.Columns[i] != "" && (at < 0 || f.RawTypes[at] != c.Type) {
			return false
		}
	}
	return f.plainKeys() && (f.SequenceBy == nil || f.sequenceColumn() >= 0)
}

// sequenceColumn is the source column that SEQUENCE BY names, or -1 if it is more
// than a name.
func (f *flow) sequenceColumn() int {
	if len(f.SequenceBy) != 1 || len(f.target.Sequence) != 1 {
		return -1
	}
	return slices.IndexFunc(f.rel.Columns, func(c schema.Column) bool {
		at := f.rel.Column(c.Name)
		return names(f.SequenceBy[0], c.Name) && f.RawTypes[at] == f.target.Sequence[0].Type
	})
}

// names tells whether an expression is no more than the column's name.
func names(expr, column string) bool {
	return expr == schema.Ident(column).String() || expr == column && bareName.MatchString(column) && !slices.Contains(calledBare, column)
}

var bareName = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// calledBare are names that mean a function or a constant where they are not quoted.
var calledBare = []string{
	"current_catalog", "current_date", "current_role", "current_schema", "current_time", "current_timestamp", "current_user",
	"false", "localtime", "localtimestamp", "null", "session_user", "system_user", "true", "user",
}

// plainStage encodes rows that are events and notes what they are.
type plainStage struct {
	contents
	keys map[string]bool
	key  []byte // the last one
	buf  []byte

	flow     *flow
	keyAt    []int // per key its place among the target's columns
	columns  []int // per target column its place in a row
	sequence int   // the place of the sequence, or -1: the default one
	values   []batch.Value
	tx       *batch.Tx // the last one, with its default sequence
	stamp    batch.Value
}

// stagePlain stages the events of a flow. It does nothing and returns false if
// the flow is not plain, or some event has a null key or sequence, of which the
// raw stage tells more.
func (a *Applier) stagePlain(ctx context.Context, f *flow, rows []rawRow, s *plainStage) (bool, error) {
	if !f.plain() {
		return false, nil
	}
	s.begin(f, a.buf[:0])
	for i := range rows {
		if !s.add(&rows[i]) {
			return false, nil
		}
	}
	a.buf = s.buf[:0]
	columns := make([]string, 0, len(f.target.Columns)+4)
	for _, c := range f.target.Columns {
		columns = append(columns, c.Name)
	}
	_, err := a.copyIn(ctx, f.target.table.Events(), append(columns, "__seq", "__kind", "__missing", "__flow"), s.buf)
	return true, err
}

func (s *plainStage) begin(f *flow, buf []byte) {
	s.flow, s.buf, s.columns, s.keyAt = f, buf, nil, nil
	for _, k := range f.target.Keys {
		s.keyAt = append(s.keyAt, slices.IndexFunc(f.target.Columns, func(c Column) bool { return c.Name == k }))
	}
	for _, source := range f.Columns {
		s.columns = append(s.columns, indexOf(f.rel, source))
	}
	s.sequence = f.sequenceColumn()
}

// add encodes an event, false if its key or sequence is null.
func (s *plainStage) add(r *rawRow) bool {
	values, kind := pickInto(s.values, r.values, s.columns), kindOf(r.op)
	s.values = values
	sequence := s.sequenceOf(r)
	if sequence.Kind != batch.Text || kind != 't' && !s.seen(values) {
		return false
	}
	for _, v := range values {
		s.buf = append(appendField(s.buf, v), '\t')
	}
	s.buf = append(appendField(s.buf, sequence), '\t', kind, '\t')
	if kind == 'u' {
		s.Partial = s.Partial || !carried(values)
		s.buf = appendMissing(s.buf, values, s.flow.target.bits, s.flow.target.table.Bits)
	} else {
		s.buf = append(s.buf, '\\', 'N')
	}
	s.buf = append(appendField(append(s.buf, '\t'), s.name()), '\n')
	s.Truncates = s.Truncates || kind == 't'
	s.Deletes = s.Deletes || kind == 'd'
	s.Events++
	return true
}

func kindOf(op batch.Op) byte {
	switch op {
	case batch.Truncate:
		return 't'
	case batch.Delete:
		return 'd'
	case batch.Snapshot, batch.Insert, batch.Update:
	}
	return 'u'
}

func (s *plainStage) sequenceOf(r *rawRow) batch.Value {
	if s.sequence >= 0 {
		return r.values[s.sequence]
	}
	if s.tx != r.tx {
		s.tx, s.stamp = r.tx, defaultSequence(s.flow.target, r.tx)
	}
	return s.stamp
}

// defaultSequence is the time or, for SCD 1, the end of a transaction.
func defaultSequence(t *target, tx *batch.Tx) batch.Value {
	switch {
	case t.Kind == SCD2:
		return batch.Value{Kind: batch.Text, Data: []byte(stampText(tx.Stamp))}
	case tx.EndLSN == 0:
		return batch.Value{Kind: batch.Null}
	}
	return batch.Value{Kind: batch.Text, Data: []byte(tx.EndLSN.String())}
}

// seen notes the key of an event, false if it is null.
func (s *plainStage) seen(values []batch.Value) bool {
	key, null := (&mapping{keys: s.keyAt}).key(values, s.key)
	s.key = key
	if null >= 0 {
		return false
	}
	before := len(s.keys)
	s.keys[string(key)] = true
	s.Chained = s.Chained || len(s.keys) == before
	return true
}

func (s *plainStage) name() batch.Value {
	if !s.flow.target.Several {
		return batch.Value{Kind: batch.Null}
	}
	return batch.Value{Kind: batch.Text, Data: []byte(s.flow.Name)}
}
