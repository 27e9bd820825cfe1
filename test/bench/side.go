package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// side is one way to bring the source's table into a database of the target.
type side interface {
	name() string
	// setUp makes the target database, empty.
	setUp(ctx context.Context) error
	// begin starts to copy or to follow: the clock runs from here.
	begin(ctx context.Context) error
	// end stops following, so that it costs nothing while others are measured.
	end(ctx context.Context) error
	// drop removes what holds WAL back.
	drop(ctx context.Context) error
	dsn() string
	// now is the table, or a subquery, of the rows that there are now.
	now() string
}

// measured is the time from begin until the marker row is visible. Afterwards the
// rows are compared with the source's.
func (b *bench) measured(ctx context.Context, s side, source, marker string) (time.Duration, error) {
	if err := b.settle(ctx); err != nil {
		return 0, err
	}
	conn, err := pgx.Connect(ctx, s.dsn())
	if err != nil {
		return 0, err
	}
	defer conn.Close(ctx)
	began := time.Now()
	if err := s.begin(ctx); err != nil {
		return 0, err
	}
	if err := awaitMarker(ctx, conn, s, marker); err != nil {
		return 0, fmt.Errorf("%s: %w", s.name(), err)
	}
	took := time.Since(began)
	if err := s.end(ctx); err != nil {
		return 0, err
	}
	return took, same(ctx, source, s)
}

// awaitMarker waits for the table too, which the service makes itself.
func awaitMarker(ctx context.Context, conn *pgx.Conn, s side, marker string) error {
	const tables = `SELECT 1 FROM pg_class WHERE oid = to_regclass('public.item')`
	const every = time.Millisecond
	if err := until(ctx, conn, every, tables); err != nil {
		return err
	}
	return until(ctx, conn, every, "SELECT 1 FROM "+s.now()+" WHERE id = 0 AND note = $1", marker)
}

// settle writes what is dirty, so that no side pays for another.
func (b *bench) settle(ctx context.Context) error {
	for _, server := range b.servers {
		if err := exec1(ctx, server.DSN("postgres"), "CHECKPOINT"); err != nil {
			return err
		}
	}
	return nil
}

// same compares the rows of a side with the source's.
func same(ctx context.Context, source string, s side) error {
	const digest = "SELECT count(*) || ' rows, ' || coalesce(sum(hashtextextended(concat_ws('|', " + columns + "), 0)), 0) FROM %s"
	want, err := query1(ctx, source, fmt.Sprintf(digest, "item t"))
	if err != nil {
		return err
	}
	got, err := query1(ctx, s.dsn(), fmt.Sprintf(digest, s.now()))
	if err == nil && got != want {
		err = fmt.Errorf("%s has %s, the source %s", s.name(), got, want)
	}
	return err
}
