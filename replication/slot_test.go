package replication_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/replication"
	"github.com/autocdc/autocdc/test/pgtest"
)

func TestCreateSlot_SnapshotAndStreamMeet(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newSource(t, pgtest.Database(t), `CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (1)`, tables("a"), nil)
	pgtest.Exec(t, s.dsn, `INSERT INTO a VALUES (2)`)
	export, err := replication.CreateSlot(ctx, s.dsn, s.slot+"_tmp", true, quiet)
	must(t, err)
	pgtest.Exec(t, s.dsn, `INSERT INTO a VALUES (3)`)
	if export.LSN <= s.start || !export.Stamp.After(s.stamp) || time.Since(export.Stamp) > time.Minute {
		t.Errorf("got %s at %s, the slot before %s at %s", export.LSN, export.Stamp, s.start, s.stamp)
	}
	conn := connect(t, s.dsn)
	_, err = conn.Exec(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT '"+export.Snapshot+"'")
	must(t, err)
	var n int
	must(t, conn.QueryRow(ctx, "SELECT max(id) FROM a").Scan(&n))
	if n != 2 {
		t.Errorf("the snapshot shows %d", n)
	}
	must(t, export.Close())
	pgtest.Eventually(t, 5*time.Second, func() error {
		if slot, err := replication.LookupSlot(ctx, connect(t, s.dsn), s.slot+"_tmp"); err != nil || slot != nil {
			return errors.New("the temporary slot is still there")
		}
		return nil
	})
	compare(t, lines(run(t, s.config(export.LSN, s.until())).all()), `insert "public"."a" new{id=3}`, "commit")
}

// lockedBuffer is a log that several goroutines may write.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.String()
}

func TestCreateSlot_WaitsAndCanBeCancelled(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t, embedpg.Options{})
	dsn := server.DSN("postgres")
	pgtest.Exec(t, dsn, "CREATE TABLE a (id int)")
	writer := connect(t, dsn)
	_, err := writer.Exec(context.Background(), "BEGIN; INSERT INTO a VALUES (1)")
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	var log lockedBuffer
	done := make(chan error, 1)
	go func() {
		_, err := replication.CreateSlot(ctx, dsn, "waits", false, slog.New(slog.NewTextHandler(&log, nil)))
		done <- err
	}()
	pgtest.Eventually(t, 10*time.Second, func() error {
		if !strings.Contains(log.text(), "waits for a running transaction") {
			return errors.New("nothing is logged")
		}
		return nil
	})
	if pid := pgtest.Rows(t, dsn, "SELECT pid FROM pg_stat_activity WHERE backend_xid IS NOT NULL")[0][0]; !strings.Contains(log.text(), "pid="+pid) {
		t.Errorf("log %q does not name backend %s", log.text(), pid)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	pgtest.Eventually(t, 10*time.Second, func() error {
		if rows := pgtest.Rows(t, dsn, "SELECT slot_name FROM pg_replication_slots"); len(rows) > 0 {
			return errors.New("the slot is left behind")
		}
		return nil
	})
}

func TestSlot_LookupAndDrop(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newSource(t, pgtest.Database(t), `CREATE TABLE a (id int PRIMARY KEY)`, tables("a"), nil)
	conn := connect(t, s.dsn)
	slot, err := replication.LookupSlot(ctx, conn, s.slot)
	must(t, err)
	if slot.Plugin != "pgoutput" || slot.Type != "logical" || slot.Database != s.slot || slot.ConfirmedLSN != s.start ||
		slot.RestartLSN == 0 || slot.RestartLSN > s.start || slot.WALStatus != "reserved" || slot.Lost() || slot.Active {
		t.Errorf("got %+v", slot)
	}
	r := run(t, s.config(s.start, 0))
	r.next()
	err = replication.DropSlot(ctx, conn, s.slot)
	if e, ok := errors.AsType[*replication.SlotError](err); !ok || !errors.Is(e.Reason, replication.ErrSlotInUse) || e.PID == 0 {
		t.Errorf("got %v", err)
	}
	r.stop()
	must(t, replication.DropSlot(ctx, conn, s.slot))
	must(t, replication.DropSlot(ctx, conn, s.slot))
	if slot, err := replication.LookupSlot(ctx, conn, s.slot); slot != nil || err != nil {
		t.Errorf("got %+v, %v", slot, err)
	}
}

func TestIdentifySystem(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	system, err := replication.IdentifySystem(context.Background(), dsn)
	must(t, err)
	want := pgtest.Rows(t, dsn, "SELECT system_identifier, current_database() FROM pg_control_system()")[0]
	if system.SystemID != want[0] || system.Database != want[1] || system.Timeline != 1 || system.LSN == 0 {
		t.Errorf("got %+v, want %v", system, want)
	}
}

// runError runs a reader that must fail, and returns what Run and Next say.
func runError(t *testing.T, cfg replication.ReaderConfig) *replication.SlotError {
	t.Helper()
	r, err := replication.NewReader(cfg)
	must(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	for err = nil; err == nil; {
		_, err = r.Next(ctx)
	}
	if other := <-done; !errors.Is(err, other) {
		t.Errorf("Run: %v, Next: %v", other, err)
	}
	e, ok := errors.AsType[*replication.SlotError](err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	return e
}

func TestReader_SaysWhyItCannotRead(t *testing.T) {
	t.Parallel()
	s := newSource(t, pgtest.Database(t), `CREATE TABLE a (id int PRIMARY KEY)`, tables("a"), nil)
	other := newSource(t, pgtest.Database(t), `CREATE TABLE a (id int PRIMARY KEY)`, tables("a"), nil)
	pgtest.Exec(t, s.dsn, "SELECT pg_create_logical_replication_slot('"+s.slot+"_test', 'test_decoding')", "INSERT INTO a VALUES (1)")
	holder := run(t, other.config(other.start, 0))
	holder.next()
	config := func(change func(*replication.ReaderConfig)) replication.ReaderConfig {
		cfg := s.config(s.start, 0)
		change(&cfg)
		return cfg
	}
	for name, c := range map[string]struct {
		cfg    replication.ReaderConfig
		reason error
		retry  bool
		text   string
	}{
		"missing":     {config(func(c *replication.ReaderConfig) { c.Slot = "no such" }), replication.ErrSlotMissing, false, `read slot "no such" at 0/`},
		"in use":      {other.config(other.start, 0), replication.ErrSlotInUse, true, "by backend "},
		"database":    {config(func(c *replication.ReaderConfig) { c.Slot = other.slot }), replication.ErrSlotForeign, false, `belongs to database "` + other.slot + `"`},
		"plugin":      {config(func(c *replication.ReaderConfig) { c.Slot += "_test" }), replication.ErrSlotForeign, false, `"test_decoding"`},
		"publication": {config(func(c *replication.ReaderConfig) { c.Publications = []string{"Nope"} }), replication.ErrPublicationMissing, false, `"Nope"`},
		"nobody there": {
			config(func(c *replication.ReaderConfig) { c.DSN = "host=127.0.0.1 port=1 dbname=x user=x" }),
			replication.ErrConnectionLost, true, "open replication connection",
		},
		"no such role": {config(func(c *replication.ReaderConfig) { c.DSN = strings.Replace(c.DSN, "://", "://nobody_", 1) }), nil, false, "nobody_"},
	} {
		e := runError(t, c.cfg)
		if !errors.Is(e.Reason, c.reason) || replication.Retryable(e) != c.retry || !strings.Contains(e.Error(), c.text) {
			t.Errorf("%s: got %v (%v), retryable %v", name, e, e.Reason, replication.Retryable(e))
		}
	}
}

func TestReader_WALRemoved(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t, embedpg.Options{Settings: map[string]string{"max_slot_wal_keep_size": "1MB", "max_wal_size": "32MB", "min_wal_size": "32MB"}})
	s := newSource(t, server.DSN("postgres"), `CREATE TABLE a (id int PRIMARY KEY)`, tables("a"), nil)
	for range 6 {
		pgtest.Exec(t, s.dsn, "SELECT pg_switch_wal()", "CREATE TABLE IF NOT EXISTS x ()", "INSERT INTO a SELECT count(*) FROM a", "CHECKPOINT")
	}
	e := runError(t, s.config(s.start, 0))
	if !errors.Is(e.Reason, replication.ErrWALRemoved) || replication.Retryable(e) || e.Hint() == "" {
		t.Errorf("got %v", e)
	}
}

func TestReader_ConnectionCut(t *testing.T) {
	t.Parallel()
	s := newSource(t, pgtest.Database(t), `CREATE TABLE a (id int PRIMARY KEY)`, tables("a"), nil)
	cut := make(chan struct{})
	go func() {
		defer close(cut)
		pgtest.Eventually(t, 10*time.Second, func() error {
			rows := pgtest.Rows(t, s.dsn, "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active_pid IS NOT NULL AND slot_name = '"+s.slot+"'")
			if len(rows) == 0 {
				return errors.New("not active")
			}
			return nil
		})
	}()
	if e := runError(t, s.config(s.start, 0)); !replication.Retryable(e) {
		t.Errorf("got %v", e)
	}
	<-cut
}
