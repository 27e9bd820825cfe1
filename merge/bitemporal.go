package merge

import (
	"context"
	"fmt"

	"github.com/autocdc/autocdc/merge/sqlgen"
	"github.com/autocdc/autocdc/schema"
)

// mergeBeliefs brings the events of a bitemporal target into it: each system time
// from the earliest of the batch on is folded as a history of its own, and the
// same version in successive ones is one row.
func (a *Applier) mergeBeliefs(ctx context.Context, t *target, v sqlgen.Variant) error {
	if err := a.readyFold(ctx, t); err != nil {
		return err
	}
	v.Partial = t.partial()
	next := "SELECT nextval(" + schema.Literal(a.state.table("batch").String()) + ")"
	if err := a.conn.QueryRow(ctx, next).Scan(&v.Batch); err != nil {
		return fmt.Errorf("number batch of %s: %w", t.Name, err)
	}
	if err := a.run(ctx, t, v, nil, "bt_keys", "bt_known", "bt_epoch", "bt_fold"); err != nil {
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
	names := []string{"bt_belief", "bt_island", "bt_delete", "bt_write", "bt_forget", "bt_remember"}
	if v.Truncates {
		names = append(names, "bt_floor_add")
	}
	return a.run(ctx, t, v, nil, names...)
}

// foldRuns finds the runs of what has been folded.
func (a *Applier) foldRuns(ctx context.Context, t *target) error {
	sql, err := a.gen.FoldRun(t.table)
	if err != nil {
		return err
	}
	if _, err := a.conn.Exec(ctx, sql); err != nil {
		return fmt.Errorf("find runs of %s: %w", t.Name, err)
	}
	return nil
}
