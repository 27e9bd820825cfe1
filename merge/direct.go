package merge

import (
	"context"
	"maps"
	"slices"

	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/merge/sqlgen"
)

// applyDirect stages and merges what a batch brings for a direct target.
func (a *Applier) applyDirect(ctx context.Context, w *work) error {
	if len(w.gone) > 0 {
		if err := a.removeGone(ctx, w); err != nil || len(w.items) == 0 {
			return err
		}
	}
	c, err := a.chain(ctx, w, 0)
	if err != nil {
		return err
	}
	if err := a.stageChains(ctx, w.target, c); err != nil {
		return err
	}
	v := sqlgen.Variant{Partial: c.partial, Chained: c.chained, Large: large(int64(len(c.rows)))}
	return a.mergeDirect(ctx, w.target, v, c.cleared, c.clearAt)
}

// chain folds the work in memory.
func (a *Applier) chain(ctx context.Context, w *work, base int64) (*chains, error) {
	c := newChains(w.target, base)
	for _, it := range w.items {
		if err := c.add(it); err != nil {
			return nil, err
		}
	}
	return c, a.resolve(ctx, c)
}

// mergeDirect brings the staged events into the target.
func (a *Applier) mergeDirect(ctx context.Context, t *target, v sqlgen.Variant, cleared bool, clearAt string) error {
	v.InOrder = true
	if t.Kind == SCD1 {
		return a.mergeCurrent(ctx, t, v, cleared)
	}
	if cleared {
		if err := a.run(ctx, t, v, []any{clearAt}, "scd2_truncate_all"); err != nil {
			return err
		}
	}
	if v.Partial {
		if err := a.run(ctx, t, v, nil, "scd2_fill"); err != nil {
			return err
		}
	}
	if v.Chained {
		return a.run(ctx, t, v, nil, "scd2_step", "scd2_run", "scd2_overwrite", "scd2_close", "scd2_insert")
	}
	return a.run(ctx, t, v, nil, "scd2_turn", "scd2_overwrite")
}

func (a *Applier) mergeCurrent(ctx context.Context, t *target, v sqlgen.Variant, cleared bool) error {
	if cleared {
		if err := a.run(ctx, t, v, nil, "scd1_truncate_all"); err != nil {
			return err
		}
	}
	var args []any
	if v.Spilled {
		args = []any{a.spill.end.String()}
	}
	return a.run(ctx, t, v, args, "scd1_merge")
}

// stageChains writes the events into the target's stage.
func (a *Applier) stageChains(ctx context.Context, t *target, c *chains) error {
	if len(c.rows) == 0 {
		return a.ready(ctx, t)
	}
	if err := a.ready(ctx, t); err != nil {
		return err
	}
	buf := a.buf[:0]
	for i := range c.rows {
		buf = appendEvent(buf, t, c.base+int64(i)+1, &c.rows[i])
	}
	a.buf = buf[:0]
	columns := make([]string, 0, len(t.Columns)+6)
	for _, col := range t.Columns {
		columns = append(columns, col.Name)
	}
	columns = append(columns, "__seq", "__kind", "__grp", "__prev", "__missing", "__n")
	_, err := a.copyIn(ctx, t.table.Events(), columns, buf)
	return err
}

func appendEvent(buf []byte, t *target, n int64, e *event) []byte {
	for _, v := range e.values {
		buf = append(appendField(buf, v), '\t')
	}
	if e.seq == "" {
		buf = append(buf, '\\', 'N')
	} else {
		buf = append(buf, e.seq...)
	}
	buf = append(buf, '\t', e.op, '\t')
	buf = append(appendInt(buf, e.grp), '\t')
	buf = append(appendInt(buf, e.prev), '\t')
	if e.op == 'd' {
		buf = append(buf, '\\', 'N')
	} else {
		buf = appendMissing(buf, e.values, t.bits, t.table.Bits)
	}
	buf = append(buf, '\t')
	return append(appendInt(buf, n), '\n')
}

// resolve fills what key changes left unchanged from the target's rows of the old
// keys.
func (a *Applier) resolve(ctx context.Context, c *chains) error {
	if len(c.unknown) == 0 {
		return nil
	}
	events := slices.Sorted(maps.Keys(c.unknown))
	keys := make([][]batch.Value, len(events))
	for i, at := range events {
		keys[i] = c.unknown[at]
	}
	lookups := []lookup{c.target.lookup()}
	if c.base > 0 {
		lookups = []lookup{c.target.stagedLookup(), c.target.lookup()}
	}
	for _, l := range lookups {
		rows, err := l.find(ctx, a.conn, keys)
		if err != nil {
			return err
		}
		for i, at := range events {
			fill(c.rows[at].values, rows[i])
		}
	}
	c.settle()
	return nil
}

// settle hands on what was found to the events that follow on the same key. One
// that a change of the key made starts from the row it was, not from the event
// before it.
func (c *chains) settle() {
	for i := range c.rows {
		e := &c.rows[i]
		if _, started := c.unknown[i]; started || e.op != 'u' || e.prev == 0 {
			continue
		}
		if before := &c.rows[e.prev-c.base-1]; before.op == 'u' {
			fill(e.values, before.values)
		}
	}
}
