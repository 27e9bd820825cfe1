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

// A run whose connections hang is not dead; one that takes over when they break
// must not meet the first again.
func TestRun_TakesOverFromOneThatIsCutOff(t *testing.T) {
	t.Parallel()
	s := newScene(t, direct(pgtest.Database(t), pgtest.TargetDatabase(t)))
	s.underLoad(t, func() {
		first := s.Start()
		s.progress(t, first)
		endSessions(t, s.target)
		second := s.Start()
		s.aWhile(t)
		s.aWhile(t)
		first.Kill()
		if second.Ended() {
			second = s.Start() // the first was faster
		}
		s.progress(t, second)
		second.Interrupt()
	})
	s.settle(t)
}

// endSessions ends all sessions on a database but our own.
func endSessions(t *testing.T, dsn string) {
	t.Helper()
	pgtest.Rows(t, dsn, `
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()`)
}
