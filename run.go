package autocdc

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/merge"
)

// RunOptions say how Run runs.
type RunOptions struct {
	// Triggered ends the run when everything that was committed at the sources
	// when it began has been applied.
	Triggered bool
	// HTTP is the address to serve health and metrics on; empty: none.
	HTTP string
	// AcceptDeletes names flows of which one snapshot may delete whatever it lacks.
	AcceptDeletes []string
}

// stopGrace is how long the batch under way may take when a run is told to stop.
const stopGrace = 8 * time.Second

// Run copies and follows until ctx ends (which is no error), or, triggered, until
// everything is applied. Before it changes anything it checks, and returns a
// *FaultsError with all that is wrong. It tries again where time may help. Sources
// run side by side: when one fails for good, the others go on, and Run returns the
// errors of all in the end.
func (p *Pipeline) Run(ctx context.Context, opts RunOptions) error {
	r := &run{Pipeline: p.withDefaults(), opts: opts, metrics: newMetrics(), started: time.Now()}
	r.ready = newReadiness(r.sourceNames())
	r.keeper = &keeper{dsn: r.Target, metadata: r.MetadataSchema, pipeline: r.Name, log: r.Log}
	if opts.HTTP == "" {
		return r.work(ctx)
	}
	l, err := listen(ctx, opts.HTTP)
	if err != nil {
		return err
	}
	return r.served(ctx, l)
}

// run is one run of a pipeline.
type run struct {
	*Pipeline
	opts    RunOptions
	metrics *metrics
	ready   *readiness
	keeper  *keeper
	started time.Time
}

// served is work beside the web server, which ends with it.
func (r *run) served(ctx context.Context, l net.Listener) error {
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	var web sync.WaitGroup
	var webErr error
	web.Go(func() { webErr = serve(serving, l, handler(r.metrics, r.ready), r.Log) })
	err := r.work(ctx)
	stop()
	web.Wait()
	return errors.Join(err, webErr)
}

func (r *run) work(ctx context.Context) error {
	plan, err := r.checked(ctx)
	if err != nil {
		return interrupted(ctx, err)
	}
	if err := r.acceptable(plan); err != nil {
		return err
	}
	if err := r.keeper.open(ctx); err != nil {
		return interrupted(ctx, withHint(fmt.Errorf("run pipeline %q: %w", r.Name, err)))
	}
	failpoint.Pass(failpoint.StateLocked)
	if err := r.orphanSnapshots(ctx, plan); err != nil {
		return errors.Join(interrupted(ctx, withHint(err)), r.keeper.close())
	}
	if plan, err = r.chain(ctx, plan); err != nil {
		return errors.Join(interrupted(ctx, withHint(err)), r.keeper.close())
	}
	err = r.remembering(ctx, func() error { return r.sources(ctx, plan) })
	r.Log.Info("stopped", "pipeline", r.Name, "after", time.Since(r.started).Round(time.Millisecond))
	return errors.Join(err, r.keeper.close())
}

// orphanSnapshots takes note of flows that read snapshots and have left the files.
func (r *run) orphanSnapshots(ctx context.Context, plan *Plan) error {
	names := []string{}
	for _, f := range plan.snapshots() {
		names = append(names, f.Name)
	}
	_, err := r.keeper.use(ctx, func(s *merge.State) error { return s.OrphanSnapshots(ctx, r.Name, names) })
	return err
}

// checked plans and checks; warnings go to the log.
func (r *run) checked(ctx context.Context) (*Plan, error) {
	plan, err := r.Check(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range plan.Warnings {
		args := []any{"hint", w.Hint}
		if w.Located() {
			args = append(args, "at", w.Pos.String())
		}
		r.Log.Warn(w.Message, args...)
	}
	return plan, nil
}

// acceptable refuses permissions for flows that there are not.
func (r *run) acceptable(plan *Plan) error {
	var known []string
	for _, f := range plan.snapshots() {
		known = append(known, f.Name)
	}
	for _, name := range r.opts.AcceptDeletes {
		if !slices.Contains(known, name) {
			return &HintError{fmt.Errorf("accept deletes of flow %q: no flow of that name reads snapshots", name), didYouMean(name, known)}
		}
	}
	return nil
}

// sources runs all sources, and all flows that read snapshots, and waits for all.
func (r *run) sources(ctx context.Context, plan *Plan) error {
	var g sync.WaitGroup
	alone, placed := r.snapshotRuns(plan)
	errs := make([]error, len(r.Sources)+len(alone))
	var after *sourceRun // of the target: it has what the others bring
	for i, src := range r.Sources {
		flows := plan.of(src.Name)
		if len(flows) == 0 {
			r.ready.set(src.Name, true)
			continue
		}
		s := &sourceRun{run: r, source: src, flows: flows, types: plan.types[src.Name], log: r.Log.With("source", src.Name), snapshots: placed[src.Name]}
		r.metrics.declare(src.Name, flows)
		if r.opts.Triggered && plan.depth > 0 && src.Name == targetSource {
			after = s
			continue
		}
		g.Go(func() {
			if errs[i] = s.loop(ctx); errs[i] != nil {
				s.log.Error("source failed", "error", errs[i])
			}
		})
	}
	for i, s := range alone {
		g.Go(func() { errs[len(r.Sources)+i] = s.loop(ctx) })
	}
	g.Wait()
	if after == nil {
		return joined(errs)
	}
	return joined(append([]error{r.links(ctx, after, plan.depth)}, errs...))
}

// snapshotRuns divides the flows that read snapshots: those that stand alone, and by
// source those whose snapshots have a place among its changes.
func (r *run) snapshotRuns(plan *Plan) (alone []*snapshotRun, placed map[string][]*snapshotRun) {
	placed = map[string][]*snapshotRun{}
	for _, flow := range plan.snapshots() {
		s := &snapshotRun{run: r, flow: flow, decl: plan.decls[flow.Name], log: r.Log.With("flow", flow.Name)}
		s.accept = slices.Contains(r.opts.AcceptDeletes, flow.Name)
		r.metrics.declareFlows(flow.Source, []*merge.Flow{flow})
		if s.decl.positioned {
			placed[flow.Source] = append(placed[flow.Source], s)
		} else {
			alone = append(alone, s)
		}
	}
	return alone, placed
}

// joined keeps a single error as it is, with its hint.
func joined(errs []error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

// interrupted turns the error of a cancelled call into none: to be told to stop is
// no failure.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// hinter is an error that knows what helps.
type hinter interface{ Hint() string }

// withHint adds advice to errors that people meet.
func withHint(err error) error {
	if hint := hintOf(err); hint != "" {
		return &HintError{err, hint}
	}
	return err
}

// hintOf finds advice in an error.
func hintOf(err error) string {
	var known *HintError
	var running *merge.RunningError
	var flow *merge.FlowError
	var hint hinter
	switch {
	case errors.As(err, &known):
		return known.Hint
	case errors.As(err, &running):
		return "end the other run first, or give this pipeline another name (pipeline: in the YAML)"
	case errors.As(err, &flow):
		return flow.Hint
	case errors.As(err, &hint):
		return hint.Hint()
	}
	return ""
}

// StoppedError says which flows were stopped by an error while the others went on.
type StoppedError struct{ Flows map[string]error }

func (e *StoppedError) Error() string {
	var lines []string
	for name, err := range e.Flows {
		lines = append(lines, fmt.Sprintf("flow %q is stopped: %v", name, err))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Unwrap returns the flows' errors, by name.
func (e *StoppedError) Unwrap() []error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(e.Flows)) {
		errs = append(errs, e.Flows[name])
	}
	return errs
}
