package autocdc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/replication"
	"github.com/autocdc/autocdc/schema/catalog"
	"github.com/autocdc/autocdc/snapshot"
)

// sourceRun copies and follows one source. It is for one goroutine.
type sourceRun struct {
	*run
	source Source
	flows  []*merge.Flow
	types  merge.TypeNamer
	log    *slog.Logger
	// snapshots are those that have a place among the changes.
	snapshots []*snapshotRun

	life     int              // of the state that the applier was made with
	uncopied map[string]error // flows whose copy failed in this attempt
}

// loop repeats attempts until one ends well or for good.
func (s *sourceRun) loop(ctx context.Context) error {
	defer s.ready.set(s.source.Name, false)
	var pause backoff
	for {
		began := time.Now()
		err := s.attempt(ctx)
		s.up(false)
		if err == nil || ctx.Err() != nil {
			return interrupted(ctx, err)
		}
		if !s.retryable(err) {
			return withHint(fmt.Errorf("run source %q: %w", s.source.Name, err))
		}
		wait := pause.after(time.Since(began))
		s.metrics.retries.WithLabelValues(s.source.Name).Inc()
		s.log.Warn("try again", "in", wait, "error", err)
		if !sleep(ctx, wait) {
			return nil
		}
	}
}

// retryable also counts errors of an applier whose fence token another source's
// attempt has replaced.
func (s *sourceRun) retryable(err error) bool {
	return replication.Retryable(err) || merge.Retryable(err) || snapshot.Retryable(err) || !s.keeper.current(s.life)
}

func (s *sourceRun) up(up bool) {
	s.ready.set(s.source.Name, up)
	value := 0.0
	if up {
		value = 1
	}
	s.metrics.up.WithLabelValues(s.source.Name).Set(value)
}

// attempt goes from the durable state to the end of the run or the next error.
func (s *sourceRun) attempt(ctx context.Context) (err error) {
	conn, err := catalog.Connect(ctx, s.source.DSN)
	if err != nil {
		return err
	}
	defer closeConn(conn)
	if done, err := s.rested(ctx, conn); done || err != nil {
		return err
	}
	slot, err := s.prepare(ctx, conn)
	if err != nil {
		return err
	}
	defer slot.close()
	applier, err := s.applier(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, applier.Close()) }()
	failpoint.Pass(failpoint.TargetsMade)
	s.up(true)
	s.uncopied = map[string]error{}
	if err := s.copies(ctx, applier, slot); err != nil {
		return err
	}
	slot.close()
	if applier.Done() {
		return s.rest(ctx, conn)
	}
	return s.stream(ctx, conn, applier, slot)
}

func (s *sourceRun) applier(ctx context.Context) (a *merge.Applier, err error) {
	s.life, err = s.keeper.use(ctx, func(state *merge.State) error {
		a, err = merge.NewApplier(ctx, merge.ApplierConfig{
			DSN: s.Target, State: state, Pipeline: s.Name, Source: s.source.Name, Flows: s.flows,
			Types: s.types, Log: s.log, Observer: observer{s.metrics, s.source.Name, s.log},
		})
		return err
	})
	return a, err
}

// stream follows the source. ctx ends it after the batch under way.
func (s *sourceRun) stream(ctx context.Context, conn *pgx.Conn, applier *merge.Applier, slot *slotInUse) error {
	cfg := replication.ReaderConfig{DSN: s.source.DSN, Slot: slot.name, Publications: slot.publications, Log: s.log}
	cfg.From, cfg.Stamp = applier.Start()
	cfg.Floors = applier.Floors()
	snapshotting, stop := context.WithCancel(ctx)
	defer stop()
	places := s.startPlaces(snapshotting, applier, slot.name)
	if s.opts.Triggered {
		var err error
		if cfg.Until, err = replication.CurrentLSN(ctx, conn); err != nil {
			return err
		}
	}
	reader, err := replication.NewReader(cfg)
	if err != nil {
		return err
	}
	s.log.Info("follow", "slot", slot.name, "lsn", cfg.From, "flows", len(s.flows))
	err = s.follow(ctx, reader, applier, places)
	stop()
	return s.ended(applier, err, places.wait())
}

// follow runs reader and applier side by side; both have ended when it returns.
func (s *sourceRun) follow(ctx context.Context, reader *replication.Reader, applier *merge.Applier, places *places) error {
	longer, cancel := outlive(ctx, stopGrace)
	defer cancel()
	g, both := errgroup.WithContext(longer)
	reading, stop := context.WithCancel(both)
	lag := newLag(s.metrics, s.source)
	g.Go(func() error { return reader.Run(reading) })
	g.Go(func() error { return lag.run(reading, s.opts.HTTP != "") })
	g.Go(func() error {
		defer stop()
		return s.turns(ctx, both, reader, applier, places, lag)
	})
	return g.Wait()
}

// turns takes batches until ctx ends or everything is read; longer lets the last
// one finish.
func (s *sourceRun) turns(ctx, longer context.Context, reader *replication.Reader, applier *merge.Applier, places *places, lag *lag) error {
	for ctx.Err() == nil {
		b, err := reader.Next(ctx)
		switch {
		case errors.Is(err, io.EOF), err != nil && ctx.Err() != nil:
			return nil //nolint:nilerr // the end, or to be told to stop, is no error
		case err != nil:
			return err
		}
		failpoint.Pass(failpoint.BatchReceived)
		if err := s.turn(longer, b, applier, places); err != nil {
			return err
		}
		if !b.Piece {
			reader.Ack(applier.Confirmed())
			failpoint.Pass(failpoint.BatchAcked)
			lag.applied(b.LSN, b.Stamp)
		}
	}
	return nil
}

// turn applies one batch.
func (s *sourceRun) turn(ctx context.Context, b *batch.Batch, applier *merge.Applier, places *places) error {
	began := time.Now()
	if err := places.apply(ctx, b, applier); err != nil {
		return err
	}
	if len(b.Txs) > 0 {
		s.log.Debug("applied", "lsn", b.LSN, "transactions", len(b.Txs), "bytes", b.Bytes, "piece", b.Piece, "took", time.Since(began))
	}
	return nil
}

// ended reports stopped flows at the end of a triggered run.
func (s *sourceRun) ended(applier *merge.Applier, err error, snapshots []error) error {
	if err != nil {
		return err
	}
	stopped := applier.Stopped()
	maps.Copy(stopped, s.uncopied)
	for _, err := range snapshots {
		var flows *StoppedError
		if !errors.As(err, &flows) {
			return err
		}
		maps.Copy(stopped, flows.Flows)
	}
	if s.opts.Triggered && len(stopped) > 0 {
		return &StoppedError{stopped}
	}
	return nil
}

// closeConn says goodbye without waiting long, whatever became of the context that
// the connection was used with.
func closeConn(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_ = conn.Close(ctx)
}
