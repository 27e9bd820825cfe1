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
// and brings it again with the next run; or at once, if it is one that appends.
func (r *run) refreshSnapshots(ctx context.Context, plan *Plan, targets []schema.Name) error {
	var errs []error
	alone, _ := r.snapshotRuns(plan)
	for _, s := range alone {
		if !slices.Contains(targets, s.flow.Target.Name) {
			continue
		}
		others := slices.ContainsFunc(plan.Flows, func(f *merge.Flow) bool { return f.Target == s.flow.Target && f != s.flow })
		s.accept = true // nothing is there to be deleted
		switch {
		case !others || s.flow.Target.Kind == merge.Append && s.flow == plan.firstInto(s.flow.Target):
			errs = append(errs, s.rebuild(ctx))
		case s.flow.Target.Kind == merge.Append: // it has been forgotten
			errs = append(errs, s.attempt(ctx))
		}
	}
	return joined(errs)
}

// firstInto is the flow that empties a target which flows append to: one that reads a
// feed, if there is any.
func (p *Plan) firstInto(t *merge.Target) *merge.Flow {
	var first *merge.Flow
	for _, f := range p.Flows {
		if f.Target == t && (first == nil || first.Feed == merge.Snapshot && f.Feed != merge.Snapshot) {
			first = f
		}
	}
	return first
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
