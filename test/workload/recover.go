package workload

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// recover waits for the source and finds out what it still has: the last
// transaction may or may not be committed, and a source that was killed may have
// lost some that it had said were.
func (w *Writer) recover(ctx context.Context) error {
	for {
		err := w.reread(ctx)
		if err == nil || !transient(err) {
			return err
		}
		w.disconnect()
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

func (w *Writer) reread(ctx context.Context) error {
	if err := w.connect(ctx); err != nil {
		return err
	}
	var n int64
	if err := w.conn.QueryRow(ctx, "SELECT max(n) FROM marker").Scan(&n); err != nil {
		return err
	}
	if w.rewind(n) {
		return nil
	}
	return w.record(ctx, w.conn, n, nil)
}

func (w *Writer) connect(ctx context.Context) (err error) {
	if w.conn == nil {
		w.conn, err = pgx.Connect(ctx, w.dsn)
	}
	return err
}

func (w *Writer) disconnect() {
	if w.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = w.conn.Close(ctx) // its server may be gone on purpose
	w.conn = nil
}

// transient tells whether an error is of the connection or of a server that
// starts or stops, not of a statement.
func transient(err error) bool {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		return slices.Contains([]string{"57P01", "57P02", "57P03"}, pgErr.Code)
	}
	return !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled)
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
