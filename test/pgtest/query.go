package pgtest

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Null is how Rows shows a null.
const Null = `\N`

// Conn connects until the end of the test.
func Conn(t testing.TB, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = conn.Close(ctx) // the server may be gone on purpose
	})
	return conn
}

// Exec runs statements one after the other on a connection of their own, by the
// simple protocol: each string may hold several, which then are one transaction.
func Exec(t testing.TB, dsn string, sql ...string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, s := range sql {
		if _, err := conn.PgConn().Exec(ctx, s).ReadAll(); err != nil {
			t.Fatalf("%v\nin: %s", err, s)
		}
	}
}

// Rows runs a query (of several, the last one counts) and returns every value as
// the text that the server sends, nulls as Null.
func Rows(t testing.TB, dsn, query string) [][]string {
	t.Helper()
	rows, err := queryText(context.Background(), dsn, query)
	if err != nil {
		t.Fatalf("%v\nin: %s", err, query)
	}
	return rows
}

func queryText(ctx context.Context, dsn, query string) ([][]string, error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx)
	results, err := conn.PgConn().Exec(ctx, query).ReadAll()
	if err != nil || len(results) == 0 {
		return nil, err
	}
	last := results[len(results)-1]
	rows := make([][]string, 0, len(last.Rows))
	for _, row := range last.Rows {
		rows = append(rows, textRow(row))
	}
	return rows, nil
}

func textRow(row [][]byte) []string {
	text := make([]string, len(row))
	for i, value := range row {
		text[i] = string(value)
		if value == nil {
			text[i] = Null
		}
	}
	return text
}

// Eventually polls cond until it returns nil; after timeout the test fails with
// what cond said last.
func Eventually(t testing.TB, timeout time.Duration, cond func() error) {
	t.Helper()
	deadline := time.After(timeout)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		err := cond()
		if err == nil {
			return
		}
		select {
		case <-deadline:
			t.Fatalf("still not after %s: %v", timeout, err)
		case <-tick.C:
		}
	}
}
