package replication_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/replication"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// quiet is the log of tests that do not look at it.
var quiet = slog.New(slog.DiscardHandler)

// source is a database with publications and a slot.
type source struct {
	t     testing.TB
	dsn   string
	slot  string
	pubs  []string
	start pglogrepl.LSN
	stamp time.Time
}

// newSource makes the tables of ddl, publishes those named (and feeds), and
// makes a slot.
func newSource(t testing.TB, dsn, ddl string, changes, feeds []schema.Name) *source {
	t.Helper()
	ctx := context.Background()
	pgtest.Exec(t, dsn, ddl)
	conn := pgtest.Conn(t, dsn)
	var database string
	must(t, conn.QueryRow(ctx, "SELECT current_database()").Scan(&database))
	s := &source{t: t, dsn: dsn, slot: database, pubs: []string{"pub", replication.FeedsPublication("pub")}}
	must(t, replication.EnsurePublications(ctx, conn, "pub", changes, feeds))
	export, err := replication.CreateSlot(ctx, dsn, s.slot, false, quiet)
	must(t, err)
	s.start, s.stamp = export.LSN, export.Stamp
	must(t, export.Close())
	return s
}

func tables(names ...string) []schema.Name {
	list := make([]schema.Name, len(names))
	for i, n := range names {
		list[i] = schema.Name{Schema: "public", Name: n}
	}
	return list
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// until returns the end of what is committed now.
func (s *source) until() pglogrepl.LSN {
	s.t.Helper()
	lsn, err := replication.CurrentLSN(context.Background(), pgtest.Conn(s.t, s.dsn))
	must(s.t, err)
	return lsn
}

func (s *source) config(from, until pglogrepl.LSN) replication.ReaderConfig {
	return replication.ReaderConfig{DSN: s.dsn, Slot: s.slot, Publications: s.pubs, From: from, Stamp: s.stamp, Until: until, Log: quiet}
}

// running is a Reader whose Run is under way.
type running struct {
	*replication.Reader
	t      testing.TB
	cancel context.CancelFunc
	done   chan error
}

func run(t testing.TB, cfg replication.ReaderConfig) *running {
	t.Helper()
	r, err := replication.NewReader(cfg)
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	run := &running{Reader: r, t: t, cancel: cancel, done: make(chan error, 1)}
	go func() { run.done <- r.Run(ctx) }()
	t.Cleanup(cancel)
	return run
}

// stop cancels Run and waits for its end.
func (r *running) stop() {
	r.t.Helper()
	r.cancel()
	r.wait()
}

func (r *running) wait() {
	r.t.Helper()
	select {
	case err := <-r.done:
		must(r.t, err)
	case <-time.After(20 * time.Second):
		r.t.Fatal("Run does not end")
	}
}

// next returns the next batch, nil at the end.
func (r *running) next() *batch.Batch {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	b, err := r.Next(ctx)
	if errors.Is(err, io.EOF) {
		return nil
	}
	must(r.t, err)
	return b
}

// all reads to the end and acknowledges everything.
func (r *running) all() []*batch.Batch {
	r.t.Helper()
	var all []*batch.Batch
	for b := r.next(); b != nil; b = r.next() {
		all = append(all, b)
		r.Ack(b.LSN)
	}
	r.wait()
	return all
}

// read gives everything from start to now as text.
func (s *source) read() []string {
	s.t.Helper()
	return lines(run(s.t, s.config(s.start, s.until())).all())
}

// lines writes a line per change, and one per transaction's end.
func lines(batches []*batch.Batch) []string {
	var out []string
	for _, b := range batches {
		for _, tx := range b.Txs {
			for _, c := range tx.Changes {
				out = append(out, line(c))
			}
			if tx.EndLSN != 0 {
				out = append(out, "commit")
			}
		}
	}
	return out
}

func line(c batch.Change) string {
	text := fmt.Sprintf("%s %s", c.Op, c.Rel.Name)
	if c.Old != nil {
		text += " old" + row(c.Rel, c.Old)
	}
	if c.New != nil {
		text += " new" + row(c.Rel, c.New)
	}
	return text
}

func row(rel *schema.Relation, t batch.Tuple) string {
	var parts []string
	for i, v := range t.All() {
		value := string(v.Data)
		switch {
		case v.Kind == batch.Null:
			value = "∅"
		case v.Kind == batch.Unchanged:
			value = "…"
		case len(value) > 40:
			value = fmt.Sprintf("%d bytes", len(value))
		}
		parts = append(parts, rel.Columns[i].Name+"="+value)
	}
	return "{" + strings.Join(parts, " ") + "}"
}

func compare(t testing.TB, got []string, want ...string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		var g, w string
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("line %d:\n got %s\nwant %s", i+1, g, w)
		}
	}
}

func connect(t testing.TB, dsn string) *pgx.Conn {
	t.Helper()
	return pgtest.Conn(t, dsn)
}
