package mysql_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/autocdc/autocdc/snapshot"
	"github.com/autocdc/autocdc/snapshot/mysql"
	"github.com/autocdc/autocdc/test/fault"
	"github.com/autocdc/autocdc/test/mariadb"
	"github.com/autocdc/autocdc/test/pgtest"
)

// many returns a query of n rows of about 250 bytes each, from nothing.
func many(n int) string {
	return fmt.Sprintf("WITH RECURSIVE s AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM s WHERE n < 1000) "+
		"SELECT a.n * 1000 + b.n AS n, repeat('x', 250) AS x FROM s AS a CROSS JOIN s AS b WHERE a.n <= %d", n/1000)
}

func connectionID(t *testing.T, conn *mysql.Conn) int {
	t.Helper()
	id, err := strconv.Atoi(one(t, conn, "SELECT CONNECTION_ID()"))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func read(t *testing.T, ctx context.Context, rows snapshot.Rows, n int) {
	t.Helper()
	for i := range n {
		if !rows.Next(ctx) {
			t.Fatalf("only %d rows: %v", i, rows.Err())
		}
	}
}

func TestRows_HoldsOneRow(t *testing.T) {
	t.Parallel()
	conn := open(t, mariadb.Database(t))
	rows := query(t, conn, many(400_000)) // 100 MB
	peak, n := uint64(0), 0
	for rows.Next(context.Background()) {
		if n++; n%50_000 == 0 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil || n != 400_000 {
		t.Fatalf("%d rows, %v", n, err)
	}
	if want := "row 400000 of the query"; rows.Where() != want {
		t.Errorf("got %q, want %q", rows.Where(), want)
	}
	if peak > 40<<20 { // with what the parallel tests hold
		t.Errorf("%d MiB live while rows were read", peak>>20)
	}
}

func TestRows_CutConnectionIsAnErrorNotTheEnd(t *testing.T) {
	t.Parallel()
	proxy, dsn := fault.NewProxy(t, mariadb.Database(t))
	conn := open(t, dsn)
	rows := query(t, conn, many(400_000))
	read(t, context.Background(), rows, 1000)
	proxy.Cut()
	n := 1000
	for rows.Next(context.Background()) {
		n++
	}
	if err := rows.Err(); !errors.Is(err, mysql.ErrLost) {
		t.Errorf("after %d rows: %v, want that the connection was lost", n, err)
	}
	mustSay(t, rows.Err(), fmt.Sprintf("read after row %d of the query", n))
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
	mustSay(t, failure(t, conn, "SELECT 1"), "ended before", "lost")
}

func TestRows_KilledQueryIsAnErrorNotTheEnd(t *testing.T) {
	t.Parallel()
	dsn := mariadb.Database(t)
	conn := open(t, dsn)
	id := connectionID(t, conn)
	rows := query(t, conn, many(400_000))
	read(t, context.Background(), rows, 1000)
	mariadb.Exec(t, dsn, fmt.Sprintf("KILL QUERY %d", id))
	for rows.Next(context.Background()) {
	}
	mustSay(t, rows.Err(), "1317", "someone at the server")
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
	if got := one(t, conn, "SELECT 1"); got != "1" { // the snapshot is as it was
		t.Errorf("got %q", got)
	}
}

func TestClose_BeforeTheEndEndsTheQueryNotTheSnapshot(t *testing.T) {
	t.Parallel()
	dsn := mariadb.Database(t)
	mariadb.Exec(t, dsn, "CREATE TABLE t (n int); INSERT INTO t VALUES (1)")
	conn := open(t, dsn)
	mariadb.Exec(t, dsn, "UPDATE t SET n = 2")
	for _, sql := range []string{many(1_000_000), "SELECT 1 AS a UNION SELECT 2", "SELECT SLEEP(0)"} {
		for _, n := range []int{0, 1} {
			rows := query(t, conn, sql)
			read(t, context.Background(), rows, n)
			began := time.Now()
			if err := rows.Close(); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("close took %s", took)
			}
			if got := one(t, conn, "SELECT n FROM t"); got != "1" {
				t.Fatalf("got %s, want what was there when the snapshot was taken", got)
			}
		}
	}
}

// TestQuery_EndOfContextEndsTheQueryAtTheServer asks something that takes an hour
// and sends no row that would tell the server that nobody listens.
func TestQuery_EndOfContextEndsTheQueryAtTheServer(t *testing.T) {
	t.Parallel()
	dsn := mariadb.Database(t)
	for name, ask := range map[string]func(ctx context.Context, conn *mysql.Conn) error{
		"query": func(ctx context.Context, conn *mysql.Conn) error {
			_, err := conn.Query(ctx, "SELECT SLEEP(3600)")
			if err == nil {
				return errors.New("the query returned")
			}
			return err
		},
		"rows": func(ctx context.Context, conn *mysql.Conn) error {
			rows, err := conn.Query(context.Background(),
				"SELECT IF(n = 1, repeat('x', 100000), SLEEP(3600)) AS s FROM (SELECT 1 AS n UNION ALL SELECT 2) q")
			if err != nil {
				return err
			}
			for rows.Next(ctx) {
			}
			return errors.Join(rows.Err(), rows.Close())
		},
		"describe": func(ctx context.Context, conn *mysql.Conn) error {
			_, err := conn.Describe(ctx, "SELECT SLEEP(3600) LIMIT 1")
			return err
		},
	} {
		conn := open(t, dsn)
		id := connectionID(t, conn)
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		began := time.Now()
		err := ask(ctx, conn)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want that the context ended", name, err)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: took %s", name, took)
		}
		pgtest.Eventually(t, 10*time.Second, func() error {
			if left := mariadb.Value(t, dsn, fmt.Sprintf("SELECT count(*) FROM information_schema.PROCESSLIST WHERE ID = %d", id)); left != "0" {
				return fmt.Errorf("%s: connection %d is still at the server", name, id)
			}
			return nil
		})
		mustSay(t, failure(t, conn, "SELECT 1"), "ended before")
	}
}
