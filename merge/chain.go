package merge

import (
	"errors"
	"fmt"
	"slices"

	"github.com/autocdc/autocdc/merge/batch"
)

// chains folds the changes of a direct target: the last state of each key for SCD
// 1, one state per key and commit for SCD 2. Unchanged values are filled from
// earlier states in the batch.
type chains struct {
	target   *target
	isKey    []bool // per target column
	rows     []event
	last     map[string]int           // key → index of its last event
	base     int64                    // number of the last event of earlier pieces
	cleared  bool                     // a truncate came: what the target held before is gone
	clearAt  string                   // sequence of the first truncate
	partial  bool                     // some event does not carry all columns
	chained  bool                     // some key has several events
	unknown  map[int][]batch.Value    // event made by a change of the key → the old key, where only the target has its row
	origin   map[string][]batch.Value // new key → the old one that the target has
	values   []batch.Value            // of the tuple at hand
	keyBytes []byte
}

// event is a row of the stage.
type event struct {
	op     byte // u or d
	seq    string
	grp    int64
	prev   int64
	values []batch.Value // in the order of the target's columns; of a delete only the keys
}

func newChains(t *target, base int64) *chains {
	isKey := make([]bool, len(t.Columns))
	for i, col := range t.Columns {
		isKey[i] = slices.Contains(t.Keys, col.Name)
	}
	return &chains{
		target: t, isKey: isKey, last: map[string]int{}, base: base,
		unknown: map[int][]batch.Value{}, origin: map[string][]batch.Value{},
	}
}

// add takes the next change in WAL order.
func (c *chains) add(it item) error {
	seq := c.sequence(it.tx)
	m := it.flow.mapping(it.change.Rel)
	switch it.change.Op {
	case batch.Truncate:
		c.truncate(seq)
		return nil
	case batch.Delete:
		return c.delete(it, m, seq)
	case batch.Insert, batch.Update, batch.Snapshot:
		return c.upsert(it, m, seq)
	}
	return fmt.Errorf("unknown operation %q", byte(it.change.Op))
}

func (c *chains) sequence(tx *batch.Tx) string {
	if c.target.Kind == SCD2 {
		return stampText(tx.Stamp)
	}
	if tx.EndLSN == 0 {
		return ""
	}
	return tx.EndLSN.String()
}

func (c *chains) delete(it item, m *mapping, seq string) error {
	key, err := c.keyOf(it, m, it.change.Old)
	if err != nil {
		return err
	}
	c.put(string(key), event{op: 'd', seq: seq, values: keyValues(pick(c.values, m.columns), m.isKey)})
	return nil
}

func (c *chains) upsert(it item, m *mapping, seq string) error {
	if it.change.Old == nil {
		return c.write(it, m, seq, nil)
	}
	key, err := c.keyOf(it, m, it.change.Old)
	if err != nil {
		return err
	}
	old := pick(c.values, m.columns)
	if !m.full {
		old = keyValues(old, m.isKey)
	}
	return c.write(it, m, seq, &oldRow{key: string(key), values: old})
}

// oldRow is what the WAL says of the row before an update.
type oldRow struct {
	key    string
	values []batch.Value
}

func (c *chains) write(it item, m *mapping, seq string, old *oldRow) error {
	keyBytes, err := c.keyOf(it, m, it.change.New)
	if err != nil {
		return err
	}
	key := string(keyBytes)
	e := event{op: 'u', seq: seq, values: pick(c.values, m.columns)}
	if old == nil {
		c.put(key, e)
		return nil
	}
	fill(e.values, old.values)
	if old.key == key {
		c.put(key, e)
		return nil
	}
	c.rekey(key, e, m, old)
	return nil
}

// rekey is an update of the key: a delete of the old one and an upsert of the new
// one that starts from the old one's state.
func (c *chains) rekey(key string, e event, m *mapping, old *oldRow) {
	if at, ok := c.last[old.key]; ok && c.rows[at].op == 'u' {
		fill(e.values, c.rows[at].values)
	}
	c.put(old.key, event{op: 'd', seq: e.seq, values: keyValues(old.values, m.isKey)})
	at := c.put(key, e)
	if m.lacks(e.values) {
		origin, ok := c.origin[old.key]
		if !ok {
			origin = old.values
		}
		c.origin[key] = origin
		c.unknown[at] = origin
	}
}

// put adds an event, or folds it into the last one of its key.
func (c *chains) put(key string, e event) int {
	at, ok := c.last[key]
	if !ok {
		return c.first(key, e)
	}
	last := &c.rows[at]
	if e.op == 'u' && last.op == 'u' && !carried(e.values) {
		fill(e.values, last.values)
	}
	c.partial = c.partial || e.op == 'u' && !carried(e.values)
	if c.target.Kind == SCD1 || last.seq == e.seq {
		last.op, last.seq, last.values = e.op, e.seq, e.values
		return at
	}
	e.grp, e.prev = last.grp, c.base+int64(at)+1
	c.chained = true
	return c.push(key, e)
}

// first starts the events of a key. After a truncate they start with a delete.
func (c *chains) first(key string, e event) int {
	c.partial = c.partial || e.op == 'u' && !carried(e.values)
	e.grp = c.base + int64(len(c.rows)) + 1
	if c.cleared && c.target.Kind == SCD2 && c.clearAt != e.seq {
		c.push(key, event{op: 'd', seq: c.clearAt, grp: e.grp, values: keyValues(e.values, c.isKey)})
		e.prev = e.grp
		c.chained = true
	}
	return c.push(key, e)
}

func (c *chains) push(key string, e event) int {
	c.rows = append(c.rows, e)
	c.last[key] = len(c.rows) - 1
	return len(c.rows) - 1
}

// truncate ends everything: rows of the target by a statement, those of the batch
// here.
func (c *chains) truncate(seq string) {
	if !c.cleared {
		c.cleared, c.clearAt = true, seq
	}
	if c.target.Kind == SCD1 {
		c.rows = c.rows[:0]
		clear(c.unknown)
		clear(c.last)
		return
	}
	for key, at := range c.last {
		if c.rows[at].op == 'u' {
			c.put(key, event{op: 'd', seq: seq, values: keyValues(c.rows[at].values, c.isKey)})
		}
	}
}

// keyOf reads the tuple into c.values and returns its key, valid until the next call.
func (c *chains) keyOf(it item, m *mapping, tuple batch.Tuple) ([]byte, error) {
	c.values = tuple.Values(c.values)
	key, missing := m.key(c.values, c.keyBytes)
	c.keyBytes = key
	if missing < 0 {
		return key, nil
	}
	return nil, nullKey(it, missing)
}

func nullKey(it item, index int) error {
	return &FlowError{
		Flow: it.flow.Name, Target: it.flow.target.Name.String(), Column: it.flow.target.Keys[index],
		Position: it.tx.EndLSN, Err: errNullKey,
		Hint: "a key must not be null: choose other KEYS, or give the column a value at the source",
	}
}

var errNullKey = errors.New("key is null")

// keyValues returns a copy that has nothing but the keys.
func keyValues(values []batch.Value, isKey []bool) []batch.Value {
	keys := make([]batch.Value, len(values))
	for i := range values {
		keys[i] = batch.Value{Kind: batch.Unchanged}
		if isKey[i] {
			keys[i] = values[i]
		}
	}
	return keys
}
