package workload

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Writer is the only writer of a source's tables. After every transaction it
// records what they hold. It survives restarts of the source. One goroutine
// uses it at a time.
type Writer struct {
	Ledger
	t    testing.TB
	dsn  string
	rng  *rand.Rand
	conn *pgx.Conn // nil after an error, until the next transaction
}

// New makes the tables in an empty source database and fills them a little.
func New(t testing.TB, dsn string, seed uint64) *Writer {
	t.Helper()
	w := &Writer{t: t, dsn: dsn, rng: Rand(seed, 1), Ledger: Ledger{tables: mix()}}
	ctx := context.Background()
	if err := w.create(ctx); err != nil {
		t.Fatalf("make workload: %v", err)
	}
	t.Cleanup(w.disconnect)
	w.Write(40)
	return w
}

func (w *Writer) create(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, w.dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	ddl := prepare
	for _, t := range w.tables {
		ddl += t.create()
	}
	_, err = conn.PgConn().Exec(ctx, ddl).ReadAll()
	return err
}

// Write commits n transactions; it waits for a source that is away.
func (w *Writer) Write(n int) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for range n {
		if err := w.one(ctx); err != nil {
			w.t.Fatalf("write transaction %d: %v", w.n+1, err)
		}
	}
}

// WriteUntil writes until ctx ends and returns how many transactions it wrote.
func (w *Writer) WriteUntil(ctx context.Context) (int, error) {
	// A transaction that has begun is finished, so that its outcome is known.
	unhurried := context.WithoutCancel(ctx)
	for n := 0; ; n++ {
		if ctx.Err() != nil {
			return n, nil //nolint:nilerr // to be told to stop is no error
		}
		bounded, cancel := context.WithTimeout(unhurried, 2*time.Minute)
		err := w.one(bounded)
		cancel()
		if err != nil {
			return n, err
		}
	}
}

// one commits a transaction and records it. Where the source goes away in
// between, the marker tells whether it was committed.
func (w *Writer) one(ctx context.Context) error {
	sql, touched := w.transaction()
	for {
		err := w.connect(ctx)
		if err == nil {
			if _, err = w.conn.PgConn().Exec(ctx, sql).ReadAll(); err == nil {
				err = w.record(ctx, w.conn, w.n+1, touched)
			}
		}
		if err == nil {
			return nil
		}
		if !transient(err) {
			return fmt.Errorf("%w\nin: %s", err, sql)
		}
		w.disconnect()
		before := w.n
		if err := w.recover(ctx); err != nil {
			return err
		}
		if w.n > before {
			return nil
		}
		sql, touched = w.transaction()
	}
}

// transaction returns the statements of the next transaction and the names of
// the tables that they may change.
func (w *Writer) transaction() (sql string, touched map[string]bool) {
	touched = map[string]bool{}
	lines := []string{"BEGIN"}
	for range 1 + w.rng.IntN(5) {
		t := w.tables[w.rng.IntN(len(w.tables))]
		touched[t.sql()] = true
		lines = append(lines, w.step(t)...)
	}
	lines = append(lines, fmt.Sprintf("INSERT INTO marker VALUES (%d)", w.n+1), "COMMIT")
	return strings.Join(lines, ";\n"), touched
}

// step changes a table once, several times, or not at all because it is rolled
// back to a savepoint.
func (w *Writer) step(t table) []string {
	switch w.rng.IntN(8) {
	case 0:
		return []string{"SAVEPOINT s", t.change(w.rng), t.change(w.rng), "ROLLBACK TO s"}
	case 1:
		return []string{"SAVEPOINT s", t.change(w.rng), "RELEASE s", t.change(w.rng)}
	case 2:
		where := " WHERE " + t.where(w.rng)
		return []string{t.upsert(w.rng), t.update(w.rng, where), t.update(w.rng, where), t.upsert(w.rng)}
	case 3:
		return []string{t.upsert(w.rng), t.rekey(w.rng), "DELETE FROM " + t.sql() + " WHERE " + t.where(w.rng)}
	}
	return []string{t.change(w.rng)}
}
