package autocdc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/test/pgtest"
)

// pipelines numbers the pipelines of this process: slots belong to a server, not
// to a database.
var pipelines atomic.Int64

// shop is a pipeline between two fresh databases.
type shop struct {
	*autocdc.Pipeline
	t              *testing.T
	source, target string
}

func newShop(t *testing.T, ddl, flows string) *shop {
	t.Helper()
	s := &shop{t: t, source: pgtest.Database(t), target: pgtest.TargetDatabase(t)}
	pgtest.Exec(t, s.source, ddl)
	pgtest.Exec(t, s.target, "CREATE SCHEMA dw")
	file, err := autocdc.ParseFlows("flows.sql", []byte(flows))
	if err != nil {
		t.Fatal(err)
	}
	s.Pipeline = &autocdc.Pipeline{
		Name: fmt.Sprintf("root_%d", pipelines.Add(1)), Target: s.target,
		Sources: []autocdc.Source{{Name: "shop", DSN: s.source}},
		Log:     slog.New(slog.NewTextHandler(testWriter{t}, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	s.Files = append(s.Files, file)
	return s
}

// testWriter sends the log to the test's.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(b []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(b)))
	return len(b), nil
}

func (s *shop) triggered() {
	s.t.Helper()
	if err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true}); err != nil {
		s.t.Fatalf("triggered run: %v", err)
	}
}

// start runs continuously; the returned function stops that and waits.
func (s *shop) start(opts autocdc.RunOptions) (stop func()) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, opts) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			s.t.Errorf("run: %v", err)
		}
	}
	s.t.Cleanup(stop)
	return stop
}

// eventually waits until a query gives rows on the target.
func (s *shop) eventually(query string, want ...string) {
	s.t.Helper()
	pgtest.Eventually(s.t, 30*time.Second, func() error {
		conn := pgtest.Conn(s.t, s.target)
		defer conn.Close(context.Background())
		rows, err := conn.Query(context.Background(), query)
		if err != nil {
			return err
		}
		defer rows.Close()
		var got []string
		for rows.Next() {
			got = append(got, line(rows.RawValues()))
		}
		if err := rows.Err(); err != nil {
			return err
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("%s\ngot  %q\nwant %q", query, got, want)
		}
		return nil
	})
}

func line(row [][]byte) string {
	var cells []string
	for _, v := range row {
		if v == nil {
			cells = append(cells, "∅")
			continue
		}
		cells = append(cells, string(v))
	}
	return strings.Join(cells, "|")
}

const customers = `
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE customer (id int PRIMARY KEY, name text, mood mood);
INSERT INTO customer VALUES (1, 'Ada', 'ok'), (2, 'Grace', 'sad');`

const customerFlows = `
CREATE STREAMING TABLE dw.customer;
CREATE FLOW customer AS AUTO CDC INTO dw.customer FROM CHANGES(customer) KEYS (id);
CREATE STREAMING TABLE dw.customer_history;
CREATE FLOW customer_history AS AUTO CDC INTO dw.customer_history FROM CHANGES(shop.public.customer) KEYS (id)
STORED AS SCD TYPE 2;`

const (
	currentRows = "SELECT id::text, name, mood FROM dw.customer ORDER BY id"
	historyRows = "SELECT id::text, name, mood, (__end_at IS NULL)::text FROM dw.customer_history ORDER BY id, __start_at"
)

func TestRun_CopiesThenFollows(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers, customerFlows)
	s.triggered()
	s.eventually(currentRows, "1|Ada|ok", "2|Grace|sad")
	s.eventually(historyRows, "1|Ada|ok|true", "2|Grace|sad|true")
	pgtest.Exec(t, s.source,
		"UPDATE customer SET name = 'Ada L' WHERE id = 1",
		"DELETE FROM customer WHERE id = 2",
		"INSERT INTO customer VALUES (3, 'Edsger', NULL)")
	s.triggered()
	s.eventually(currentRows, "1|Ada L|ok", "3|Edsger|∅")
	s.eventually(historyRows, "1|Ada|ok|false", "1|Ada L|ok|true", "2|Grace|sad|false", "3|Edsger|∅|true")
}

func TestRun_FollowsWhileRunning_AlsoAnAddedColumn(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers, customerFlows)
	stop := s.start(autocdc.RunOptions{})
	s.eventually(currentRows, "1|Ada|ok", "2|Grace|sad")
	pgtest.Exec(t, s.source,
		"ALTER TABLE customer ADD COLUMN city text",
		"UPDATE customer SET city = 'Berlin' WHERE id = 1")
	s.eventually("SELECT id::text, city FROM dw.customer ORDER BY id", "1|Berlin", "2|∅")
	s.eventually("SELECT id::text, city FROM dw.customer_history ORDER BY id, __start_at", "1|∅", "1|Berlin", "2|∅")
	stop()
	pgtest.Exec(t, s.source, "UPDATE customer SET city = 'Rome' WHERE id = 2")
	s.triggered()
	s.eventually("SELECT id::text, city FROM dw.customer ORDER BY id", "1|Berlin", "2|Rome")
}

// Runs that end by themselves, one change each: a change that was read again would
// end a version before it began.
func TestRun_GoesOnFromItsCheckpoint(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers, customerFlows)
	s.triggered()
	want := []string{"1|Ada|ok|false"}
	for i := range 4 {
		pgtest.Exec(t, s.source, "UPDATE customer SET name = 'a' WHERE id = 1", "UPDATE customer SET name = 'b' WHERE id = 1")
		s.triggered()
		want = append(want, "1|a|ok|false", fmt.Sprintf("1|b|ok|%t", i == 3))
	}
	s.eventually(historyRows, append(want, "2|Grace|sad|true")...)
}

func TestRun_StreamsEventsInTheirOwnOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t, `
CREATE TABLE feed (sku text, price int, at int, gone bool);
INSERT INTO feed VALUES ('tea', 5, 10, false), ('tea', 7, 30, false);`, `
CREATE STREAMING TABLE dw.price;
CREATE FLOW price AS AUTO CDC INTO dw.price FROM STREAM(feed) KEYS (sku)
APPLY AS DELETE WHEN gone SEQUENCE BY at COLUMNS (sku, price) STORED AS SCD TYPE 2;`)
	const query = "SELECT sku, price::text, __start_at::text, __end_at::text FROM dw.price ORDER BY 1, __start_at"
	s.triggered()
	s.eventually(query, "tea|5|10|30", "tea|7|30|∅")
	pgtest.Exec(t, s.source, "INSERT INTO feed VALUES ('tea', 6, 20, false), ('tea', NULL, 40, true)")
	s.triggered()
	s.eventually(query, "tea|5|10|20", "tea|6|20|30", "tea|7|30|40")
}

func TestRun_StoresARowsOwnColumnsWhereTheyAreNamed(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers, `
CREATE STREAMING TABLE dw.c;
CREATE FLOW c AS AUTO CDC INTO dw.c FROM CHANGES(customer) KEYS (id) COLUMNS (id, __op, __lsn, __commit_ts, __xid);
CREATE STREAMING TABLE dw.h;
CREATE FLOW h AS AUTO CDC INTO dw.h FROM CHANGES(customer) KEYS (id) COLUMNS (id, __op, __xid) STORED AS SCD TYPE 2;`)
	s.triggered()
	s.eventually("SELECT id::text, __op, (__lsn = __sequence)::text, (__commit_ts <= now())::text FROM dw.c ORDER BY id",
		"1|snapshot|true|true", "2|snapshot|true|true")
	pgtest.Exec(t, s.source, "UPDATE customer SET name = 'Ada L' WHERE id = 1", "INSERT INTO customer VALUES (3, 'Edsger', NULL)")
	s.triggered()
	s.eventually("SELECT id::text, __op, (__xid > 0)::text FROM dw.c ORDER BY id", "1|update|true", "2|snapshot|∅", "3|insert|true")
	s.eventually("SELECT id::text, __op FROM dw.h ORDER BY id, __start_at", "1|snapshot", "1|update", "2|snapshot", "3|insert")
}

func TestRun_RefusesASecondRun(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers, customerFlows)
	s.start(autocdc.RunOptions{})
	s.eventually(currentRows, "1|Ada|ok", "2|Grace|sad")
	var running *merge.RunningError
	if err := s.Run(context.Background(), autocdc.RunOptions{}); !errors.As(err, &running) {
		t.Errorf("want a RunningError, got %v", err)
	}
}

func TestRun_RefusesASlotThatTheTargetDoesNotKnow(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers, customerFlows)
	pgtest.Exec(t, s.source, fmt.Sprintf("SELECT pg_create_logical_replication_slot('%s_shop', 'pgoutput')", s.Name))
	err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true})
	if err == nil || !strings.Contains(err.Error(), "the target knows nothing of it") {
		t.Errorf("want a refusal, got %v", err)
	}
	if rows := pgtest.Rows(t, s.target, "SELECT nspname FROM pg_namespace WHERE nspname = 'autocdc'"); len(rows) > 0 {
		t.Error("the refused run left its state behind")
	}
}

func TestRun_StopsOneFlowAndFinishesTheOthers(t *testing.T) {
	t.Parallel()
	s := newShop(t, "CREATE TABLE a (id int PRIMARY KEY, v int); CREATE TABLE b (id int PRIMARY KEY, v int);", `
CREATE STREAMING TABLE dw.a; CREATE FLOW a AS AUTO CDC INTO dw.a FROM CHANGES(a) KEYS (id);
CREATE STREAMING TABLE dw.b; CREATE FLOW b AS AUTO CDC INTO dw.b FROM CHANGES(b) KEYS (id);`)
	s.triggered()
	pgtest.Exec(t, s.target, "ALTER TABLE dw.a ADD CHECK (v < 10)")
	pgtest.Exec(t, s.source, "INSERT INTO a VALUES (1, 1)", "INSERT INTO a VALUES (2, 10)", "INSERT INTO b VALUES (1, 10)")
	err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true})
	var stopped *autocdc.StoppedError
	if !errors.As(err, &stopped) || len(stopped.Flows) != 1 || stopped.Flows["a"] == nil {
		t.Fatalf("want flow a stopped, got %v", err)
	}
	s.eventually("SELECT id::text FROM dw.a", "1")
	s.eventually("SELECT id::text FROM dw.b", "1")
	pgtest.Exec(t, s.target, "ALTER TABLE dw.a DROP CONSTRAINT a_v_check")
	s.triggered()
	s.eventually("SELECT id::text FROM dw.a ORDER BY id", "1", "2")
}

func TestRun_CopiesAFlowThatComesLater(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers+"CREATE TABLE city (name text PRIMARY KEY); INSERT INTO city VALUES ('Rome');", customerFlows)
	s.triggered()
	pgtest.Exec(t, s.source, "INSERT INTO city VALUES ('Oslo')", "DELETE FROM customer WHERE id = 2")
	file, err := autocdc.ParseFlows("more.sql", []byte("CREATE STREAMING TABLE dw.city; CREATE FLOW city AS AUTO CDC INTO dw.city FROM CHANGES(city) KEYS (name);"))
	if err != nil {
		t.Fatal(err)
	}
	s.Files = append(s.Files, file)
	s.triggered()
	pgtest.Exec(t, s.source, "DELETE FROM city WHERE name = 'Rome'")
	s.triggered()
	s.eventually("SELECT name FROM dw.city ORDER BY 1", "Oslo")
	s.eventually(currentRows, "1|Ada|ok")
}

func TestStatus_TellsWhyAFlowThatWasAwayDoesNotGoOn(t *testing.T) {
	t.Parallel()
	s := newShop(t, "CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY)", `
CREATE STREAMING TABLE dw.a; CREATE FLOW a AS AUTO CDC INTO dw.a FROM CHANGES(a) KEYS (id);
CREATE STREAMING TABLE dw.b; CREATE FLOW b AS AUTO CDC INTO dw.b FROM CHANGES(b) KEYS (id);`)
	s.triggered()
	both := s.Files[0].Statements
	s.Files[0].Statements = both[:2]
	s.triggered()
	s.hasError("b", "")
	s.Files[0].Statements = both
	if err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true}); err == nil {
		t.Error("a flow that missed changes goes on")
	}
	s.hasError("b", "was not in the files")
}

func TestRun_ServesHealthAndMetrics(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers, customerFlows)
	const addr = "127.0.0.1:18427"
	s.start(autocdc.RunOptions{HTTP: addr})
	pgtest.Eventually(t, 30*time.Second, func() error { return serves(addr, "/readyz", "ready") })
	pgtest.Exec(t, s.source, "DELETE FROM customer WHERE id = 2")
	pgtest.Eventually(t, 30*time.Second, func() error {
		return errors.Join(
			serves(addr, "/healthz", "ok"),
			serves(addr, "/metrics", `autocdc_rows_total{flow="customer",op="delete",source="shop"} 1`),
			serves(addr, "/metrics", `autocdc_lag_bytes{source="shop"}`),
			serves(addr, "/metrics", `autocdc_flow_stopped{flow="customer",source="shop"} 0`),
			serves(addr, "/metrics", `autocdc_batch_seconds_count{source="shop"}`))
	})
}

func serves(addr, path, want string) error {
	resp, err := http.Get("http://" + addr + path)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && (resp.StatusCode != http.StatusOK || !strings.Contains(string(body), want)) {
		err = fmt.Errorf("%s: %s: no %q in\n%s", path, resp.Status, want, body)
	}
	return err
}

// hasError demands that the status tells of the flow's error; empty: of none.
func (s *shop) hasError(flow, part string) {
	s.t.Helper()
	status, err := s.Status(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, f := range status.Sources[0].Flows {
		if f.Name == flow && (f.Error == "") == (part == "") && strings.Contains(f.Error, part) {
			return
		}
	}
	s.t.Errorf("the status has no error %q of flow %s: %+v", part, flow, status)
}

func TestRun_StopsAFlowWhoseCopyFails(t *testing.T) {
	t.Parallel()
	s := newShop(t, "CREATE TABLE a (id int PRIMARY KEY, v int); CREATE TABLE b (id int PRIMARY KEY); INSERT INTO a VALUES (1, 10); INSERT INTO b VALUES (1)", `
CREATE STREAMING TABLE dw.a; CREATE FLOW a AS AUTO CDC INTO dw.a FROM CHANGES(a) KEYS (id);
CREATE STREAMING TABLE dw.b; CREATE FLOW b AS AUTO CDC INTO dw.b FROM CHANGES(b) KEYS (id);`)
	pgtest.Exec(t, s.target, "CREATE TABLE dw.a (id int PRIMARY KEY, v int, __sequence pg_lsn NOT NULL, CONSTRAINT small CHECK (v < 10))")
	var stopped *autocdc.StoppedError
	for range 2 {
		err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true})
		if !errors.As(err, &stopped) || len(stopped.Flows) != 1 || stopped.Flows["a"] == nil {
			t.Fatalf("want flow a stopped, got %v", err)
		}
		s.hasError("a", "small")
		pgtest.Exec(t, s.source, "INSERT INTO b SELECT max(id) + 1 FROM b", "INSERT INTO a SELECT max(id) + 1, 1 FROM a")
	}
	s.eventually("SELECT id::text FROM dw.b ORDER BY id", "1", "2")
	pgtest.Exec(t, s.target, "ALTER TABLE dw.a DROP CONSTRAINT small")
	s.triggered()
	s.hasError("a", "")
	s.eventually("SELECT id::text FROM dw.a ORDER BY id", "1", "2", "3")
	s.eventually("SELECT id::text FROM dw.b ORDER BY id", "1", "2", "3")
}
