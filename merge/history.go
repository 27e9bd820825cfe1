package merge

import (
	"context"
	"fmt"

	"github.com/autocdc/autocdc/merge/sqlgen"
)

// mergeHistory brings events into an SCD 2 target: keys in order at once, late
// ones by a fold.
func (a *Applier) mergeHistory(ctx context.Context, t *target, v sqlgen.Variant) error {
	step := "scd2_late_step"
	if !v.Chained {
		step = "scd2_turn"
	}
	if err := a.run(ctx, t, v, nil, step); err != nil {
		return err
	}
	late, hidden, err := a.found(ctx, t)
	if err != nil {
		return err
	}
	if names := writeHistory(t, v, hidden); len(names) > 0 {
		if err := a.run(ctx, t, v, nil, names...); err != nil {
			return err
		}
	}
	if !late && !v.Truncates {
		return nil
	}
	return a.foldHistory(ctx, t, v)
}

// writeHistory names the statements that follow the classification of events.
// hidden says that some leave no row of their own.
func writeHistory(t *target, v sqlgen.Variant, hidden bool) []string {
	var names []string
	if v.Chained {
		names = append(names, "scd2_run")
	}
	if hidden || t.Several {
		names = append(names, "scd2_remember")
	}
	if hidden {
		names = append(names, "scd2_overwrite")
	}
	if v.Chained {
		names = append(names, "scd2_close", "scd2_insert")
	}
	return names
}

func (a *Applier) found(ctx context.Context, t *target) (late, hidden bool, err error) {
	sql, err := a.gen.Statement("scd2_found", t.table, sqlgen.Variant{})
	if err != nil {
		return false, false, err
	}
	var n int64
	if err := a.conn.QueryRow(ctx, sql).Scan(&late, &hidden, &n); err != nil {
		return false, false, fmt.Errorf("classify events of %s: %w", t.Name, err)
	}
	return late, hidden, nil
}

func (a *Applier) foldHistory(ctx context.Context, t *target, v sqlgen.Variant) error {
	if err := a.readyFold(ctx, t); err != nil {
		return err
	}
	keys := []string{"fold_keys"}
	if v.Truncates {
		keys = append(keys, "fold_all_keys")
	}
	if err := a.run(ctx, t, v, nil, append(keys, "fold_events")...); err != nil {
		return err
	}
	if err := a.fillFold(ctx, t); err != nil {
		return err
	}
	if err := a.run(ctx, t, v, nil, "fold_step"); err != nil {
		return err
	}
	if err := a.foldRuns(ctx, t); err != nil {
		return err
	}
	return a.run(ctx, t, v, nil, "fold_delete", "fold_write", "fold_forget", "fold_remember")
}
