package merge

import (
	"bytes"
	"context"

	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/merge/sqlgen"
)

// A copy that was interrupted has read its rows at several points, and in the end
// everything that the last point shows. What remains are rows that an earlier point
// showed and that were gone at the last one. Up to there the stream is read for them
// only: a row goes if it was deleted after it was read.

// behind tells whether the last point of the flow's copy shows a transaction.
func (f *flow) behind(tx *batch.Tx) bool {
	n := len(f.points)
	return n > 0 && tx.CommitLSN < f.points[n-1].LSN
}

// seenBefore is the sequence of rows that were read last before a transaction.
func (f *flow) seenBefore(tx *batch.Tx) string {
	var p Point
	for _, at := range f.points {
		if at.LSN <= tx.CommitLSN {
			p = at.Point
		}
	}
	return f.target.sequence(p)
}

// sequence is that of rows copied at a point.
func (t *target) sequence(at Point) string {
	if t.Kind == SCD1 {
		return at.LSN.String()
	}
	return stampText(at.Stamp)
}

// removeGone deletes the rows that were deleted, or got another key, after they were
// copied.
func (a *Applier) removeGone(ctx context.Context, w *work) error {
	t := w.target
	rows, truncated, err := gone(w)
	if err != nil {
		return err
	}
	if truncated != "" {
		if err := a.run(ctx, t, sqlgen.Variant{}, []any{truncated}, "copy_all_gone"); err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if err := a.ready(ctx, t); err != nil {
		return err
	}
	columns := append(append([]string{}, t.Keys...), "__seq")
	if _, err := a.copyIn(ctx, t.table.Events(), columns, rows); err != nil {
		return err
	}
	return a.run(ctx, t, sqlgen.Variant{}, nil, "copy_gone", "copy_unstage")
}

// gone lists keys with the sequence that their rows have at most, in COPY's text
// format, and the greatest such sequence of a truncate.
func gone(w *work) (rows []byte, truncated string, err error) {
	c := newChains(w.target, 0)
	for _, it := range w.gone {
		seq := it.flow.seenBefore(it.tx)
		if it.change.Op == batch.Truncate {
			truncated = seq // later ones come later
			continue
		}
		m := it.flow.mapping(it.change.Rel)
		left, err := c.leaves(it, m)
		if err != nil {
			return nil, "", err
		}
		if !left {
			continue
		}
		for _, at := range m.keys {
			rows = append(appendField(rows, c.values[at]), '\t')
		}
		rows = append(append(rows, seq...), '\n')
	}
	return rows, truncated, nil
}

// leaves tells whether a change ends the row of its old key, and reads that.
func (c *chains) leaves(it item, m *mapping) (bool, error) {
	if it.change.Old == nil {
		return false, nil
	}
	var becomes []byte
	if it.change.Op == batch.Update {
		key, err := c.keyOf(it, m, it.change.New)
		if err != nil {
			return false, err
		}
		becomes = bytes.Clone(key)
	}
	key, err := c.keyOf(it, m, it.change.Old)
	if err != nil {
		return false, err
	}
	return it.change.Op == batch.Delete || !bytes.Equal(key, becomes), nil
}

// passed tells whether a movement leaves the last point of the flow's copy behind.
func (f *flow) passed(m movement) bool {
	n := len(f.points)
	return n > 0 && f.status == Streaming && m.all[f] >= f.points[n-1].LSN
}
