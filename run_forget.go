package autocdc

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/autocdc/autocdc/merge"
)

// Forgetting happens beside the batches, now and then.
const (
	forgetEvery = time.Minute
	forgetLimit = 50 * time.Second // of one turn
)

// remembering runs work, and beside it forgets what late events may not need any
// more: continuously at once and every minute, triggered once at the end. That it
// fails is no error of the run.
func (r *run) remembering(ctx context.Context, work func() error) error {
	if r.opts.Triggered {
		err := work()
		r.forget(ctx)
		return err
	}
	forgetting, stop := context.WithCancel(ctx)
	var g sync.WaitGroup
	g.Go(func() {
		for forgetting.Err() == nil {
			r.forget(forgetting)
			sleep(forgetting, forgetEvery)
		}
	})
	err := work()
	stop()
	g.Wait()
	return err
}

// forget is one turn, in a time that has a limit; the next one goes on.
func (r *run) forget(ctx context.Context) {
	began := time.Now()
	limited, cancel := context.WithTimeout(ctx, forgetLimit)
	defer cancel()
	rows, err := r.forgetOnce(limited)
	if rows > 0 {
		r.Log.Info("forgot what only events later than late_arrival_window would need", "rows", rows, "window", r.LateArrival.String(), "took", time.Since(began).Round(time.Millisecond))
	}
	if err != nil && ctx.Err() == nil {
		r.Log.Warn("forget what late events do not need any more", "error", err)
	}
}

// forgetOnce uses a connection of its own.
func (r *run) forgetOnce(ctx context.Context) (rows int64, err error) {
	state, err := merge.ReadState(ctx, r.Target, r.MetadataSchema)
	if err != nil || state == nil {
		return 0, err
	}
	defer state.Close()
	if !r.LateArrival.Infinite {
		if rows, err = state.Forget(ctx, r.Name, r.LateArrival.Duration); err != nil {
			return rows, err
		}
	}
	flows, err := state.Flows(ctx, r.Name)
	if err != nil {
		return rows, fmt.Errorf("count events beyond the window: %w", err)
	}
	for _, f := range flows {
		r.metrics.beyond.WithLabelValues(f.Source, f.Name).Set(float64(f.LateBeyondWindow))
	}
	return rows, nil
}
