package fault_test

import (
	"context"
	"testing"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/test/pgtest"
)

func TestRun_SurvivesCrashesOfTheTarget(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t, embedpg.Options{})
	crash(t, newScene(t, direct(pgtest.Database(t), server.DSN("postgres"))), server)
}

func TestRun_SurvivesCrashesOfTheSource(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t, embedpg.Options{})
	crash(t, newScene(t, direct(server.DSN("postgres"), pgtest.TargetDatabase(t))), server)
}

// crash takes a server away again and again; the service lives through it.
func crash(t *testing.T, s *scene, server *embedpg.Server) {
	t.Helper()
	s.underLoad(t, func() {
		p := s.Start()
		s.progress(t, p)
		for n := range rounds(3, 15) {
			s.aWhile(t)
			down(t, server, n)
			if err := server.Start(context.Background()); err != nil {
				t.Fatal(err)
			}
			s.progress(t, p)
		}
		p.Interrupt()
	})
	s.settle(t)
}

func down(t *testing.T, server *embedpg.Server, n int) {
	t.Helper()
	stop := func() error { return server.Stop(embedpg.Immediate) }
	if n%2 == 1 {
		stop = server.Kill
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

// A server that is away when the service starts, or dies with it.
func TestRun_SurvivesServiceAndTargetDyingTogether(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t, embedpg.Options{})
	s := newScene(t, direct(pgtest.Database(t), server.DSN("postgres")))
	s.underLoad(t, func() {
		for n := range rounds(3, 15) {
			p := s.Start()
			s.progress(t, p)
			s.aWhile(t)
			down(t, server, n)
			p.Kill()
			if err := server.Start(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	})
	s.settle(t)
}
