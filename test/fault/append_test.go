package fault_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

const appends = `
CREATE STREAMING TABLE hist.line;
CREATE FLOW line AS INSERT INTO hist.line BY NAME SELECT l.id, n FROM STREAM(line) AS l, generate_series(1, l.copies) AS n;
CREATE STREAMING TABLE hist.old;
CREATE FLOW old AS INSERT INTO ONCE hist.old BY NAME SELECT id FROM old WHERE pg_sleep(0.001) IS NOT NULL;`

// Appended rows have no key: one that came twice would show, and one that was lost.
func TestRun_AppendsEachRowOnceHoweverOftenItIsKilled(t *testing.T) {
	t.Parallel()
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, "CREATE TABLE line (id int GENERATED ALWAYS AS IDENTITY, copies int)", "CREATE TABLE old AS SELECT generate_series(1, 600) AS id")
	pgtest.Exec(t, target, workload.Schemas())
	s := service.New(t, service.Config{Pipeline: "append", Sources: map[string]string{"shop": source}, Target: target}, appends)
	rng := workload.Rand(workload.Seed(t), 3)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- writeLines(ctx, t, source) }()
	for range rounds(6, 40) {
		p := s.Start()
		dsn, table := source, "line" // at any moment
		if rng.IntN(3) > 0 {
			dsn, table = target, "hist.line" // when something has come
		}
		goal := ids(dsn, table) + 1 + rng.Int64N(200)
		pgtest.Eventually(t, time.Minute, func() error {
			if n := ids(dsn, table); n < goal {
				return fmt.Errorf("%s has %d lines, wait for %d:\n%s", table, n, goal, p.Log())
			}
			return nil
		})
		p.Kill()
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	s.Triggered()
	s.Triggered()
	want := pgtest.Rows(t, source, "SELECT sum(copies), count(*) FILTER (WHERE copies > 0), (SELECT count(*) FROM old), 600 FROM line")
	got := pgtest.Rows(t, target, "SELECT count(*), count(DISTINCT id), (SELECT count(*) FROM hist.old), (SELECT count(DISTINCT id) FROM hist.old) FROM hist.line")
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("rows, distinct: got %v, want %v", got, want)
	}
	if twice := pgtest.Rows(t, target, "SELECT id, n FROM hist.line GROUP BY id, n HAVING count(*) > 1"); len(twice) > 0 {
		t.Errorf("twice: %v", twice)
	}
}

// writeLines commits some lines at a time, of which one has no row in the target.
func writeLines(ctx context.Context, t *testing.T, dsn string) error {
	t.Helper()
	conn := pgtest.Conn(t, dsn)
	defer conn.Close(context.WithoutCancel(ctx))
	for ctx.Err() == nil {
		if _, err := conn.Exec(context.WithoutCancel(ctx), "INSERT INTO line (copies) SELECT i % 4 FROM generate_series(1, 1 + CAST(random() * 20 AS int)) AS i; SELECT pg_sleep(0.002)"); err != nil {
			return err
		}
	}
	return nil
}

// ids counts them; a table that is not there yet has none.
func ids(dsn, table string) int64 {
	n, err := tryRows(dsn, "SELECT DISTINCT id FROM "+table)
	if err != nil {
		return 0
	}
	return n
}
