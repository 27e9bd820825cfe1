package fault_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

const onlyMarker = `
CREATE STREAMING TABLE hist.marker;
CREATE FLOW marker AS AUTO CDC INTO hist.marker FROM CHANGES(marker) KEYS (n) STORED AS SCD TYPE 2;`

// A merge that takes longer than the source's wal_sender_timeout, since somebody
// holds a lock on the target, does not cost the connection; told to stop meanwhile,
// the run ends in time, and the next goes on.
func TestRun_OutlastsALockOnItsTarget(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t, embedpg.Options{InMemory: true, Settings: map[string]string{"wal_sender_timeout": "2s"}})
	source, target := server.DSN("postgres"), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, "CREATE TABLE marker (n int PRIMARY KEY)")
	pgtest.Exec(t, target, workload.Schemas())
	s := service.New(t, service.Config{Pipeline: "block", Sources: map[string]string{"shop": source}, Target: target}, onlyMarker)
	p := s.Start()
	marked := func(n int) {
		t.Helper()
		pgtest.Exec(t, source, fmt.Sprintf("INSERT INTO marker VALUES (%d)", n))
	}
	marked(1)
	arrived(t, p, target, 1)
	locked(t, target, func() {
		marked(2)
		waiting(t, target)
		over := time.Now().Add(time.Duration(rounds(5, 180)) * time.Second)
		pgtest.Eventually(t, 5*time.Minute, func() error {
			if time.Now().Before(over) {
				return fmt.Errorf("the lock is held until %s", over)
			}
			return nil
		})
	})
	arrived(t, p, target, 2)
	if log := p.Log(); strings.Contains(log, "try again") {
		t.Errorf("the connection was lost meanwhile:\n%s", log)
	}
	locked(t, target, func() {
		marked(3)
		waiting(t, target)
		began := time.Now()
		if r := p.Interrupt(); time.Since(began) > stopsWithin {
			t.Errorf("told to stop behind a lock, it took %s: %v", time.Since(began), r)
		}
	})
	s.Triggered()
	if got := fmt.Sprint(pgtest.Rows(t, target, "SELECT count(*), count(DISTINCT n) FROM hist.marker")); got != "[[3 3]]" {
		t.Errorf("versions and keys: %s", got)
	}
}

// locked runs a function while a session holds a lock on the target.
func locked(t *testing.T, target string, during func()) {
	t.Helper()
	ctx := context.Background()
	tx, err := pgtest.Conn(t, target).Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := tx.Exec(ctx, "LOCK TABLE hist.marker"); err != nil {
		t.Fatal(err)
	}
	during()
}

// waiting waits until a session waits for a lock.
func waiting(t *testing.T, target string) {
	t.Helper()
	pgtest.Eventually(t, 20*time.Second, func() error {
		n, err := tryRows(target, "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
		if err == nil && n == 0 {
			return fmt.Errorf("nobody waits for the lock")
		}
		return err
	})
}

// arrived waits until the target has the n-th marker.
func arrived(t *testing.T, p *service.Process, target string, n int) {
	t.Helper()
	pgtest.Eventually(t, time.Minute, func() error {
		rows, err := tryRows(target, fmt.Sprintf("SELECT FROM hist.marker WHERE n = %d", n))
		if err == nil && rows != 1 {
			err = fmt.Errorf("marker %d is not there", n)
		}
		if err != nil {
			return fmt.Errorf("%w:\n%s", err, p.Log())
		}
		return nil
	})
}
