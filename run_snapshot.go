package autocdc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/replication"
	"github.com/autocdc/autocdc/snapshot/feed"
)

// snapshotRun brings the snapshots of one flow. It is for one goroutine.
type snapshotRun struct {
	*run
	flow *merge.Flow
	decl *flowDecl
	log  *slog.Logger
	life int // of the state that the comparer was made with

	accept bool // the next snapshot may delete whatever it lacks
}

// loop repeats attempts until one ends well or for good.
func (s *snapshotRun) loop(ctx context.Context) error {
	var pause backoff
	for {
		began := time.Now()
		err := s.attempt(ctx)
		if err == nil || ctx.Err() != nil {
			return interrupted(ctx, err)
		}
		if !s.retryable(err) {
			return withHint(fmt.Errorf("run flow %q: %w", s.flow.Name, err))
		}
		wait := pause.after(time.Since(began))
		s.metrics.retries.WithLabelValues(s.decl.source).Inc()
		s.log.Warn("try again", "in", wait, "error", err)
		if !sleep(ctx, wait) {
			return nil
		}
	}
}

func (s *snapshotRun) retryable(err error) bool {
	return replication.Retryable(err) || merge.Retryable(err) || feed.Retryable(err) || !s.keeper.current(s.life)
}

// attempt takes what snapshots there are, and, continuously, those that come.
func (s *snapshotRun) attempt(ctx context.Context) (err error) {
	c, err := s.comparer(ctx, false)
	if err != nil {
		return err
	}
	f := s.decl.newFeed(s.place(s.decl, nil))
	defer func() { err = errors.Join(err, f.Close(), c.Close()) }()
	for !c.Done() {
		err := s.turn(ctx, f, c)
		if err != nil && (s.opts.Triggered || ctx.Err() != nil || s.retryable(err)) {
			return err
		}
		if s.opts.Triggered || !sleep(ctx, s.decl.opts.every) {
			return nil
		}
	}
	return nil
}

func (s *snapshotRun) comparer(ctx context.Context, refresh bool) (c *merge.Comparer, err error) {
	s.life, err = s.keeper.use(ctx, func(state *merge.State) error {
		c, err = merge.NewComparer(ctx, merge.ComparerConfig{
			DSN: s.Target, State: state, Pipeline: s.Name, Flow: s.flow, Log: s.log, Observer: observer{s.metrics, s.decl.source, s.log}, Refresh: refresh,
		})
		return err
	})
	return c, err
}

// turn takes the snapshots that there are now. What is wrong with one is recorded,
// and stops this flow only: the next turn tries again.
func (s *snapshotRun) turn(ctx context.Context, f *feed.Feed, c *merge.Comparer) error {
	return s.settled(ctx, c, s.available(ctx, f, c))
}

// settled records how a turn ended.
func (s *snapshotRun) settled(ctx context.Context, c *merge.Comparer, err error) error {
	if err == nil && s.flow.Once {
		err = c.Finish(ctx)
	}
	gauge := s.metrics.stopped.WithLabelValues(s.decl.source, s.flow.Name)
	if err == nil {
		gauge.Set(0)
		return nil
	}
	if ctx.Err() != nil || s.retryable(err) {
		return err
	}
	gauge.Set(1)
	s.log.Error("flow stopped", "error", err, "hint", hintOf(err))
	if failed := c.Stop(ctx, err); failed != nil {
		return failed
	}
	return &StoppedError{map[string]error{s.flow.Name: withHint(err)}}
}

// available goes from version to version; without a version query there is one
// snapshot now.
func (s *snapshotRun) available(ctx context.Context, f *feed.Feed, c *merge.Comparer) error {
	if _, err := f.Fields(ctx); err != nil {
		return err
	}
	for {
		goesOn, err := s.next(ctx, f, c)
		f.End()
		if err != nil || !goesOn || s.decl.snapshot.version == nil {
			return err
		}
	}
}

// next takes the next snapshot and tells whether there may be more.
func (s *snapshotRun) next(ctx context.Context, f *feed.Feed, c *merge.Comparer) (bool, error) {
	v, err := f.Next(ctx, c.Last())
	if err != nil || v == nil {
		return false, err
	}
	above, err := c.Above(ctx, v.Text, c.Last())
	if err != nil {
		return false, err
	}
	if !above {
		s.log.Warn("skip snapshot: its version is not above the last one", "version", v.Text, "last", c.Last())
		return false, c.Skip(ctx)
	}
	return true, s.take(ctx, f, c, v)
}

// take brings one snapshot into the target.
func (s *snapshotRun) take(ctx context.Context, f *feed.Feed, c *merge.Comparer, v *feed.Version) error {
	began := time.Now()
	staged, err := c.Stage(ctx, v.Text, s.filling(f, v))
	if err != nil {
		return err
	}
	staged.AcceptDeletes = s.accept
	done, err := c.Apply(ctx, staged)
	if err == nil {
		s.compared(staged, done, began)
	}
	return err
}

// compared tells of a snapshot; a permission to delete is used up.
func (s *snapshotRun) compared(staged *merge.Staged, done merge.Compared, began time.Time) {
	s.accept = false
	if s.decl.appends != nil {
		s.log.Info("inserted rows", "rows", staged.Rows, "took", time.Since(began).Round(time.Millisecond))
		return
	}
	s.log.Info("compared snapshot", "version", staged.Version, "rows", staged.Rows, "changed", done.Upserts, "deleted", done.Deletes,
		"took", time.Since(began).Round(time.Millisecond))
}
