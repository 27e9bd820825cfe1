package autocdc

import (
	"context"
	"errors"
	"slices"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
)

// refreshSnapshots rebuilds the targets that snapshots alone feed. One that changes
// feed as well has been rebuilt from those; its flow has forgotten what it brought,
// and brings it again with the next run.
func (r *run) refreshSnapshots(ctx context.Context, plan *Plan, targets []schema.Name) error {
	var errs []error
	alone, _ := r.snapshotRuns(plan)
	for _, s := range alone {
		others := slices.ContainsFunc(plan.Flows, func(f *merge.Flow) bool { return f.Target == s.flow.Target && f != s.flow })
		if !slices.Contains(targets, s.flow.Target.Name) || others {
			continue
		}
		s.accept = true // nothing is there to be deleted
		errs = append(errs, s.rebuild(ctx))
	}
	return joined(errs)
}

// rebuild brings all snapshots that there are, in one target transaction.
func (s *snapshotRun) rebuild(ctx context.Context) (err error) {
	c, err := s.comparer(ctx, true)
	if err != nil {
		return err
	}
	f := s.decl.newFeed(s.place(s.decl, nil))
	defer func() { err = errors.Join(err, f.Close(), c.Close()) }()
	return c.Rebuild(ctx, func(ctx context.Context) error {
		if err := s.available(ctx, f, c); err != nil || !s.flow.Once {
			return err
		}
		return c.Finish(ctx)
	})
}
