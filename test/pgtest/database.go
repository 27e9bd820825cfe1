package pgtest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// databases numbers the databases of this process.
var databases atomic.Int64

// Database makes a database of the test's own on the shared server, whose
// wal_level is logical, and returns its URL. At the end of the test its sessions
// are ended, its replication slots and the database itself dropped.
func Database(t testing.TB) string {
	t.Helper()
	return database(t, version(t, "AUTOCDC_TEST_PG"))
}

// TargetDatabase is Database for the target of a replication test: on another
// server where AUTOCDC_TEST_PG_TARGET asks for another version.
func TargetDatabase(t testing.TB) string {
	t.Helper()
	if os.Getenv("AUTOCDC_TEST_PG_TARGET") == "" {
		return Database(t)
	}
	return database(t, version(t, "AUTOCDC_TEST_PG_TARGET"))
}

func database(t testing.TB, version int) string {
	t.Helper()
	s := sharedServer(t, version)
	name := databaseName(t.Name(), databases.Add(1))
	Exec(t, s.DSN("postgres"), "CREATE DATABASE "+pgx.Identifier{name}.Sanitize())
	t.Cleanup(func() { drop(t, s.DSN("postgres"), name) })
	return s.DSN(name)
}

// databaseName is readable in pg_stat_activity and needs no quoting.
func databaseName(test string, n int64) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(test))
	return fmt.Sprintf("t%d_%.40s", n, name)
}

// drop repeats until it works: a walsender needs a moment to let go of its slot,
// and a service that the test still ends may connect again meanwhile.
func drop(t testing.TB, dsn, name string) {
	t.Helper()
	Eventually(t, 30*time.Second, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		conn, err := pgx.Connect(ctx, dsn)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		return dropWith(ctx, conn, name)
	})
}

func dropWith(ctx context.Context, conn *pgx.Conn, name string) error {
	steps := []string{
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1",
		"SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE database = $1 AND active_pid IS NOT NULL",
		"SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = $1",
	}
	for _, sql := range steps {
		if _, err := conn.Exec(ctx, sql, name); err != nil {
			return err
		}
	}
	_, err := conn.Exec(ctx, "DROP DATABASE IF EXISTS "+pgx.Identifier{name}.Sanitize()+" WITH (FORCE)")
	return err
}
