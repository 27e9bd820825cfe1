package fault_test

import (
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
)

func TestRun_SurvivesKills(t *testing.T) {
	t.Parallel()
	s := newScene(t, direct(pgtest.Database(t), pgtest.TargetDatabase(t)))
	s.underLoad(t, func() {
		for range rounds(6, 40) {
			p := s.Start()
			s.aWhile(t)
			if s.rng.IntN(2) == 0 {
				s.progress(t, p)
			}
			p.Kill()
		}
	})
	s.settle(t)
}

// Killed while it makes slot, publication, tables and first copies.
func TestRun_SurvivesKillsDuringTheFirstCopy(t *testing.T) {
	t.Parallel()
	for range rounds(2, 10) {
		s := newScene(t, direct(pgtest.Database(t), pgtest.TargetDatabase(t)))
		s.underLoad(t, func() {
			for range 1 + s.rng.IntN(4) {
				p := s.Start()
				s.aWhile(t)
				p.Kill()
			}
		})
		s.settle(t)
	}
}

// Snapshots are compared all the time and find nothing, whatever the writer does
// meanwhile and whenever the service dies: no version is invented.
func TestRun_HealsNothingWhereNothingIsWrong(t *testing.T) {
	t.Parallel()
	s := newSceneWith(t, direct(pgtest.Database(t), pgtest.TargetDatabase(t)), func(w *workload.Writer) string { return w.Flows() + w.Healing("50ms") })
	s.underLoad(t, func() {
		for range rounds(4, 30) {
			p := s.Start()
			s.progress(t, p)
			s.aWhile(t)
			p.Kill()
		}
	})
	s.settle(t)
}

func TestRun_EndsWellWhenInterrupted(t *testing.T) {
	t.Parallel()
	s := newScene(t, direct(pgtest.Database(t), pgtest.TargetDatabase(t)))
	s.underLoad(t, func() {
		for range rounds(2, 10) {
			p := s.Start()
			s.progress(t, p)
			if r := p.Interrupt(); r.Code != 0 {
				t.Errorf("interrupted: %v", r)
			}
		}
	})
	s.settle(t)
}

func TestRun_TriggeredUnderLoadEnds(t *testing.T) {
	t.Parallel()
	s := newScene(t, direct(pgtest.Database(t), pgtest.TargetDatabase(t)))
	s.underLoad(t, func() {
		for range rounds(3, 20) {
			s.Triggered()
		}
	})
	s.settle(t)
}
