package merge

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pglogrepl"
)

// errAway says that a flow missed changes while it was not in the files.
var errAway = errors.New("the flow was not in the files for a while, and what changed meanwhile was not read")

// recordFlows reads what is known of the flows, records the new ones, carries on
// those that have another name now, and marks those that are gone.
func (a *Applier) recordFlows(ctx context.Context) error {
	known, err := a.knownFlows(ctx)
	if err != nil {
		return err
	}
	for _, f := range a.flows {
		s, ok := known[f.Name]
		if !ok {
			if s, ok, err = a.renamed(ctx, f, known); err != nil {
				return err
			}
		}
		if !ok {
			if err := a.recordFlow(ctx, f); err != nil {
				return err
			}
			continue
		}
		if err := f.sameAs(s); err != nil {
			return err
		}
		if f.restore(s, a.checkpoint); f.err != nil {
			if err := a.recordError(ctx, f.Name, f.err); err != nil {
				return err
			}
		}
	}
	if err := a.loadPoints(ctx); err != nil {
		return err
	}
	if len(a.cfg.Refresh) > 0 || a.snapshot {
		return nil // only some flows are here
	}
	return a.orphan(ctx, known)
}

func (a *Applier) recordFlow(ctx context.Context, f *flow) error {
	f.status = NeedsCopy
	if f.NoCopy {
		f.status, f.pos = Streaming, a.checkpoint
	}
	query := fmt.Sprintf(`INSERT INTO %s (pipeline, flow, source, source_table, target_id, status, fence) VALUES ($1, $2, $3, $4, $5, $6, $7)`, a.state.table("flow"))
	_, err := a.conn.Exec(ctx, query, a.cfg.Pipeline, f.Name, a.cfg.Source, f.reads(), f.target.id, f.status, a.state.fence)
	if err != nil {
		return fmt.Errorf("record flow %q: %w", f.Name, err)
	}
	return nil
}

// recordError records what keeps a flow from going on, whatever its status.
func (a *Applier) recordError(ctx context.Context, flow string, cause error) error {
	query := fmt.Sprintf(`UPDATE %s SET error = $3, error_at = now() WHERE pipeline = $1 AND flow = $2`, a.state.table("flow"))
	if _, err := a.conn.Exec(ctx, query, a.cfg.Pipeline, flow, cause.Error()); err != nil {
		return fmt.Errorf("record the error of flow %q: %w", flow, err)
	}
	return nil
}

// renamed looks for a flow that is gone and did the same under another name. Flows that
// append ONCE are known by their names alone: whether the queries of two give the same
// rows cannot be told.
func (a *Applier) renamed(ctx context.Context, f *flow, known map[string]FlowState) (FlowState, bool, error) {
	for name, s := range known {
		once := f.Target.Kind == Append && (f.Once || s.Status == Done)
		if once || a.find(name) != nil || s.Source != a.cfg.Source || f.sameAs(s) != nil {
			continue
		}
		query := fmt.Sprintf(`UPDATE %s SET flow = $3 WHERE pipeline = $1 AND flow = $2`, a.state.table("flow"))
		if _, err := a.conn.Exec(ctx, query, a.cfg.Pipeline, name, f.Name); err != nil {
			return s, false, fmt.Errorf("rename flow %q to %q: %w", name, f.Name, err)
		}
		delete(known, name)
		return s, true, nil
	}
	return FlowState{}, false, nil
}

// sameAs refuses to go on where a flow of the same name did something else.
func (f *flow) sameAs(s FlowState) error {
	from := s.Source == f.Source || f.Feed == Snapshot // where it comes from next time is its own affair
	if from && s.Table == f.reads() && s.target == f.target.Name {
		return nil
	}
	return &FlowError{
		Flow: f.Name, Target: f.target.Name.String(),
		Err:  fmt.Errorf("it reads %s now, but was deployed reading %s into %s", origin(f.Source, f.reads()), origin(s.Source, s.Table), s.Target),
		Hint: "give the new flow another name and another target, or take the change back",
	}
}

// reads is the table that a flow reads, empty for snapshots.
func (f *Flow) reads() string {
	if f.Feed == Snapshot {
		return ""
	}
	return f.Rel.Name.String()
}

// origin says what a flow reads, for people.
func origin(source, table string) string {
	if table == "" {
		return "snapshots"
	}
	return source + "." + table
}

// orphan marks the flows of this source that left the files.
func (a *Applier) orphan(ctx context.Context, known map[string]FlowState) error {
	for name, s := range known {
		if s.Source != a.cfg.Source || s.Table == "" || s.Status == Orphaned || s.Status == Done || a.find(name) != nil {
			continue
		}
		query := fmt.Sprintf(`UPDATE %s SET status = $3, position = COALESCE(position, $4::pg_lsn), stamp = COALESCE(stamp, $5) WHERE pipeline = $1 AND flow = $2`, a.state.table("flow"))
		if _, err := a.conn.Exec(ctx, query, a.cfg.Pipeline, name, Orphaned, a.checkpoint.String(), a.stamp); err != nil {
			return fmt.Errorf("mark flow %q as orphaned: %w", name, err)
		}
		a.cfg.Log.Warn("flow is not in the files any more; its table is not read", "flow", name)
	}
	return nil
}

func (a *Applier) knownFlows(ctx context.Context) (map[string]FlowState, error) {
	list, err := (&State{conn: a.conn, schema: a.state.schema}).Flows(ctx, a.cfg.Pipeline)
	if err != nil {
		return nil, err
	}
	known := map[string]FlowState{}
	for _, f := range list {
		known[f.Name] = f
	}
	return known, nil
}

func (f *flow) restore(s FlowState, checkpoint pglogrepl.LSN) {
	f.status, f.pos, f.stamp, f.own = s.Status, s.Position, s.Stamp, s.Position != 0
	if f.pos == 0 {
		f.pos = checkpoint
	}
	switch {
	case f.Once && f.status == Streaming, !f.Once && f.status == Done:
		f.status = map[bool]FlowStatus{true: Done, false: Orphaned}[f.Once] // ONCE came, or went
	case f.status == Stopped:
		f.status = Streaming // the cause may be gone; if not it stops again
	}
	if f.status == Orphaned {
		f.err = &FlowError{
			Flow: f.Name, Target: f.target.Name.String(), Err: errAway,
			Hint: fmt.Sprintf("autocdc refresh %s --full", typed(f.target.Name)),
		}
	}
}
