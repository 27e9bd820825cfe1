package autocdc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
)

// RefreshOptions say what Refresh rebuilds.
type RefreshOptions struct {
	// Targets are names as in a flow file; the schema may be left out where no
	// other target has the name.
	Targets []string
	// Confirm is asked before anything changes, with a description of what will
	// happen; its error ends the call. Nil: nobody is asked.
	Confirm func(what string) error
}

// Refresh rebuilds targets from their sources, each in one target transaction:
// until it commits, readers see the old rows. The definition of a target may have
// changed since it was deployed. The next run goes on after the point of the copy.
// Refresh returns a *FaultsError if the flow files have faults, and a
// *merge.RunningError while a run lives.
func (p *Pipeline) Refresh(ctx context.Context, opts RefreshOptions) error {
	r := &run{Pipeline: p.withDefaults(), opts: RunOptions{Triggered: true}, metrics: newMetrics(), started: time.Now()}
	r.ready = newReadiness(r.sourceNames())
	r.keeper = &keeper{dsn: r.Target, metadata: r.MetadataSchema, pipeline: r.Name, log: r.Log}
	targets, err := r.resolve(opts.Targets)
	if err != nil {
		return err
	}
	plan, err := r.check(ctx, true)
	if err != nil {
		return err
	}
	chosen := plan.into(targets)
	if err := errors.Join(r.refreshable(ctx, chosen), plan.linked(targets)); err != nil {
		return withHint(err)
	}
	if opts.Confirm != nil {
		if err := opts.Confirm(describe(targets, chosen)); err != nil {
			return err
		}
	}
	return withHint(r.refresh(ctx, plan, targets))
}

// into returns the flows that feed targets.
func (p *Plan) into(targets []schema.Name) []*merge.Flow {
	return slices.DeleteFunc(slices.Clone(p.Flows), func(f *merge.Flow) bool { return !slices.Contains(targets, f.Target.Name) })
}

// linked refuses to put another table in the place of a target that other flows read,
// unless theirs are rebuilt from it: what it is filled with is no change of it.
func (p *Plan) linked(targets []schema.Name) error {
	for _, f := range p.Flows {
		if f.Source == targetSource && p.decls[f.Name].chained && p.redefined[f.Rel.Name] && slices.Contains(targets, f.Rel.Name) && !slices.Contains(targets, f.Target.Name) {
			return &HintError{
				fmt.Errorf("refresh %s: its definition has changed, so that another table takes its place, and flow %q follows it into %s", shown(f.Rel.Name), f.Name, shown(f.Target.Name)),
				"refresh both: autocdc refresh " + shown(f.Rel.Name) + " " + shown(f.Target.Name) + " --full",
			}
		}
	}
	return nil
}

// describe says what a refresh does to whom.
func describe(targets []schema.Name, flows []*merge.Flow) string {
	var lines []string
	for _, t := range targets {
		for _, f := range flows {
			if f.Target.Name != t {
				continue
			}
			if f.Feed == merge.Snapshot && f.Target.Kind == merge.Append {
				lines = append(lines, fmt.Sprintf("%s is rebuilt from the rows that the query of flow %q gives now", shown(t), f.Name))
				continue
			}
			if f.Feed == merge.Snapshot {
				lines = append(lines, fmt.Sprintf("%s is rebuilt from the snapshots that flow %q finds now; what came from others is lost", shown(t), f.Name))
				continue
			}
			what := fmt.Sprintf("%s is rebuilt from the present rows of %s at source %s", shown(t), shown(f.Rel.Name), f.Source)
			if f.Target.Kind != merge.SCD1 && f.Feed == merge.Changes {
				what += "; its history begins anew, earlier versions are lost"
			}
			if f.Feed == merge.Stream {
				what += "; events that the feed no longer holds are lost"
			}
			lines = append(lines, what)
		}
	}
	return strings.Join(lines, "\n")
}

// refreshable refuses what cannot be rebuilt.
func (r *run) refreshable(ctx context.Context, flows []*merge.Flow) error {
	source := map[schema.Name]string{}
	for _, f := range flows {
		if f.NoCopy {
			return &HintError{
				fmt.Errorf("refresh %s: flow %q has WITH (copy = false): there would be nothing to rebuild it from", shown(f.Target.Name), f.Name),
				"leave the option out",
			}
		}
		if other := source[f.Target.Name]; other != "" && other != f.Source {
			return &HintError{
				fmt.Errorf("refresh %s: flows of two sources, %s and %s, feed it, which cannot be copied in one transaction yet", shown(f.Target.Name), other, f.Source),
				"declare a target for each source, or a new target with another name",
			}
		}
		source[f.Target.Name] = f.Source
	}
	return r.hasRun(ctx, flows)
}

// hasRun looks into the state without making any.
func (r *run) hasRun(ctx context.Context, flows []*merge.Flow) error {
	state, err := merge.ReadState(ctx, r.Target, r.MetadataSchema)
	if err != nil {
		return connectError(err, r.Target)
	}
	if state == nil {
		return r.neverRun()
	}
	defer state.Close()
	for _, f := range flows {
		if f.Feed == merge.Snapshot {
			continue
		}
		known, err := state.Source(ctx, r.Name, f.Source)
		if err != nil {
			return err
		}
		if known == nil || known.Checkpoint == 0 && !f.Once { // a source whose flows rest has no slot
			return r.neverRun()
		}
	}
	return nil
}

func (r *run) neverRun() error {
	return &HintError{fmt.Errorf("refresh pipeline %q: it has not run yet, so there is nothing to refresh", r.Name), "autocdc run makes the targets and fills them"}
}

// refresh takes the pipeline's lock and goes source by source.
func (r *run) refresh(ctx context.Context, plan *Plan, targets []schema.Name) error {
	if err := r.keeper.open(ctx); err != nil {
		return fmt.Errorf("refresh pipeline %q: %w", r.Name, err)
	}
	var errs []error
	for _, src := range r.Sources {
		errs = append(errs, r.refreshSource(ctx, plan, src, targets))
	}
	errs = append(errs, r.refreshSnapshots(ctx, plan, targets))
	if plan.depth > 0 && joined(errs) == nil {
		errs = append(errs, r.refreshChain(ctx, plan.depth, targets))
	}
	return errors.Join(joined(errs), r.keeper.close())
}

func (r *run) refreshSource(ctx context.Context, plan *Plan, src Source, targets []schema.Name) error {
	chosen := slices.DeleteFunc(plan.into(targets), func(f *merge.Flow) bool { return f.Source != src.Name || f.Feed == merge.Snapshot })
	if len(chosen) == 0 {
		return nil
	}
	s := &sourceRun{run: r, source: src, flows: plan.of(src.Name), types: plan.types[src.Name], log: r.Log.With("source", src.Name)}
	return s.refreshAll(ctx, chosen)
}
