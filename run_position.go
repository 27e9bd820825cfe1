package autocdc

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/replication"
	"github.com/autocdc/autocdc/schema/catalog"
	"github.com/autocdc/autocdc/snapshot/feed"
)

// positioned brings the snapshots of one flow to their place among the changes of
// the same source: the rows are those of an exported snapshot, and they are
// compared when the stream has come exactly that far.
type positioned struct {
	*snapshotRun
	source *sourceRun
	slot   string
	queue  *places
}

// placed is a snapshot with its place.
type placed struct {
	run      *positioned
	comparer *merge.Comparer
	at       pglogrepl.LSN // it shows what ends at or before
	ready    chan struct{} // closed when it is staged, or has failed
	staged   *merge.Staged // nil where it has failed
	done     chan error    // told when it has been compared
}

// loop takes a snapshot every so often, each after the one before was compared.
// staged is called when the first one waits for the stream, or has failed.
func (p *positioned) loop(ctx context.Context, staged func()) error {
	var pause backoff
	for ctx.Err() == nil {
		began := time.Now()
		err := p.once(ctx, staged)
		staged()
		wait := p.decl.opts.every
		if err != nil && p.retryable(err) {
			wait = pause.after(time.Since(began))
		}
		if p.opts.Triggered || ctx.Err() != nil {
			return interrupted(ctx, err)
		}
		sleep(ctx, wait)
	}
	return nil
}

// once takes a snapshot and waits until the stream has brought it to its place.
func (p *positioned) once(ctx context.Context, staged func()) (err error) {
	c, err := p.comparer(ctx, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if c.Done() {
		return nil
	}
	s, err := p.queue.one(func() (*placed, error) { return p.stage(ctx, c) })
	if err == nil {
		staged()
		err = s.wait(ctx)
	}
	return p.settled(ctx, c, err)
}

func (s *placed) wait(ctx context.Context) error {
	select {
	case err := <-s.done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-s.done: // the run ended with it
		return err
	default:
		return ctx.Err()
	}
}

// stage takes a snapshot and leaves it on the target. A mark before it gives it a
// commit of its own; one after it lets the stream come past it.
func (p *positioned) stage(ctx context.Context, c *merge.Comparer) (*placed, error) {
	conn, err := catalog.Connect(ctx, p.source.source.DSN)
	if err != nil {
		return nil, err
	}
	defer closeConn(conn)
	if err := replication.Mark(ctx, conn); err != nil {
		return nil, err
	}
	s := &placed{run: p, comparer: c, ready: make(chan struct{}), done: make(chan error, 1)}
	export, err := p.queue.reserve(s, func() (*replication.Export, error) {
		return replication.CreateSlot(ctx, p.source.source.DSN, temporaryName(p.slot), true, p.log)
	})
	if err != nil {
		return nil, err
	}
	failpoint.Pass(failpoint.SnapshotPlaced)
	defer close(s.ready)
	if err := errors.Join(replication.Mark(ctx, conn), p.copy(ctx, c, s, export)); err != nil {
		s.staged = nil
		return nil, err
	}
	return s, nil
}

func (p *positioned) copy(ctx context.Context, c *merge.Comparer, s *placed, export *replication.Export) (err error) {
	place := feed.NewPostgres(p.source.source.DSN, nil)
	defer place.Close()
	if err := errors.Join(place.At(ctx, export.Snapshot), export.Close()); err != nil {
		return err
	}
	s.staged, err = c.Stage(ctx, "", p.filling(p.decl.newFeed(place), &feed.Version{}))
	return err
}
