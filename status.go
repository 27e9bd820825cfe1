package autocdc

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/replication"
	"github.com/autocdc/autocdc/schema/catalog"
)

// Status is what a target remembers of a pipeline, compared with its sources.
type Status struct {
	Pipeline string         `json:"pipeline"`
	Sources  []SourceStatus `json:"sources"`
	// Snapshots are the flows that compare snapshots, wherever they come from.
	Snapshots []FlowStatus `json:"snapshots,omitempty"`
}

// SourceStatus is one source. Fields that could not be found out are zero, and
// Error says why.
type SourceStatus struct {
	Name       string       `json:"name"`
	Slot       string       `json:"slot"`
	Active     bool         `json:"active"`      // a run reads the slot
	Checkpoint string       `json:"checkpoint"`  // end of the last commit applied
	AppliedAt  *time.Time   `json:"applied_at"`  // __commit_ts of that commit
	LagBytes   int64        `json:"lag_bytes"`   // WAL written since
	LagSeconds float64      `json:"lag_seconds"` // since that commit, 0 without lag in bytes
	Retained   int64        `json:"retained_bytes"`
	Error      string       `json:"error,omitempty"`
	Flows      []FlowStatus `json:"flows"`
}

// FlowStatus is one flow.
type FlowStatus struct {
	Name     string `json:"name"`
	Target   string `json:"target"`
	Status   string `json:"status"`
	Position string `json:"position,omitempty"` // if it is not its source's
	// PartlyCopied says that the copy was interrupted: the target lacks rows, and what
	// it has is of several moments.
	PartlyCopied bool       `json:"partly_copied,omitempty"`
	Error        string     `json:"error,omitempty"`
	ErrorAt      *time.Time `json:"error_at,omitempty"`
	// LateBeyondWindow counts the target's events that came when what they needed
	// had been forgotten.
	LateBeyondWindow int64 `json:"late_beyond_window"`
	// Of flows that compare snapshots: where those come from, the version of the
	// last one, and how many came with a version not above the last.
	Source  string `json:"source,omitempty"`
	Version string `json:"version,omitempty"`
	Skipped int64  `json:"skipped,omitempty"`
	// Expectations are the constraints of the target that have been tested.
	Expectations []ExpectationStatus `json:"expectations,omitempty"`
}

// ExpectationStatus counts the rows that a flow brought, by whether they were what
// CONSTRAINT … EXPECT says, since the flow's first run.
type ExpectationStatus struct {
	Name   string `json:"name"`
	Passed int64  `json:"passed"`
	Failed int64  `json:"failed"`
}

// Status reads the state on the target and the positions of the sources. It
// changes nothing. A source that cannot be reached is no error.
func (p *Pipeline) Status(ctx context.Context) (*Status, error) {
	p = p.withDefaults()
	state, err := merge.ReadState(ctx, p.Target, p.MetadataSchema)
	if err != nil {
		return nil, connectError(err, p.Target)
	}
	out := &Status{Pipeline: p.Name}
	if state == nil {
		return out, nil
	}
	defer state.Close()
	flows, err := state.Flows(ctx, p.Name)
	if err != nil {
		return nil, err
	}
	for _, f := range flows {
		if f.Table == "" {
			s := flowStatus(f)
			s.Source, s.Version, s.Skipped = f.Source, f.Version, f.Skipped
			out.Snapshots = append(out.Snapshots, s)
		}
	}
	for _, src := range p.allSources() {
		known, err := state.Source(ctx, p.Name, src.Name)
		if err != nil {
			return nil, err
		}
		if known != nil {
			out.Sources = append(out.Sources, sourceStatus(ctx, src, known, flows))
		}
	}
	return out, nil
}

func sourceStatus(ctx context.Context, src Source, known *merge.SourceState, flows []merge.FlowState) SourceStatus {
	s := SourceStatus{Name: src.Name, Slot: known.Slot, Checkpoint: known.Checkpoint.String(), AppliedAt: moment(known.Stamp)}
	for _, f := range flows {
		if f.Source == src.Name && f.Table != "" {
			s.Flows = append(s.Flows, flowStatus(f))
		}
	}
	if err := s.compare(ctx, src, known); err != nil {
		s.Error = err.Error()
	}
	return s
}

func flowStatus(f merge.FlowState) FlowStatus {
	out := FlowStatus{Name: f.Name, Target: f.Target, Status: string(f.Status), Error: f.Error, ErrorAt: moment(f.ErrorAt), LateBeyondWindow: f.LateBeyondWindow}
	for _, e := range f.Expected {
		out.Expectations = append(out.Expectations, ExpectationStatus(e))
	}
	if f.Position != 0 {
		out.Position = f.Position.String()
		out.PartlyCopied = f.Status == merge.NeedsCopy
	}
	return out
}

// moment is nil for a time that was never set.
func moment(t time.Time) *time.Time {
	if t.Unix() <= 0 {
		return nil
	}
	t = t.UTC()
	return &t
}

// compare asks the source how far it is.
func (s *SourceStatus) compare(ctx context.Context, src Source, known *merge.SourceState) error {
	conn, err := catalog.Connect(ctx, src.DSN)
	if err != nil {
		return fmt.Errorf("reach source %q: %w", src.Name, connectError(err, src.DSN))
	}
	defer closeConn(conn)
	end, err := endOfWAL(ctx, conn)
	if err != nil {
		return err
	}
	slot, err := replication.LookupSlot(ctx, conn, known.Slot)
	if err != nil {
		return err
	}
	if slot == nil {
		return fmt.Errorf("slot %q is gone", known.Slot)
	}
	s.Active = slot.Active
	s.Retained = distance(slot.RestartLSN, end)
	if s.LagBytes = distance(max(known.Checkpoint, slot.ConfirmedLSN), end); s.LagBytes > 0 && s.AppliedAt != nil {
		s.LagSeconds = time.Since(*s.AppliedAt).Seconds()
	}
	return nil
}

func distance(from, to pglogrepl.LSN) int64 {
	if to <= from {
		return 0
	}
	return int64(to - from)
}
