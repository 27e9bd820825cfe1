package merge

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/autocdc/autocdc/merge/batch"
)

var errFeedUpdate = errors.New("a row of the feed table was updated; a feed is append-only")

// stageRaw writes rows of one flow in the shape of its source table.
func (a *Applier) stageRaw(ctx context.Context, f *flow, rows []rawRow) error {
	if err := a.readyRaw(ctx, f); err != nil {
		return err
	}
	buf := a.buf[:0]
	order := make([]int, len(f.rel.Columns))
	for i := range order {
		order[i] = i
	}
	for i := range rows {
		buf = appendRaw(buf, &rows[i], order)
	}
	a.buf = buf[:0]
	columns := make([]string, 0, len(f.rel.Columns)+5)
	for _, c := range f.rel.Columns {
		columns = append(columns, c.Name)
	}
	columns = append(columns, "__op", "__lsn", "__commit_ts", "__xid", "__missing")
	_, err := a.copyIn(ctx, f.statement(f.target.table, f.number).Raw(), columns, buf)
	return err
}

func (a *Applier) readyRaw(ctx context.Context, f *flow) error {
	if f.staged {
		return nil
	}
	sql, err := a.gen.Raw(f.statement(f.target.table, f.number))
	if err != nil {
		return err
	}
	if _, err := a.conn.Exec(ctx, sql); err != nil {
		return err
	}
	a.mark(&f.staged)
	return nil
}

// rawRow is a row of the raw stage.
type rawRow struct {
	op     batch.Op
	tx     *batch.Tx
	values []batch.Value
}

// rawReader turns changes into rows and follows rows whose key changes.
type rawReader struct {
	flow   *flow
	rows   []rawRow
	last   map[string][]batch.Value // key → last values in this batch
	values []batch.Value
}

// rawRows are the changes of one flow as rows of its source table. An update of
// the key is a delete of the old key and an upsert of the new one.
func (a *Applier) rawRows(ctx context.Context, f *flow, items []item) ([]rawRow, error) {
	r := &rawReader{flow: f, last: make(map[string][]batch.Value, len(items)), rows: make([]rawRow, 0, len(items))}
	for _, it := range items {
		if it.flow != f {
			continue
		}
		if err := r.add(ctx, a, it); err != nil {
			return nil, err
		}
	}
	return r.rows, f.computable(r.rows)
}

func (r *rawReader) add(ctx context.Context, a *Applier, it item) error {
	m := r.flow.mapping(it.change.Rel)
	if r.flow.Feed == Stream {
		return r.event(it, m)
	}
	switch it.change.Op {
	case batch.Truncate:
		r.push(it, batch.Truncate, make([]batch.Value, len(m.raw)))
	case batch.Delete:
		r.push(it, batch.Delete, r.read(it.change.Old, m))
	default:
		return r.change(ctx, a, it, m)
	}
	return nil
}

// event is a row of an append-only feed.
func (r *rawReader) event(it item, m *mapping) error {
	if it.change.Op != batch.Update {
		r.push(it, it.change.Op, r.read(it.change.New, m))
		return nil
	}
	e := &FlowError{
		Flow: r.flow.Name, Target: r.flow.target.Name.String(), Position: it.tx.EndLSN, Err: errFeedUpdate,
		Hint: "WITH (skip_change_commits = true) passes over updates of the feed",
	}
	if r.flow.Query != nil {
		e.Hint = fmt.Sprintf("autocdc refresh %s --full fills the target with the rows that the feed has now; CHANGES(table) with KEYS follows updates", typed(r.flow.target.Name))
	}
	return e
}

func (r *rawReader) change(ctx context.Context, a *Applier, it item, m *mapping) error {
	values := r.read(it.change.New, m)
	key, _ := m.key(r.values, nil)
	if it.change.Old == nil {
		r.follow(string(key), values)
		r.push(it, it.change.Op, values)
		return nil
	}
	old := r.read(it.change.Old, m)
	oldKey, _ := m.key(r.values, nil)
	if m.full {
		fill(values, old)
	}
	if string(oldKey) == string(key) {
		r.follow(string(key), values)
		r.push(it, it.change.Op, values)
		return nil
	}
	fill(values, r.last[string(oldKey)])
	if err := r.elsewhere(ctx, a, values, old, m); err != nil {
		return err
	}
	r.push(it, batch.Delete, old)
	r.follow(string(key), values)
	r.push(it, it.change.Op, values)
	return nil
}

// follow remembers the state of a key within the batch.
func (r *rawReader) follow(key string, values []batch.Value) {
	if carried(values) {
		r.last[key] = values
		return
	}
	state := append([]batch.Value(nil), values...)
	fill(state, r.last[key])
	r.last[key] = state
}

// elsewhere fills what a key change left unchanged from what earlier pieces of
// the transaction staged, and from the target's row of the old key.
func (r *rawReader) elsewhere(ctx context.Context, a *Applier, values, old []batch.Value, m *mapping) error {
	if a.spill != nil && lacksAny(values, m.raw) {
		found, err := r.flow.stagedLookup().find(ctx, a.conn, [][]batch.Value{old})
		if err != nil {
			return err
		}
		fill(values, found[0])
	}
	if !lacksAny(values, m.raw) {
		return nil
	}
	return r.fromTarget(ctx, a, values, old)
}

func (r *rawReader) fromTarget(ctx context.Context, a *Applier, values, old []batch.Value) error {
	t := r.flow.target
	key := make([]batch.Value, len(t.Columns))
	for i, source := range r.flow.Columns {
		if at := r.rawIndex(source); at >= 0 {
			key[i] = old[at]
		}
	}
	found, err := t.lookup().find(ctx, a.conn, [][]batch.Value{key})
	if err != nil || found[0] == nil {
		return err
	}
	for i, source := range r.flow.Columns {
		if at := r.rawIndex(source); at >= 0 && values[at].Kind == batch.Unchanged {
			values[at] = found[0][i]
		}
	}
	return nil
}

func (r *rawReader) rawIndex(source string) int {
	if source = r.flow.plainSource(source); source == "" {
		return -1
	}
	return r.flow.rel.Column(source)
}

func lacksAny(values []batch.Value, at []int) bool {
	for i, v := range values {
		if v.Kind == batch.Unchanged && at[i] >= 0 {
			return true
		}
	}
	return false
}

func (r *rawReader) read(tuple batch.Tuple, m *mapping) []batch.Value {
	r.values = tuple.Values(r.values)
	return pick(r.values, m.raw)
}

func (r *rawReader) push(it item, op batch.Op, values []batch.Value) {
	r.rows = append(r.rows, rawRow{op: op, tx: it.tx, values: values})
}

func appendRaw(buf []byte, r *rawRow, order []int) []byte {
	for _, v := range r.values {
		buf = append(appendField(buf, v), '\t')
	}
	buf = append(buf, r.op.String()...)
	buf = append(buf, '\t')
	if r.tx.EndLSN == 0 {
		buf = append(buf, '\\', 'N')
	} else {
		buf = append(buf, r.tx.EndLSN.String()...)
	}
	buf = append(buf, '\t')
	buf = append(buf, stampText(r.tx.Stamp)...)
	buf = append(buf, '\t')
	buf = strconv.AppendUint(buf, uint64(r.tx.XID), 10)
	buf = append(buf, '\t')
	if r.op == batch.Delete {
		buf = append(buf, '\\', 'N')
	} else {
		buf = appendMissing(buf, r.values, order, len(order))
	}
	return append(buf, '\n')
}
