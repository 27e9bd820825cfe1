package fault_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/autocdc/autocdc/test/fault"
	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

// Snapshots are compared all the time and find nothing, since nothing is wrong,
// whatever becomes of the connections.
func TestRun_SnapshotsSurviveCutConnections(t *testing.T) {
	t.Parallel()
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	toSource, sourceForRun := fault.NewProxy(t, source)
	toTarget, targetForRun := fault.NewProxy(t, target)
	s := newSceneWith(t, databases{source, target, sourceForRun, targetForRun}, func(w *workload.Writer) string { return w.Flows() + w.Healing("50ms") })
	s.underLoad(t, func() {
		p := s.Start()
		s.progress(t, p)
		for range rounds(5, 40) {
			s.disturb(t, []*fault.Proxy{toSource, toTarget}[s.rng.IntN(2)])
			s.progress(t, p)
		}
		p.Interrupt()
	})
	s.settle(t)
}

// A snapshot of which the half has come when the connection breaks, or the service
// dies, is as if it had never been begun.
func TestRun_TakesASnapshotWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	toSource, sourceForRun := fault.NewProxy(t, source)
	pgtest.Exec(t, source, "CREATE TABLE big (id int PRIMARY KEY, v int, pad text)",
		"INSERT INTO big SELECT i, 0, repeat('x', 200) FROM generate_series(1, 100000) AS i")
	s := service.New(t, service.Config{Pipeline: "whole", Sources: map[string]string{"shop": sourceForRun}, Target: target}, `
CREATE STREAMING TABLE big;
CREATE FLOW big AS AUTO CDC INTO big FROM SNAPSHOT (SELECT * FROM big) KEYS (id) STORED AS SCD TYPE 2 WITH (every = '10ms');`)
	s.Triggered()
	for round := 1; round <= rounds(3, 15); round++ {
		pgtest.Exec(t, source, "UPDATE big SET v = v + 1")
		p := s.Start()
		pgtest.Eventually(t, time.Minute, func() error { // the half has come
			rows, err := tryRows(source, fmt.Sprintf("SELECT 1 FROM pg_stat_progress_copy WHERE datname = current_database() AND tuples_processed > %d", round*20000%90000))
			if err == nil && rows == 0 {
				err = errors.New("no copy is under way")
			}
			return err
		})
		if round%2 == 0 {
			toSource.Cut()
		} else {
			p.Kill()
			p = s.Start()
		}
		want := fmt.Sprintf("SELECT 1 FROM big WHERE __end_at IS NULL HAVING count(*) = 100000 AND min(v) = %d AND max(v) = %[1]d", round)
		pgtest.Eventually(t, time.Minute, func() error {
			if p.Ended() {
				t.Fatalf("the service has ended: %v", p.Wait())
			}
			rows, err := tryRows(target, want)
			if err == nil && rows == 0 {
				err = fmt.Errorf("round %d is not there yet", round)
			}
			return err
		})
		p.Interrupt()
		mixed := pgtest.Rows(t, target, "SELECT __start_at FROM big GROUP BY 1 HAVING count(*) <> 100000")
		if len(mixed) > 0 {
			t.Errorf("round %d: versions that hold a part of the table: %v", round, mixed)
		}
	}
}
