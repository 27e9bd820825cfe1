package merge

import (
	"context"
	"errors"
	"fmt"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/schema"
)

// expect notes what is deployed of a target that will be refreshed.
func (t *target) expect(known *deployedTarget) error {
	if known == nil {
		return errors.New("it was never deployed: there is nothing to refresh")
	}
	t.id, t.known = known.id, known
	return nil
}

// Refresh rebuilds a target that ApplierConfig.Refresh names from the sources of
// all its flows, in one transaction, as Copy would fill it; read belongs to the
// snapshot at. Until the commit others see what was there. A table that fits keeps
// its indexes, grants and views; if the definition has changed, another takes its
// name, which waits until nobody reads the old one. What was remembered for late
// events is forgotten, and the flows go on at the point.
func (a *Applier) Refresh(ctx context.Context, name schema.Name, at Point, read reader) (rows int64, err error) {
	t := a.refreshed(name)
	if t == nil {
		return 0, fmt.Errorf("refresh %s: not a target to be refreshed by this applier", name)
	}
	err = a.transact(ctx, func() error {
		return a.rebuild(ctx, t, func(ctx context.Context) error {
			if rows, err = a.copyTarget(ctx, t, at, read); err != nil {
				return err
			}
			failpoint.Pass(failpoint.RefreshFilled)
			return a.recordRefresh(ctx, t, at)
		})
	})
	if err != nil {
		return 0, t.refreshError(name, err)
	}
	failpoint.Pass(failpoint.Refreshed)
	for _, f := range t.flows {
		f.status, f.pos, f.stamp, f.own, f.err, f.points = f.copied(), at.LSN, at.Stamp, true, nil, nil
	}
	return rows, nil
}

func (a *Applier) refreshed(name schema.Name) *target {
	for _, t := range a.targets {
		if t.Name == name && t.known != nil {
			return t
		}
	}
	return nil
}

// refreshError says the target's own name also where another stands in for it.
func (t *target) refreshError(name schema.Name, err error) error {
	t.call(name)
	var fe *FlowError
	if errors.As(err, &fe) {
		fe.Target = name.String()
		return fe
	}
	return fmt.Errorf("refresh %s: %w", name, err)
}

// call gives the target, and with it its flows, a name.
func (t *target) call(name schema.Name) {
	plan := *t.Target
	plan.Name = name
	t.Target = &plan
	for _, f := range t.flows {
		flow := *f.Flow
		flow.Target = t.Target
		f.Flow = &flow
	}
	if t.table != nil {
		t.table.Target = name
	}
}

// rebuild empties the target, or makes another in its place, and lets content fill
// it.
func (a *Applier) rebuild(ctx context.Context, t *target, content func(ctx context.Context) error) error {
	if err := a.lockTarget(ctx, t); err != nil {
		return err
	}
	if err := a.alone(ctx, t); err != nil {
		return err
	}
	t.table = t.Target.table(t.id, a.state.schema)
	fits, err := a.fits(ctx, t)
	if err != nil {
		return err
	}
	if !fits {
		return a.replace(ctx, t, content)
	}
	if _, err := a.conn.Exec(ctx, "DELETE FROM "+t.Name.String()); err != nil {
		return fmt.Errorf("empty the target: %w", err)
	}
	return a.fill(ctx, t, func(ctx context.Context) error {
		if err := a.feedChanges(ctx, t); err != nil {
			return err
		}
		return content(ctx)
	})
}

// alone refuses a target that flows of another pipeline feed.
func (a *Applier) alone(ctx context.Context, t *target) error {
	query := fmt.Sprintf("SELECT min(pipeline) FROM %s WHERE target_id = $1 AND (pipeline, source) <> ($2, $3)", a.state.table("flow"))
	var other *string
	if err := a.conn.QueryRow(ctx, query, t.id, a.cfg.Pipeline, a.cfg.Source).Scan(&other); err != nil {
		return fmt.Errorf("look for other flows of the target: %w", err)
	}
	if other != nil {
		return fmt.Errorf("flows of another source or pipeline (%q) feed it: what they brought would be lost", *other)
	}
	return nil
}

// fits tells whether the deployed table can hold what the target is now.
func (a *Applier) fits(ctx context.Context, t *target) (bool, error) {
	have, err := readColumns(ctx, a.conn, t.Name)
	if err != nil || len(have) == 0 || len(t.differences(t.known.definition)) > 0 {
		return false, err
	}
	for _, c := range t.Columns {
		if got, ok := have[c.Name]; ok && !holds(got.Type, c.Type) {
			return false, nil
		}
	}
	for _, name := range t.systemColumns() {
		if _, ok := have[name]; !ok {
			return false, nil
		}
	}
	return true, nil
}

// holds tells whether a column of one type can take all values of another.
func holds(column, value string) bool {
	return column == value || column == "text" || widens(value, column)
}
