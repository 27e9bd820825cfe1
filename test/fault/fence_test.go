package fault_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/test/pgtest"
)

func TestRun_IsRefusedWhileAnotherLivesAndTakesOverAfterIt(t *testing.T) {
	t.Parallel()
	s := newScene(t, direct(pgtest.Database(t), pgtest.TargetDatabase(t)))
	s.underLoad(t, func() {
		first := s.Start()
		s.progress(t, first)
		refused := s.TriggeredResult()
		if refused.Code != 1 || !strings.Contains(refused.Stderr, "running") {
			t.Errorf("a second run was not refused: %v", refused)
		}
		s.progress(t, first)
		first.Kill()
		pgtest.Eventually(t, 30*time.Second, func() error {
			if r := s.TriggeredResult(); r.Code != 0 {
				return fmt.Errorf("it did not take over: %v", r)
			}
			return nil
		})
	})
	s.settle(t)
}

// A run that hangs loses its connections; another takes over. When the first
// wakes up, it must not write any more.
func TestRun_DoesNotWriteAfterAnotherHasTakenOver(t *testing.T) {
	t.Parallel()
	s := newScene(t, direct(pgtest.Database(t), pgtest.TargetDatabase(t)))
	s.underLoad(t, func() {
		for range rounds(2, 8) {
			first := s.Start()
			s.progress(t, first)
			s.aWhile(t)
			first.Freeze()
			endSessions(t, s.target, "true")
			endSessions(t, s.source, "backend_type = 'walsender'")
			second := s.Start()
			s.progress(t, second)
			first.Thaw()
			s.aWhile(t)
			s.progress(t, second)
			first.Kill()
			second.Interrupt()
		}
	})
	s.settle(t)
}

// endSessions ends the sessions on a database that meet a condition.
func endSessions(t *testing.T, dsn, which string) {
	t.Helper()
	pgtest.Rows(t, dsn, `
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND `+which)
}
