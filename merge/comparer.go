package merge

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/merge/sqlgen"
	"github.com/autocdc/autocdc/schema"
)

// ComparerConfig is what NewComparer needs.
type ComparerConfig struct {
	DSN      string
	State    *State // locked; used by NewComparer only, for its schema and fence
	Pipeline string
	Flow     *Flow // reads snapshots
	Log      *slog.Logger
	Observer Observer
	// Refresh says that Rebuild will be called: the deployed definition may differ,
	// and the target is left as it is until then.
	Refresh bool
}

// Comparer stages the snapshots of one flow on the target, and turns what differs
// into changes. Its methods are for one goroutine.
type Comparer struct {
	a     *Applier
	id    int64
	last  string // version of the last snapshot
	state FlowStatus
}

// NewComparer makes the target if it is missing and records the flow.
func NewComparer(ctx context.Context, cfg ComparerConfig) (*Comparer, error) {
	gen, err := sqlgen.New()
	if err != nil {
		return nil, err
	}
	conn, err := Connect(ctx, cfg.DSN)
	if err != nil {
		return nil, err
	}
	a := &Applier{
		cfg: ApplierConfig{
			DSN: cfg.DSN, State: cfg.State, Pipeline: cfg.Pipeline, Source: cfg.Flow.Source, Flows: []*Flow{cfg.Flow}, Log: cfg.Log, Observer: cfg.Observer,
		},
		state: cfg.State, conn: conn, gen: gen, byName: map[schema.Name][]*flow{}, snapshot: true,
	}
	if cfg.Refresh {
		a.cfg.Refresh = []schema.Name{cfg.Flow.Target.Name}
	}
	a.arrange()
	c := &Comparer{a: a}
	if err := c.open(ctx); err != nil {
		_ = conn.Close(ctx)
		return nil, err
	}
	return c, nil
}

func (c *Comparer) open(ctx context.Context) error {
	if err := c.a.deploy(ctx); err != nil {
		return err
	}
	query := fmt.Sprintf(`SELECT id, COALESCE(version, ''), status FROM %s WHERE pipeline = $1 AND flow = $2`, c.a.state.table("flow"))
	if err := c.a.conn.QueryRow(ctx, query, c.a.cfg.Pipeline, c.flow().Name).Scan(&c.id, &c.last, &c.state); err != nil {
		return fmt.Errorf("read state of flow %q: %w", c.flow().Name, err)
	}
	return nil
}

func (c *Comparer) flow() *flow { return c.a.flows[0] }

// Last is the version of the last snapshot that was applied, empty before the first.
func (c *Comparer) Last() string { return c.last }

// Done says that the flow ran ONCE and has come to its end.
func (c *Comparer) Done() bool { return c.state == Done }

// Above tells whether a version comes after another, in the type of the target's
// sequence; every version does after none.
func (c *Comparer) Above(ctx context.Context, version, last string) (above bool, err error) {
	if last == "" {
		return true, nil
	}
	kind := c.flow().target.table.SequenceType()
	query := fmt.Sprintf("SELECT CAST($1::text AS %s) > CAST($2::text AS %s)", kind, kind)
	if err := c.a.conn.QueryRow(ctx, query, version, last).Scan(&above); err != nil {
		return false, fmt.Errorf("compare versions %s and %s: %w", version, last, err)
	}
	return above, nil
}

// Stage writes a snapshot's rows into a table of its own on the target, in the
// order of the flow's columns, and returns it ready for Compare. fill brings them:
// with copy, which streams rows in COPY's text format, or with insert, which takes
// the rows of a query on the target. An error leaves nothing behind.
func (c *Comparer) Stage(ctx context.Context, version string, fill func(ctx context.Context, w Filler) (int64, error)) (*Staged, error) {
	s := &Staged{Flow: c.flow().Flow, Version: version, stage: sqlgen.SnapshotStage(c.a.state.schema, strconv.FormatInt(c.id, 10))}
	plan := c.flow().target.snapshot(s)
	create, err := c.a.gen.Compare("snapshot_stage", plan)
	if err != nil {
		return nil, err
	}
	err = c.a.transact(ctx, func() error {
		if err := c.a.execAll(ctx, []string{"DROP TABLE IF EXISTS " + s.stage.String(), create}); err != nil {
			return fmt.Errorf("make stage of flow %q: %w", s.Flow.Name, err)
		}
		s.Rows, err = fill(ctx, Filler{c.a, s, plan})
		return err
	})
	if err != nil {
		return nil, err
	}
	failpoint.Pass(failpoint.SnapshotStaged)
	return s, nil
}

func namesOf(columns []sqlgen.Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = string(c.Name)
	}
	return names
}

// Apply compares a staged snapshot and removes its stage.
func (c *Comparer) Apply(ctx context.Context, s *Staged) (Compared, error) {
	done, err := c.a.Compare(ctx, s)
	if err != nil {
		return done, err
	}
	return done, c.Applied(ctx, s)
}

// Applied takes note of a snapshot that an Applier has compared.
func (c *Comparer) Applied(ctx context.Context, s *Staged) error {
	c.last = s.Version
	return c.Discard(ctx, s)
}

// Discard removes a stage.
func (c *Comparer) Discard(ctx context.Context, s *Staged) error {
	if _, err := c.a.conn.Exec(ctx, "DROP TABLE IF EXISTS "+s.stage.String()); err != nil {
		return fmt.Errorf("remove stage of flow %q: %w", s.Flow.Name, err)
	}
	return nil
}

// Skip counts a snapshot whose version was not above the last.
func (c *Comparer) Skip(ctx context.Context) error {
	return c.update(ctx, "skipped = skipped + 1")
}

// Finish marks a flow that runs ONCE as done.
func (c *Comparer) Finish(ctx context.Context) error {
	if err := c.update(ctx, "status = $3, error = NULL, error_at = NULL", Done); err != nil {
		return err
	}
	c.state = Done
	return nil
}

// Stop records what keeps the flow from its next snapshot.
func (c *Comparer) Stop(ctx context.Context, cause error) error {
	return c.update(ctx, "error = $3, error_at = now()", cause.Error())
}

func (c *Comparer) update(ctx context.Context, set string, args ...any) error {
	return c.a.transact(ctx, func() error {
		query := fmt.Sprintf(`UPDATE %s SET %s WHERE pipeline = $1 AND flow = $2`, c.a.state.table("flow"), set)
		if _, err := c.a.conn.Exec(ctx, query, append([]any{c.a.cfg.Pipeline, c.flow().Name}, args...)...); err != nil {
			return fmt.Errorf("record state of flow %q: %w", c.flow().Name, err)
		}
		return nil
	})
}

// Close releases the connection.
func (c *Comparer) Close() error { return c.a.Close() }

// Rebuild empties the target and lets bring fill it with Stage and Apply, all in one
// transaction: until the end others see what was there. If the definition has changed,
// another table takes its place. Other flows that append to the target are forgotten:
// they begin as if they were new.
func (c *Comparer) Rebuild(ctx context.Context, bring func(ctx context.Context) error) error {
	t := c.flow().target
	name := t.Name
	if t.known == nil {
		return fmt.Errorf("rebuild %s: it was not announced", name)
	}
	err := c.a.transact(ctx, func() error {
		c.a.held = true
		defer func() { c.a.held = false }()
		c.last = ""
		if err := c.alone(ctx); err != nil {
			return err
		}
		return c.a.rebuild(ctx, t, bring)
	})
	if err != nil {
		return t.refreshError(name, err)
	}
	return nil
}

// alone forgets the other flows that append to the target.
func (c *Comparer) alone(ctx context.Context) error {
	t := c.flow().target
	if t.Kind != Append {
		return nil
	}
	query := fmt.Sprintf(`DELETE FROM %s WHERE target_id = $1 AND pipeline = $2 AND source = $3 AND flow <> $4`, c.a.state.table("flow"))
	if _, err := c.a.conn.Exec(ctx, query, t.id, c.a.cfg.Pipeline, c.a.cfg.Source, c.flow().Name); err != nil {
		return fmt.Errorf("record flows: %w", err)
	}
	return nil
}
