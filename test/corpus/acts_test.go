package corpus

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload/service"
)

// settle plays what is left, waits for it, and compares everything.
func (s *scene) settle(t *testing.T, p *service.Process) {
	t.Helper()
	s.arrive(t, "settled")
	s.arrived(t, p, "settled")
	p.Kill()
	s.Triggered()
	s.compare(t, p.Log())
}

func (s *scene) compare(t *testing.T, log string) {
	t.Helper()
	for _, play := range s.plays {
		s.verify(t, play, log)
	}
}

// copied runs the first copy and notes what it held.
func (s *scene) copied(t *testing.T) {
	t.Helper()
	s.Triggered()
	for _, play := range s.plays {
		play.note(t, s.read)
	}
}

// write runs SQL at the source as one transaction of the scene's only case.
func (s *scene) write(t *testing.T, sql string) {
	t.Helper()
	pgtest.Exec(t, s.source, sql)
	s.plays[0].note(t, s.read)
}

// hold runs SQL in a transaction that stays open until release is called. A lock in
// share mode stops writers and, having no number, nobody who makes a slot.
func hold(t *testing.T, dsn, sql string) (release func()) {
	t.Helper()
	conn := pgtest.Conn(t, dsn)
	exec(t, conn, pinned)
	exec(t, conn, "BEGIN")
	exec(t, conn, sql)
	return func() { exec(t, conn, "COMMIT") }
}

// eventually waits until a query gives a row.
func eventually(t *testing.T, p *service.Process, dsn, sql string) {
	t.Helper()
	conn := reader(t, dsn)
	pgtest.Eventually(t, time.Minute, func() error {
		if len(query(t, conn, sql)) > 0 {
			return nil
		}
		if p == nil {
			return fmt.Errorf("no row yet of %s", sql)
		}
		return fmt.Errorf("no row yet of %s; the service says\n%s", sql, p.Log())
	})
}

// meanwhile repeats a statement until the returned function is called, which tells
// how often it ran. Errors of the statement fail the test.
func meanwhile(t *testing.T, dsn string, repeat func(ctx context.Context, conn *pgx.Conn) error) (stop func() int) {
	t.Helper()
	conn := pgtest.Conn(t, dsn)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	n := 0
	go func() {
		var err error
		for err == nil && ctx.Err() == nil {
			err = repeat(context.WithoutCancel(ctx), conn)
			n++
		}
		ended <- err
	}()
	return func() int {
		t.Helper()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("meanwhile: %v", err)
		}
		return n
	}
}

func statement(sql string) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.PgConn().Exec(ctx, sql).ReadAll()
		return err
	}
}
