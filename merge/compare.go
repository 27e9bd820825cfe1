package merge

import (
	"context"
	"fmt"
	"time"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/merge/sqlgen"
	"github.com/autocdc/autocdc/schema"
)

// Staged is a snapshot whose rows are in its stage on the target, ready to be
// compared.
type Staged struct {
	Flow    *Flow
	Version string // text of the type of the target's sequence; above the last one
	Rows    int64  // of the snapshot, of which only some may have come
	// AcceptDeletes lets it delete whatever it lacks.
	AcceptDeletes bool

	stage   schema.Name
	buckets int64 // of keys; the stage has the rows of those that differ; 0: all rows
}

// Compared is what a snapshot changed.
type Compared struct{ Upserts, Deletes int64 }

// Compare brings a staged snapshot into its target, in one transaction with its
// version. A *FlowError says what is wrong with the snapshot; nothing of it is
// applied then.
func (a *Applier) Compare(ctx context.Context, s *Staged) (done Compared, err error) {
	t := a.targetOf(s.Flow)
	if t == nil {
		return done, fmt.Errorf("compare snapshot of flow %q: not a target of this applier", s.Flow.Name)
	}
	began := time.Now()
	c := &comparison{Applier: a, target: t, staged: s, plan: t.snapshot(s)}
	err = a.transact(ctx, func() error {
		if done, err = c.apply(ctx); err != nil {
			return err
		}
		failpoint.Pass(failpoint.SnapshotMerged)
		return c.record(ctx)
	})
	if err != nil {
		return Compared{}, c.blame(err)
	}
	failpoint.Pass(failpoint.SnapshotApplied)
	a.reportSnapshot(s.Flow, done, time.Since(began))
	return done, nil
}

func (a *Applier) targetOf(f *Flow) *target {
	for _, t := range a.targets {
		if t.Target == f.Target {
			return t
		}
	}
	return nil
}

func (a *Applier) reportSnapshot(f *Flow, done Compared, took time.Duration) {
	counts := Counts{Upserts: done.Upserts, Deletes: done.Deletes, Expected: a.tellExpected(f.Name)}
	if a.cfg.Observer != nil {
		a.cfg.Observer.Applied(map[string]Counts{f.Name: counts}, 0, 0, took, time.Now())
	}
}

// comparison is one snapshot on its way into a target.
type comparison struct {
	*Applier
	target *target
	staged *Staged
	plan   sqlgen.Snapshot
}

// snapshot is what the comparing statements need.
func (t *target) snapshot(s *Staged) sqlgen.Snapshot {
	plan := sqlgen.Snapshot{Table: t.table, Stage: s.stage, Late: !t.direct, Buckets: s.buckets}
	for i, c := range t.table.Columns {
		if s.Flow.Columns[i] != "" {
			plan.Carried = append(plan.Carried, c)
		}
	}
	plan.Partial, plan.Expectations = t.Partial, expectations(s.Flow.Expectations)
	plan.Whole = t.Partial || t.Kind == SCD2 && t.Track != nil || t.Kind == SCD1 && t.Several
	return plan
}

// blame makes an error of the snapshot's own one of its flow.
func (c *comparison) blame(err error) error {
	if isFlowError(err) || !dataFault(err) {
		return err
	}
	return c.fault(err, "")
}

func (c *comparison) fault(cause error, hint string) error {
	if c.target.Kind == Append {
		return &FlowError{Flow: c.staged.Flow.Name, Target: c.target.Name.String(), Hint: hint, Err: cause}
	}
	return &FlowError{
		Flow: c.staged.Flow.Name, Target: c.target.Name.String(), Hint: hint,
		Err: fmt.Errorf("snapshot of version %s: %w", c.staged.Version, cause),
	}
}

func (c *comparison) apply(ctx context.Context) (Compared, error) {
	if c.target.Kind == Append {
		if err := c.expectSnapshot(ctx); err != nil {
			return Compared{}, err
		}
		return c.appendStaged(ctx)
	}
	if !c.target.direct {
		if err := c.lockTarget(ctx, c.target); err != nil {
			return Compared{}, err
		}
	}
	if err := c.emptyStage(ctx); err != nil {
		return Compared{}, err
	}
	if err := c.expectSnapshot(ctx); err != nil {
		return Compared{}, err
	}
	if err := c.diff(ctx); err != nil {
		return Compared{}, err
	}
	done, err := c.guard(ctx)
	if err != nil {
		return done, err
	}
	return done, c.merge(ctx, done)
}

// emptyStage makes the session's tables, or empties them of a snapshot that the same
// transaction has compared.
func (c *comparison) emptyStage(ctx context.Context) error {
	t := c.target
	if !c.held || !t.staged {
		return c.ready(ctx, t)
	}
	tables := []schema.Name{t.table.Events()}
	if t.Kind == SCD2 {
		tables = append(tables, t.table.Step(), t.table.Run())
	}
	if t.folds {
		tables = append(tables, t.table.Late(), t.table.Fold(), t.table.FoldStep(), t.table.FoldRun())
	}
	for _, name := range tables {
		if _, err := c.conn.Exec(ctx, "TRUNCATE "+name.String()); err != nil {
			return fmt.Errorf("empty stage of %s: %w", t.Name, err)
		}
	}
	return nil
}

// merge brings the events of the comparison into the target.
func (c *comparison) merge(ctx context.Context, done Compared) error {
	if done == (Compared{}) && c.target.direct {
		return nil
	}
	if c.target.direct {
		return c.mergeDirect(ctx, c.target, sqlgen.Variant{Partial: c.plan.Missing() != ""}, false, "")
	}
	if err := c.mergeEvents(ctx, c.target); err != nil {
		return err
	}
	_, err := c.exec(ctx, "snapshot_floor", c.staged.Version)
	return err
}

// record writes how far the flow has come.
func (c *comparison) record(ctx context.Context) error {
	status := Comparing
	switch {
	case c.target.Kind == Append:
		status = Done // with the rows, which must not come twice
	case c.staged.Flow.Once:
		status = NeedsCopy // until its end, which Finish marks
	}
	query := fmt.Sprintf(`UPDATE %s SET version = $3, status = $4, error = NULL, error_at = NULL WHERE pipeline = $1 AND flow = $2`, c.state.table("flow"))
	if _, err := c.conn.Exec(ctx, query, c.cfg.Pipeline, c.staged.Flow.Name, c.staged.Version, status); err != nil {
		return fmt.Errorf("record snapshot: %w", err)
	}
	return nil
}

// CompareAt is Compare for a snapshot that shows exactly what the applier has
// applied, the last commit of which is at the point: that is its version. It refuses
// one whose target does not have all of it, since a flow is stopped or behind.
func (a *Applier) CompareAt(ctx context.Context, s *Staged, at Point) (Compared, error) {
	t := a.targetOf(s.Flow)
	if t == nil {
		return Compared{}, fmt.Errorf("compare snapshot of flow %q: not a target of this applier", s.Flow.Name)
	}
	s.Version = stampText(at.Stamp)
	if t.Kind == SCD1 {
		s.Version = at.LSN.String()
	}
	for _, f := range t.flows {
		if f.Feed != Snapshot && f.status != Streaming && f.status != Done {
			return Compared{}, &FlowError{
				Flow: s.Flow.Name, Target: t.Name.String(), Hint: "let that flow go on first; autocdc status says what keeps it",
				Err: fmt.Errorf("flow %q has not applied what the snapshot shows: it is in the state %q", f.Name, f.status),
			}
		}
	}
	return a.Compare(ctx, s)
}
