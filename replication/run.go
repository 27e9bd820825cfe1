package replication

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/schema"
)

// Run connects, reads until ctx ends, Until is reached and Next has returned
// io.EOF, or something fails, and closes the connection. It blocks. It returns
// nil when ctx ends and after Until; any other end is a *SlotError. The last
// acknowledged position has then been sent, unless the connection is lost.
func (r *Reader) Run(ctx context.Context) error {
	err := r.run(ctx)
	if ctx.Err() != nil {
		r.queue.close(ctx.Err())
		return nil //nolint:nilerr // to be told to stop is no error
	}
	if err != nil {
		err = r.slotError(err)
		r.queue.close(err)
	}
	return err
}

func (r *Reader) slotError(err error) error {
	if e, ok := errors.AsType[*SlotError](err); ok {
		return e
	}
	lsn, _ := r.Received()
	return &SlotError{Slot: r.cfg.Slot, LSN: lsn, Reason: reasonOf(err), Err: err}
}

func (r *Reader) run(ctx context.Context) error {
	conn, err := pgconn.ConnectConfig(ctx, r.conn)
	if err != nil {
		return fmt.Errorf("open replication connection: %w", err)
	}
	timeout, err := r.prepare(ctx, conn)
	if err == nil {
		err = r.start(ctx, conn)
	}
	if err != nil {
		_ = closeConn(conn) // the error before is the one to tell
		return err
	}
	raw, err := conn.Hijack()
	if err != nil {
		return err
	}
	return r.stream(ctx, newLink(raw), timeout)
}

// prepare looks at slot and settings before the connection is given to the
// stream. It returns wal_sender_timeout, 0 if there is none.
func (r *Reader) prepare(ctx context.Context, conn *pgconn.PgConn) (time.Duration, error) {
	slot, err := lookupSlot(ctx, conn, r.cfg.Slot)
	if err != nil {
		return 0, err
	}
	database, err := queryValue(ctx, conn, "SELECT pg_catalog.current_database()")
	if err != nil {
		return 0, fmt.Errorf("read the name of the database: %w", err)
	}
	if err := r.usable(slot, string(database)); err != nil {
		return 0, err
	}
	text, err := queryValue(ctx, conn, "SELECT setting FROM pg_catalog.pg_settings WHERE name = 'wal_sender_timeout'")
	if err != nil {
		return 0, fmt.Errorf("read wal_sender_timeout: %w", err)
	}
	millis, err := strconv.Atoi(string(text))
	return time.Duration(millis) * time.Millisecond, err
}

func (r *Reader) usable(slot *Slot, database string) error {
	fail := &SlotError{Slot: r.cfg.Slot, LSN: r.cfg.From}
	switch {
	case slot == nil:
		fail.Reason = ErrSlotMissing
	case slot.Plugin != "pgoutput":
		fail.Reason, fail.Err = ErrSlotForeign, fmt.Errorf("its output plugin is %q", slot.Plugin)
	case slot.Database != database:
		fail.Reason, fail.Err = ErrSlotForeign, fmt.Errorf("it belongs to database %q", slot.Database)
	case slot.Lost():
		fail.Reason, fail.Err = ErrWALRemoved, fmt.Errorf("its state is %s %s", slot.WALStatus, slot.Invalidation)
	case slot.Active:
		fail.Reason, fail.PID = ErrSlotInUse, slot.ActivePID
	default:
		return nil
	}
	return fail
}

func (r *Reader) start(ctx context.Context, conn *pgconn.PgConn) error {
	opts := pglogrepl.StartReplicationOptions{Mode: pglogrepl.LogicalReplication, PluginArgs: []string{
		"proto_version '1'",
		"publication_names " + publicationNames(r.cfg.Publications),
		"messages 'true'",
	}}
	err := pglogrepl.StartReplication(ctx, conn, schema.Ident(r.cfg.Slot).String(), r.cfg.From, opts)
	if err != nil {
		return fmt.Errorf("start replication: %w", err)
	}
	failpoint.Pass(failpoint.StreamStarted)
	r.log.Info("reading the slot", "lsn", r.cfg.From, "publications", r.cfg.Publications)
	return nil
}

// publicationNames is a list of identifiers inside a literal: unquoted they
// would be folded to lower case.
func publicationNames(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = schema.Ident(name).String()
	}
	return "'" + strings.ReplaceAll(strings.Join(quoted, ","), "'", "''") + "'"
}

// stream owns the connection from the start of the copy to its end.
func (r *Reader) stream(ctx context.Context, l *link, timeout time.Duration) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { l.interrupt(); close(interrupted) })
	var sending sync.WaitGroup
	sending.Go(func() { cancel(r.sendStatus(ctx, l, timeout)) })
	err := r.receive(ctx, l)
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if !stop() {
		<-interrupted
	}
	cancel(err)
	sending.Wait()
	l.finish(r.status(false))
	return err
}

// receive reads messages until all is read.
func (r *Reader) receive(ctx context.Context, l *link) error {
	for !r.out.reached {
		if err := r.room(ctx); err != nil {
			return err
		}
		if err := r.turn(l); err != nil {
			return err
		}
	}
	r.queue.close(io.EOF)
	return r.await(ctx, r.queue.drained)
}

// room waits while the bound is reached and something can be taken. What cannot
// be, because its transaction is still open, becomes a piece.
func (r *Reader) room(ctx context.Context) error {
	for int(r.queue.cost.Load())+r.out.cost >= r.cfg.MaxBytes {
		if r.queue.cost.Load() == 0 {
			r.out.cut()
		}
		if err := r.await(ctx, r.queue.space); err != nil {
			return err
		}
	}
	return nil
}

// await waits for the consumer.
func (r *Reader) await(ctx context.Context, ch <-chan struct{}) error {
	r.waiting.Store(true)
	defer r.waiting.Store(false)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-ch:
		return nil
	}
}
