package workload

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// record remembers what the tables hold after transaction n; those that it did
// not touch are as before.
func (w *Writer) record(ctx context.Context, n int64, touched map[string]bool) error {
	contents := map[string][]string{}
	if last := len(w.history) - 1; last >= 0 {
		maps.Copy(contents, w.history[last].contents)
	}
	for _, t := range w.tables {
		if _, known := contents[t.sql()]; known && !touched[t.sql()] {
			continue
		}
		rows, err := lines(ctx, w.conn, "SELECT "+t.row("t")+" FROM "+t.sql()+" t")
		if err != nil {
			return err
		}
		contents[t.sql()] = rows
	}
	w.n = n
	w.written.Store(n)
	w.history = append(w.history, state{n, contents})
	return nil
}

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
	w.history = slices.DeleteFunc(w.history, func(s state) bool { return s.n > n })
	if last := len(w.history) - 1; last >= 0 && w.history[last].n == n {
		w.n = n
		w.written.Store(n)
		return nil
	}
	everything := map[string]bool{}
	for _, t := range w.tables {
		everything[t.sql()] = true
	}
	return w.record(ctx, n, everything)
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

// lines returns the rows of a query of one text column, sorted.
func lines(ctx context.Context, conn *pgx.Conn, sql string) ([]string, error) {
	rows, err := conn.Query(ctx, sql)
	if err != nil {
		return nil, fmt.Errorf("%w\nin: %s", err, sql)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("%w\nin: %s", err, sql)
	}
	slices.Sort(all)
	return all, nil
}
