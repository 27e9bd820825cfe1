package merge

import (
	"context"
	"encoding/json"
	"fmt"
)

// fill makes the memory for late events anew, lets content bring the rows into an
// empty table, and records what has become of the target.
func (a *Applier) fill(ctx context.Context, t *target, content func(ctx context.Context) error) error {
	if err := a.forgetAll(ctx, t); err != nil {
		return err
	}
	if err := a.fitColumns(ctx, t, false); err != nil {
		return err
	}
	if !t.direct {
		if err := a.createMemory(ctx, t); err != nil {
			return fmt.Errorf("make memory for late events: %w", err)
		}
	}
	if err := a.redefine(ctx, t); err != nil {
		return err
	}
	return content(ctx)
}

// forgetAll drops the memory for late events.
func (a *Applier) forgetAll(ctx context.Context, t *target) error {
	t.forgotten = nil
	drop := fmt.Sprintf("DROP TABLE IF EXISTS %s, %s", t.table.Shadow(), t.table.Floor())
	if _, err := a.conn.Exec(ctx, drop); err != nil {
		return fmt.Errorf("drop memory for late events: %w", err)
	}
	return nil
}

// copyTarget merges the rows of all flows at once, as a batch would.
func (a *Applier) copyTarget(ctx context.Context, t *target, at Point, read reader) (total int64, err error) {
	if t.Kind == Append {
		for _, f := range t.flows {
			rows, err := a.copyAppend(ctx, f, at, read)
			if err != nil {
				return 0, err
			}
			total += rows
		}
		return total, nil
	}
	if t.direct {
		return a.copyDirect(ctx, t.flows[0], at, read)
	}
	if err := a.ready(ctx, t); err != nil {
		return 0, err
	}
	for _, f := range t.flows {
		if err := a.readyRaw(ctx, f); err != nil {
			return 0, err
		}
		rows, err := a.copyRaw(ctx, f, at, read)
		if err != nil {
			return 0, err
		}
		if err := a.project(ctx, f, 0); err != nil {
			return 0, err
		}
		total += rows
	}
	return total, a.mergeEvents(ctx, t)
}

// redefine records the definition that the target has now.
func (a *Applier) redefine(ctx context.Context, t *target) error {
	text, err := json.Marshal(t.Target.definition())
	if err != nil {
		return fmt.Errorf("encode definition: %w", err)
	}
	query := fmt.Sprintf(`UPDATE %s SET kind = $2, in_order = $3, definition = $4, forgotten = NULL, late_beyond_window = 0 WHERE id = $1`, a.state.table("target"))
	if _, err := a.conn.Exec(ctx, query, t.id, t.Kind.String(), t.direct, string(text)); err != nil {
		return fmt.Errorf("record target: %w", err)
	}
	return nil
}

// recordRefresh also lets go of flows that are no longer declared, and of those that
// bring snapshots: if one returns, it begins as if it were new.
func (a *Applier) recordRefresh(ctx context.Context, t *target, at Point) error {
	var names []string
	for _, f := range t.flows {
		if err := a.recordCopy(ctx, f, at); err != nil {
			return err
		}
		names = append(names, f.Name)
	}
	query := fmt.Sprintf(`DELETE FROM %s WHERE target_id = $1 AND flow <> ALL ($2)`, a.state.table("flow"))
	if _, err := a.conn.Exec(ctx, query, t.id, names); err != nil {
		return fmt.Errorf("record flows: %w", err)
	}
	return nil
}
