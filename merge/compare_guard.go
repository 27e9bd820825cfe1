package merge

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge/sqlgen"
)

// guardedFrom is the number of current keys from which on the share of those that
// a snapshot lacks is looked at; of fewer, a few missing ones say little.
const guardedFrom = 20

// keys refuses snapshots with null keys, or with two rows of one key; gone is the
// number of keys that the snapshot lacks. Rows whose key the target lacks are grouped.
// Of the others there are as many as keys of the target that the snapshot has, unless
// a key comes twice; only then all are grouped.
func (c *comparison) keys(ctx context.Context, gone int64) error {
	if err := c.look(ctx, c.plan); err != nil || c.plan.All {
		return err
	}
	current, err := ask[int64](ctx, c, "snapshot_current_rows", c.asOf()...)
	if err != nil {
		return err
	}
	staged, err := ask[int64](ctx, c, "snapshot_staged_rows")
	if err != nil {
		return err
	}
	fresh, err := ask[int64](ctx, c, "snapshot_fresh_rows")
	if err != nil || staged-fresh == current-gone {
		return err
	}
	every := c.plan
	every.All = true
	return c.look(ctx, every)
}

// look looks for faults in the keys of rows.
func (c *comparison) look(ctx context.Context, plan sqlgen.Snapshot) error {
	sql, err := c.gen.Compare("snapshot_faults", plan)
	if err != nil {
		return err
	}
	rows, err := c.conn.Query(ctx, sql)
	if err != nil {
		return fmt.Errorf("look for duplicate keys: %w", err)
	}
	var null, twice []string
	var key string
	var count int64
	var isNull bool
	_, err = pgx.ForEachRow(rows, []any{&key, &count, &isNull}, func() error {
		if isNull {
			null = append(null, key)
		} else {
			twice = append(twice, fmt.Sprintf("%s (%d rows)", key, count))
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("look for duplicate keys: %w", err)
	}
	return c.keyFault(null, twice)
}

func (c *comparison) keyFault(null, twice []string) error {
	keys := strings.Join(c.target.Keys, ", ")
	switch {
	case len(null) > 0:
		return c.fault(fmt.Errorf("%w: (%s) = %s", errNullKey, keys, strings.Join(null, "; ")),
			"choose other KEYS, or leave such rows out in the query")
	case len(twice) > 0:
		return c.fault(fmt.Errorf("several rows have one key: (%s) = %s", keys, strings.Join(twice, "; ")),
			"choose KEYS that tell the rows apart, or make them distinct in the query")
	}
	return nil
}

var errTooManyDeletes = errors.New("more rows are missing than may be")

// guard counts, and stops a snapshot that is more often an accident than the
// truth: one that is empty, or that lacks most of what there is.
func (c *comparison) guard(ctx context.Context) (done Compared, err error) {
	sql, err := c.gen.Compare("snapshot_counts", c.plan)
	if err != nil {
		return done, err
	}
	if err := c.conn.QueryRow(ctx, sql).Scan(&done.Upserts, &done.Deletes); err != nil {
		return done, fmt.Errorf("count differences: %w", err)
	}
	most := c.staged.Flow.MaxDeletes
	if c.staged.AcceptDeletes || most >= 1 || done.Deletes == 0 {
		return done, nil
	}
	current, err := ask[int64](ctx, c, "snapshot_open_rows")
	if err != nil {
		return done, err
	}
	empty := c.staged.Rows == 0
	if !empty && (current < guardedFrom || float64(done.Deletes) <= most*float64(current)) {
		return done, nil
	}
	what := fmt.Errorf("%w: it lacks %d of %d current keys", errTooManyDeletes, done.Deletes, current)
	if empty {
		what = fmt.Errorf("%w: it is empty, the target has %d current keys", errTooManyDeletes, current)
	}
	return done, c.fault(what, fmt.Sprintf("if it is right, let it pass once with autocdc run --accept-deletes %s, or always with WITH (max_delete_fraction = 1)", c.staged.Flow.Name))
}
