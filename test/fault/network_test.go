package fault_test

import (
	"testing"

	"github.com/autocdc/autocdc/test/fault"
	"github.com/autocdc/autocdc/test/pgtest"
)

func TestRun_SurvivesCutConnections(t *testing.T) {
	t.Parallel()
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	toSource, sourceForRun := fault.NewProxy(t, source)
	toTarget, targetForRun := fault.NewProxy(t, target)
	s := newScene(t, databases{source, target, sourceForRun, targetForRun})
	s.underLoad(t, func() {
		p := s.Start()
		s.progress(t, p)
		for range rounds(8, 60) {
			s.disturb(t, []*fault.Proxy{toSource, toTarget}[s.rng.IntN(2)])
			s.progress(t, p)
		}
		p.Interrupt()
	})
	s.settle(t)
}

// disturb breaks connections in one of the ways that networks know.
func (s *scene) disturb(t *testing.T, proxy *fault.Proxy) {
	t.Helper()
	s.aWhile(t)
	switch s.rng.IntN(4) {
	case 0:
		proxy.Refuse()
		s.aWhile(t)
		proxy.Admit()
	case 1:
		proxy.Stall()
		s.aWhile(t)
		proxy.Flow()
	case 2:
		proxy.Stall()
		s.aWhile(t)
		proxy.Cut()
		proxy.Flow()
	default:
		proxy.Cut()
	}
}
