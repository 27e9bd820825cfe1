package merge

import (
	"context"
	"fmt"
)

// diff makes events of what differs between the staged snapshot and the target, and
// refuses one with faults in its keys.
func (c *comparison) diff(ctx context.Context) error {
	// few rows differ, which the planner cannot know: it would spare them the way from
	// parallel workers
	if _, err := c.conn.Exec(ctx, fmt.Sprintf("SET LOCAL parallel_tuple_cost = 0; DROP TABLE IF EXISTS %s, %s", c.plan.Changed(), c.plan.Gone())); err != nil {
		return fmt.Errorf("ready to compare: %w", err)
	}
	if err := c.search(ctx); err != nil {
		return err
	}
	name := "snapshot_late_diff"
	if c.target.direct {
		name = "snapshot_diff"
	}
	_, err := c.exec(ctx, name, c.staged.Version)
	return err
}

// search finds the rows that the target lacks or has otherwise, and the keys that the
// snapshot lacks, unless sums show that it lacks none.
func (c *comparison) search(ctx context.Context) error {
	any, err := ask[bool](ctx, c, "snapshot_any", c.asOf()...)
	if err != nil {
		return err
	}
	c.plan.All = !any || c.plan.Late && c.plan.Whole
	if !c.plan.All {
		if err := c.changed(ctx); err != nil {
			return err
		}
	}
	if !c.plan.All && c.plan.PlainKeys() {
		if c.plan.Complete, err = ask[bool](ctx, c, "snapshot_complete", c.asOf()...); err != nil {
			return err
		}
	}
	if c.plan.Complete {
		return c.look(ctx, c.plan)
	}
	gone, err := c.exec(ctx, "snapshot_gone", c.asOf()...)
	if err != nil {
		return err
	}
	return c.keys(ctx, gone)
}

// changed joins in parts: hash tables that fit the processor's cache are faster than
// one that holds all rows.
func (c *comparison) changed(ctx context.Context) error {
	if _, err := c.conn.Exec(ctx, "SET LOCAL work_mem = '8MB'"); err != nil {
		return fmt.Errorf("ready to compare: %w", err)
	}
	if _, err := c.exec(ctx, "snapshot_changed", c.asOf()...); err != nil {
		return err
	}
	if _, err := c.conn.Exec(ctx, "RESET work_mem"); err != nil {
		return fmt.Errorf("ready to merge: %w", err)
	}
	return nil
}

// asOf is the parameter of statements that read the rows valid at the version.
func (c *comparison) asOf() []any {
	if c.plan.Late && c.target.Kind == SCD2 {
		return []any{c.staged.Version}
	}
	return nil
}

func (c *comparison) exec(ctx context.Context, name string, args ...any) (rows int64, err error) {
	sql, err := c.gen.Compare(name, c.plan)
	if err != nil {
		return 0, err
	}
	tag, err := c.conn.Exec(ctx, sql, args...)
	if err != nil {
		return 0, fmt.Errorf("compare with %s: %w", c.target.Name, err)
	}
	return tag.RowsAffected(), nil
}

// ask runs a statement that gives one value.
func ask[T any](ctx context.Context, c *comparison, name string, args ...any) (value T, err error) {
	sql, err := c.gen.Compare(name, c.plan)
	if err != nil {
		return value, err
	}
	if err := c.conn.QueryRow(ctx, sql, args...).Scan(&value); err != nil {
		return value, fmt.Errorf("compare with %s: %w", c.target.Name, err)
	}
	return value, nil
}
