package autocdc

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/replication"
)

// rested tells whether all flows of the source run ONCE and have done so. A source
// of which nothing is awaited any more must not keep WAL: it has no slot.
func (s *sourceRun) rested(ctx context.Context, conn *pgx.Conn) (bool, error) {
	if done, err := s.finished(ctx); err != nil || !done {
		return false, err
	}
	return true, s.dropSlot(ctx, conn)
}

func (s *sourceRun) finished(ctx context.Context) (bool, error) {
	if slices.ContainsFunc(s.flows, func(f *merge.Flow) bool { return !f.Once }) {
		return false, nil
	}
	var states []merge.FlowState
	_, err := s.keeper.use(ctx, func(state *merge.State) (err error) {
		states, err = state.Flows(ctx, s.Name)
		return err
	})
	if err != nil {
		return false, err
	}
	for _, f := range s.flows {
		if !slices.ContainsFunc(states, func(st merge.FlowState) bool { return st.Name == f.Name && st.Status == merge.Done }) {
			return false, nil
		}
	}
	return true, nil
}

// rest gives the slot up; a flow that is added later makes another.
func (s *sourceRun) rest(ctx context.Context, conn *pgx.Conn) error {
	known, err := s.remembered(ctx)
	if err != nil {
		return err
	}
	known.Checkpoint = 0
	if err := s.save(ctx, *known); err != nil {
		return err
	}
	s.log.Info("all flows of the source run once and have done so")
	return s.dropSlot(ctx, conn)
}

func (s *sourceRun) dropSlot(ctx context.Context, conn *pgx.Conn) error {
	return replication.DropSlot(ctx, conn, s.slot(s.source.Name))
}
