package snapshot_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/snapshot"
	"github.com/autocdc/autocdc/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, dsn, name string) *snapshot.Conn {
	t.Helper()
	c, err := snapshot.Open(context.Background(), dsn, name)
	must(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestCopyTo_SeesTheExportedSnapshot(t *testing.T) {
	t.Parallel()
	ctx, dsn := context.Background(), pgtest.Database(t)
	pgtest.Exec(t, dsn, `CREATE TABLE a (id int PRIMARY KEY, v text); INSERT INTO a VALUES (1, E'\\.\n\\N\t"'), (2, NULL), (3, '')`)
	exporter := open(t, dsn, "")
	var name string
	must(t, exporter.Conn().QueryRow(ctx, "SELECT pg_export_snapshot()").Scan(&name))
	pgtest.Exec(t, dsn, `DELETE FROM a WHERE id = 1; INSERT INTO a VALUES (4, 'later')`)
	first, second := open(t, dsn, name), open(t, dsn, name)
	must(t, exporter.Close())
	for _, c := range []*snapshot.Conn{first, second, first} {
		var out bytes.Buffer
		n, err := c.CopyTo(ctx, "COPY (SELECT * FROM public.a ORDER BY id) TO STDOUT", &out)
		must(t, err)
		if want := "1\t\\\\.\\n\\\\N\\t\"\n2\t\\N\n3\t\n"; out.String() != want || n != 3 {
			t.Errorf("%d rows: got %q, want %q", n, out.String(), want)
		}
	}
}

func TestOpen_PinsSettings(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	pgtest.Exec(t, dsn, `DO $$ BEGIN
		EXECUTE format('ALTER DATABASE %I SET timezone = ''Asia/Kolkata''', current_database());
		EXECUTE format('ALTER DATABASE %I SET statement_timeout = ''1s''', current_database());
		EXECUTE format('ALTER DATABASE %I SET idle_in_transaction_session_timeout = ''1s''', current_database());
		EXECUTE format('ALTER DATABASE %I SET synchronize_seqscans = on', current_database());
	END $$`)
	c := open(t, dsn, "")
	for setting, want := range map[string]string{
		"timezone": "UTC", "statement_timeout": "0", "idle_in_transaction_session_timeout": "0", "synchronize_seqscans": "off",
		"max_parallel_workers_per_gather": "0", "transaction_isolation": "repeatable read", "transaction_read_only": "on",
		"row_security": "off", "search_path": "", "extra_float_digits": "3", "lc_monetary": "C",
	} {
		var got string
		must(t, c.Conn().QueryRow(context.Background(), "SELECT current_setting($1)", setting).Scan(&got))
		if got != want && got != `""` {
			t.Errorf("%s = %q, want %q", setting, got, want)
		}
	}
}

func TestOpen_UnknownSnapshot(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	_, err := snapshot.Open(context.Background(), dsn, `00000003-0000001B-1'`)
	if err == nil || !strings.Contains(err.Error(), "open snapshot") {
		t.Errorf("got %v", err)
	}
}

func TestCopyTo_CancelEndsTheQuery(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	c := open(t, dsn, "")
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, err := c.CopyTo(ctx, "COPY (SELECT pg_sleep(1) FROM generate_series(1, 60)) TO STDOUT", &bytes.Buffer{})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	must(t, c.Close())
	pgtest.Eventually(t, 5*time.Second, func() error {
		if rows := pgtest.Rows(t, dsn, "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()"); len(rows) > 0 {
			return errors.New("the query still runs")
		}
		return nil
	})
}

// fails fails at its second write.
type fails struct{ n int }

var errFull = errors.New("disk full")

func (f *fails) Write(p []byte) (int, error) {
	if f.n++; f.n > 1 {
		return 0, errFull
	}
	return len(p), nil
}

func TestCopyTo_WriterFails(t *testing.T) {
	t.Parallel()
	c := open(t, pgtest.Database(t), "")
	_, err := c.CopyTo(context.Background(), "COPY (SELECT generate_series(1, 1000000)) TO STDOUT", &fails{})
	if !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
	must(t, c.Close())
}

func TestCopyTo_QueryFails(t *testing.T) {
	t.Parallel()
	c := open(t, pgtest.Database(t), "")
	if _, err := c.CopyTo(context.Background(), "COPY nothing TO STDOUT", &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("got %v", err)
	}
}
