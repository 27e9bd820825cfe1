package replication_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/replication"
	"github.com/autocdc/autocdc/test/pgtest"
)

func TestReader_LargeTransactionInPieces(t *testing.T) {
	t.Parallel()
	const bound = 64 << 10
	s := newSource(t, pgtest.Database(t), `CREATE TABLE a (id int PRIMARY KEY, v text)`, tables("a"), nil)
	pgtest.Exec(t, s.dsn,
		`INSERT INTO a VALUES (-1, 'before')`,
		`INSERT INTO a SELECT i, repeat('x', 100) FROM generate_series(1, 20000) i`,
		`INSERT INTO a VALUES (-2, 'after')`)
	cfg := s.config(s.start, s.until())
	cfg.MaxBytes = bound
	batches := run(t, cfg).all()
	for len(batches) > 1 && len(batches[0].Txs) == 0 {
		batches = batches[1:]
	}
	if n := len(lines(batches[:1])); n != 2 || batches[0].Piece {
		t.Errorf("the first batch has %d lines, piece %v; want the transaction before alone", n, batches[0].Piece)
	}
	var large []*batch.Batch
	rows := 0
	for _, b := range batches {
		if b.Bytes > 2*bound {
			t.Errorf("batch of %d bytes", b.Bytes)
		}
		if len(b.Txs) == 1 && len(b.Txs[0].Changes) > 1 {
			large = append(large, b)
			rows += len(b.Txs[0].Changes)
		}
	}
	if rows != 20000 || len(large) < 20 {
		t.Fatalf("%d rows in %d pieces", rows, len(large))
	}
	for i, b := range large {
		last := i == len(large)-1
		if tx := b.Txs[0]; b.Piece == last || (tx.EndLSN != 0) != last || (b.LSN != 0) != last || tx.XID != large[0].Txs[0].XID || !tx.Stamp.Equal(large[0].Txs[0].Stamp) {
			t.Fatalf("piece %d of %d: piece %v, batch %s, transaction %+v", i+1, len(large), b.Piece, b.LSN, tx)
		}
	}
}

// A walsender with a short time-out stays connected although nobody takes what
// it sends, and memory stays bounded.
func TestReader_StalledConsumer(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t, embedpg.Options{Settings: map[string]string{"wal_sender_timeout": "2s"}})
	s := newSource(t, server.DSN("postgres"), `CREATE TABLE a (id serial PRIMARY KEY, v text)`, tables("a"), nil)
	for range 20 {
		pgtest.Exec(t, s.dsn, `INSERT INTO a (v) SELECT repeat('x', 1000) FROM generate_series(1, 1000)`)
	}
	cfg := s.config(s.start, s.until())
	cfg.MaxBytes = 1 << 20
	r := run(t, cfg)
	pgtest.Eventually(t, 30*time.Second, func() error { // the stall is what is tested
		old := pgtest.Rows(t, s.dsn, "SELECT FROM pg_stat_replication WHERE now() - backend_start > '7s'")
		if len(old) == 0 {
			return errors.New("the walsender is young")
		}
		return nil
	})
	if n := r.Stats().Changes; n > 3000 {
		t.Errorf("%d changes were read ahead", n)
	}
	pids := pgtest.Rows(t, s.dsn, "SELECT active_pid, extract(epoch FROM now() - backend_start) > 5 FROM pg_replication_slots JOIN pg_stat_replication ON pid = active_pid")
	if len(pids) != 1 || pids[0][1] != "t" {
		t.Errorf("the walsender did not stay: %v", pids)
	}
	rows := 0
	for _, b := range r.all() {
		for _, tx := range b.Txs {
			rows += len(tx.Changes)
		}
	}
	if rows != 20000 {
		t.Errorf("%d rows", rows)
	}
}

func TestReader_UntilOnAnIdleSource(t *testing.T) {
	t.Parallel()
	s := newSource(t, pgtest.Database(t), `CREATE TABLE a (id int PRIMARY KEY)`, tables("a"), nil)
	started := time.Now()
	batches := run(t, s.config(s.start, s.until())).all()
	if took := time.Since(started); took > 2*time.Second {
		t.Errorf("took %s", took)
	}
	if len(lines(batches)) != 0 {
		t.Errorf("got %v", lines(batches))
	}
	// Once more: nothing has happened, not even a mark of ours.
	slot, err := replication.LookupSlot(context.Background(), connect(t, s.dsn), s.slot)
	must(t, err)
	run(t, s.config(slot.ConfirmedLSN, slot.ConfirmedLSN)).all()
}

func TestReader_UntilOnABusySource(t *testing.T) {
	t.Parallel()
	s := newSource(t, pgtest.Database(t), `CREATE TABLE a (id serial PRIMARY KEY, v int)`, tables("a"), nil)
	ctx, cancel := context.WithCancel(context.Background())
	var writers sync.WaitGroup
	conn := connect(t, s.dsn)
	writers.Go(func() {
		for ctx.Err() == nil {
			_, _ = conn.Exec(context.Background(), "INSERT INTO a (v) VALUES (1)")
		}
	})
	defer func() { cancel(); writers.Wait() }()
	pgtest.Eventually(t, 10*time.Second, func() error {
		if n := pgtest.Rows(t, s.dsn, "SELECT count(*) > 50 FROM a"); n[0][0] != "t" {
			return errors.New("no load")
		}
		return nil
	})
	until := s.until()
	atMost, err := strconv.Atoi(pgtest.Rows(t, s.dsn, "SELECT count(*) FROM a")[0][0])
	must(t, err)
	batches := run(t, s.config(s.start, until)).all()
	if n := len(lines(batches)) / 2; n < 50 || n > atMost+1 { // one commit may be in the WAL and not visible yet
		t.Errorf("%d of at most %d rows", n, atMost)
	}
	for _, b := range batches {
		for _, tx := range b.Txs {
			if tx.EndLSN > until {
				t.Errorf("a transaction ends at %s, after %s", tx.EndLSN, until)
			}
		}
	}
}

// Readers are stopped again and again while the source writes; every
// transaction comes once, from the position that was acknowledged last.
func TestReader_RestartsWithoutLossOrRepetition(t *testing.T) {
	t.Parallel()
	const total = 600
	s := newSource(t, pgtest.Database(t), `CREATE TABLE a (id int PRIMARY KEY)`, tables("a"), nil)
	conn := connect(t, s.dsn)
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := range total / 3 {
			_, _ = conn.Exec(context.Background(), "INSERT INTO a SELECT $1 * 3 + g FROM generate_series(0, 2) g", i)
		}
	})
	defer writing.Wait()
	position, seen := s.start, 0
	for seen < total {
		r := run(t, s.config(position, 0))
		for range 3 {
			b := r.next()
			for _, tx := range b.Txs {
				for _, c := range tx.Changes {
					if got := line(c); got != fmt.Sprintf(`insert "public"."a" new{id=%d}`, seen) {
						t.Fatalf("got %s after %d rows", got, seen)
					}
					seen++
				}
			}
			position = b.LSN
			r.Ack(position)
		}
		r.stop()
	}
	slot, err := replication.LookupSlot(context.Background(), connect(t, s.dsn), s.slot)
	must(t, err)
	if slot.ConfirmedLSN != position || slot.Active {
		t.Errorf("the slot is at %s, active %v; acknowledged was %s", slot.ConfirmedLSN, slot.Active, position)
	}
}

// WAL that other tables write can be released although nothing is published.
func TestReader_IdleAdvances(t *testing.T) {
	t.Parallel()
	s := newSource(t, pgtest.Database(t), `CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE other (v text)`, tables("a"), nil)
	r := run(t, s.config(s.start, 0))
	defer r.stop()
	pgtest.Exec(t, s.dsn, `INSERT INTO other SELECT repeat('x', 500) FROM generate_series(1, 1000)`)
	target, err := pglogrepl.ParseLSN(pgtest.Rows(t, s.dsn, "SELECT pg_current_wal_flush_lsn()")[0][0])
	must(t, err)
	for lsn := s.start; lsn < target; {
		b := r.next()
		if len(b.Txs) != 0 || b.LSN <= lsn {
			t.Fatalf("after %s: %+v", lsn, b)
		}
		lsn = b.LSN
		r.Ack(lsn)
	}
	conn := connect(t, s.dsn)
	pgtest.Eventually(t, 10*time.Second, func() error {
		slot, err := replication.LookupSlot(context.Background(), conn, s.slot)
		if err != nil || slot.ConfirmedLSN < target {
			return fmt.Errorf("confirmed %+v, %w", slot, err)
		}
		return nil
	})
	if lsn, at := r.Received(); lsn < target || time.Since(at) > time.Minute {
		t.Errorf("received %s at %s", lsn, at)
	}
}

// A fast shutdown waits for walsenders: ours must not hold it up.
func TestReader_LetsTheServerStop(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t, embedpg.Options{})
	s := newSource(t, server.DSN("postgres"), `CREATE TABLE a (id int PRIMARY KEY)`, tables("a"), nil)
	r, err := replication.NewReader(s.config(s.start, 0))
	must(t, err)
	done := make(chan error, 1)
	go func() { done <- r.Run(context.Background()) }()
	pgtest.Exec(t, s.dsn, `INSERT INTO a VALUES (1)`)
	first := make(chan struct{}, 1)
	go func() {
		for {
			b, err := r.Next(context.Background())
			if err != nil {
				return
			}
			r.Ack(b.LSN)
			if len(b.Txs) > 0 {
				first <- struct{}{}
			}
		}
	}()
	<-first
	started := time.Now()
	must(t, server.Stop(embedpg.Fast))
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("stopping took %s", took)
	}
	if err := <-done; !errors.Is(err, replication.ErrConnectionLost) || !replication.Retryable(err) {
		t.Errorf("got %v", err)
	}
}
