package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// Rows that are inserted at a steady rate; each is a transaction.
const (
	ticks    = `CREATE TABLE item (id bigint PRIMARY KEY, customer int NOT NULL, state text NOT NULL, amount numeric(12,2), changed_at timestamptz NOT NULL, note text)`
	tickEach = time.Millisecond
	warmUp   = 500 // the first of them are not measured
)

// delays are those from the commit to the moment when another session sees it.
type delays struct {
	median, p99 float64 // milliseconds
	cpu         float64 // seconds of the service and of both servers, for each thousand rows
}

// lag is measured for native and for us in turns.
func (b *bench) lag(ctx context.Context) ([]line, error) {
	source, err := b.tickSource(ctx, 1)
	if err != nil {
		return nil, err
	}
	half := line{Name: "lag", What: "lag at 1000 transactions/s, median", Goal: -4, Unit: "ms"}
	tail := line{Name: "lag99", What: "lag at 1000 transactions/s, p99", Goal: -4, Unit: "ms"}
	sides := []side{&native{b: b, source: source}, &service{b: b, source: source, kind: 1}}
	first := 1
	for round := range b.rounds {
		for i := range sides {
			s := sides[(i+round)%len(sides)]
			d, err := b.delay(ctx, s, source, first)
			if err != nil {
				return nil, err
			}
			first += b.sizes.Ticks + 1
			half.add(s.name(), d.median)
			tail.add(s.name(), d.p99)
		}
	}
	return []line{half, tail}, nil
}

// tickSource has the table that is written and others that are not.
func (b *bench) tickSource(ctx context.Context, tables int) (string, error) {
	dsn, err := b.database(ctx, 0, "ticks")
	if err != nil {
		return "", err
	}
	sql := []string{ticks, "INSERT INTO item VALUES (0, 0, 'marker', 0, now(), 'copied')", "CREATE PUBLICATION native FOR TABLE item"}
	for i := 1; i < tables; i++ {
		sql = append(sql, fmt.Sprintf("CREATE TABLE idle_%d (LIKE item INCLUDING ALL)", i))
	}
	return dsn, exec1(ctx, dsn, sql...)
}

// delay sets the side up, writes rows from first on, and takes the side down again.
func (b *bench) delay(ctx context.Context, s side, source string, first int) (d delays, err error) {
	if err := s.setUp(ctx); err != nil {
		return d, err
	}
	if err := s.begin(ctx); err != nil {
		return d, err
	}
	conn, err := pgx.Connect(ctx, s.dsn())
	if err != nil {
		return d, err
	}
	defer conn.Close(ctx)
	// The first row tells that the stream has begun.
	if err := awaitMarker(ctx, conn, s, "copied"); err != nil {
		return d, err
	}
	if err := exec1(ctx, source, fmt.Sprintf("INSERT INTO item VALUES (%d, 0, 'first', 0, now(), 'first')", first)); err != nil {
		return d, err
	}
	if err := until(ctx, conn, time.Millisecond, fmt.Sprintf("SELECT 1 FROM item WHERE id = %d", first)); err != nil {
		return d, err
	}
	cpu := b.processors(s)
	all, err := ticking(ctx, conn, source, first+1, b.sizes.Ticks)
	if err != nil {
		return d, err
	}
	cpu = b.processors(s) - cpu
	d = summary(all)
	d.cpu = cpu.Seconds() * 1000 / float64(b.sizes.Ticks)
	if err := s.end(ctx); err != nil {
		return d, err
	}
	return d, s.drop(ctx)
}

func summary(all []time.Duration) delays {
	all = all[min(warmUp, len(all)/2):]
	slices.Sort(all)
	at := func(share float64) float64 { return float64(all[int(share*float64(len(all)-1))].Microseconds()) / 1000 }
	return delays{median: at(0.5), p99: at(0.99)}
}

// ticking writes rows at the rate and looks, on conn, for the newest one visible.
func ticking(ctx context.Context, conn *pgx.Conn, source string, first, count int) ([]time.Duration, error) {
	commits := make(chan time.Time, count)
	failed := make(chan error, 1)
	go func() { failed <- tickAway(ctx, source, first, count, commits) }()
	var all []time.Duration
	for seen := first - 1; seen < first+count-1; {
		var newest int
		if err := conn.QueryRow(ctx, "SELECT max(id) FROM item").Scan(&newest); err != nil {
			return nil, err
		}
		now := time.Now()
		for ; seen < newest; seen++ {
			// A row may be seen here before its writer hears of the commit.
			all = append(all, max(0, now.Sub(<-commits)))
		}
		select {
		case err := <-failed:
			if err != nil {
				return nil, err
			}
		default:
		}
		time.Sleep(200 * time.Microsecond)
	}
	return all, nil
}

func tickAway(ctx context.Context, source string, first, count int, commits chan<- time.Time) error {
	conn, err := pgx.Connect(ctx, source)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	tick := time.NewTicker(tickEach)
	defer tick.Stop()
	for i := range count {
		<-tick.C
		if _, err := conn.Exec(ctx, "INSERT INTO item VALUES ($1, 1, 'new', 1.5, clock_timestamp(), repeat('x', 50))", first+i); err != nil {
			return err
		}
		commits <- time.Now()
	}
	return nil
}
