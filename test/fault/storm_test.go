package fault_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/test/fault"
	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

// storm is a scene in which everything may break.
type storm struct {
	*breakable
	servers []*embedpg.Server // source and target
	proxies []*fault.Proxy
	p       *service.Process
}

func newStorm(t *testing.T) *storm {
	t.Helper()
	source, target := pgtest.Start(t, embedpg.Options{InMemory: true}), pgtest.Start(t, embedpg.Options{InMemory: true})
	dbs := direct(source.DSN("postgres"), target.DSN("postgres"))
	s := &storm{servers: []*embedpg.Server{source, target}, proxies: make([]*fault.Proxy, 2)}
	s.proxies[0], dbs.sourceForRun = fault.NewProxy(t, dbs.source)
	s.proxies[1], dbs.targetForRun = fault.NewProxy(t, dbs.target)
	s.breakable = newBreakable(t, dbs)
	return s
}

// Faults of every kind, one after the other, at random moments; the service makes
// progress after each, and in the end the targets are what they would have been.
func TestRun_SurvivesRandomFaults(t *testing.T) {
	t.Parallel()
	for n := range rounds(1, 34) {
		t.Run(fmt.Sprintf("schedule_%d", n+1), func(t *testing.T) {
			t.Parallel()
			s := newStorm(t)
			began := time.Now()
			count := map[string]int{}
			s.underLoad(t, func() {
				s.restart()
				s.progress(t, s.p)
				for range rounds(8, 30) {
					f := pick(s.rng, faults())
					count[f.name]++
					s.write(t)
					f.inflict(s, t)
					s.progress(t, s.p)
				}
				s.p.Kill()
			})
			s.settle(t)
			t.Logf("%d transactions, %s: %v", s.w.Written(), time.Since(began).Round(time.Second), count)
		})
	}
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// faulty is one way to break something. When it returns, nothing is broken any more,
// and a process runs.
type faulty struct {
	name    string
	inflict func(*storm, *testing.T)
}

func faults() []faulty {
	return []faulty{
		{"kill", (*storm).killed},
		{"kill at a point", (*storm).killedAtAPoint},
		{"kill in a large transaction", (*storm).killedInALargeTransaction},
		{"stop", (*storm).stopped},
		{"stop at a point", (*storm).stoppedAtAPoint},
		{"network", func(s *storm, t *testing.T) { s.disturb(t, pick(s.rng, s.proxies)) }},
		{"network, both ways", func(s *storm, t *testing.T) { s.disturb(t, s.proxies[0]); s.disturb(t, s.proxies[1]) }},
		{"delay", (*storm).delayed},
		{"half-open", (*storm).halfOpen},
		{"server stops", (*storm).serverDown},
		{"service and server die", (*storm).bothDie},
		{"sessions are ended", (*storm).sessionsEnd},
		{"statements are cancelled", (*storm).cancelled},
		{"lock", (*storm).locked},
		{"role's time-outs", (*storm).timeouts},
		{"deadlock", (*storm).deadlock},
		{"isolation", (*storm).isolation},
	}
}

// restart runs the service without failpoints.
func (s *storm) restart() {
	s.disarm()
	s.p = s.Start()
}

func (s *storm) killed(t *testing.T) {
	s.aWhile(t)
	s.p.Kill()
	s.restart()
}

// killedAtAPoint takes whichever comes.
func (s *storm) killedAtAPoint(t *testing.T) {
	s.p.Kill()
	s.arm("any", "kill", 1+s.rng.IntN(80))
	p := s.Start()
	pgtest.Eventually(t, time.Minute, func() error {
		if !p.Ended() {
			return fmt.Errorf("it goes on:\n%s", p.Log())
		}
		return nil
	})
	s.restart()
}

func (s *storm) killedInALargeTransaction(t *testing.T) {
	s.large(t)
	s.killed(t)
}

func (s *storm) stopped(t *testing.T) {
	s.aWhile(t)
	began := time.Now()
	if r := s.p.Interrupt(); r.Code != 0 || time.Since(began) > stopsWithin {
		t.Errorf("told to stop, it took %s: %v", time.Since(began), r)
	}
	s.restart()
}

func (s *storm) stoppedAtAPoint(t *testing.T) {
	s.p.Kill()
	s.arm("any", "term", 1+s.rng.IntN(80))
	p := s.Start()
	pgtest.Eventually(t, time.Minute, func() error {
		if !p.Ended() {
			return fmt.Errorf("it goes on:\n%s", p.Log())
		}
		return nil
	})
	if r := p.Wait(); r.Code != 0 {
		t.Errorf("told to stop: %v", r)
	}
	s.restart()
}

func (s *storm) delayed(t *testing.T) {
	for _, p := range s.proxies {
		p.Delay(time.Duration(s.rng.IntN(30)) * time.Millisecond)
	}
	s.aWhile(t)
	s.aWhile(t)
	for _, p := range s.proxies {
		p.Delay(0)
	}
}

// halfOpen leaves the service with connections of which the other end is gone.
func (s *storm) halfOpen(t *testing.T) {
	p := pick(s.rng, s.proxies)
	p.Vanish()
	s.aWhile(t)
	p.Cut()
}

func (s *storm) serverDown(t *testing.T) {
	s.aWhile(t)
	server := pick(s.rng, s.servers)
	down(t, server, s.rng.IntN(2))
	s.up(t, server)
}

func (s *storm) up(t *testing.T, server *embedpg.Server) {
	t.Helper()
	if err := server.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func (s *storm) bothDie(t *testing.T) {
	s.aWhile(t)
	server := pick(s.rng, s.servers)
	down(t, server, s.rng.IntN(2))
	s.p.Kill()
	s.up(t, server)
	s.restart()
}

func (s *storm) sessionsEnd(t *testing.T) {
	s.aWhile(t)
	endSessions(t, pick(s.rng, []string{s.source, s.target}), "application_name = 'autocdc'")
}

func (s *storm) cancelled(t *testing.T) {
	for range 1 + s.rng.IntN(5) {
		s.aWhile(t)
		pgtest.Rows(t, pick(s.rng, []string{s.source, s.target}), `
SELECT pg_cancel_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'autocdc' AND state = 'active'`)
	}
}

// someTarget is a table that each transaction writes.
func (s *storm) someTarget() string {
	return pick(s.rng, []string{"hist.marker", "hist.docs", "cur.docs", "hist.orders", "cur.every_type", "hist.healed"})
}

// hold runs statements in a transaction, and ends it after a while.
func (s *storm) hold(t *testing.T, sql ...string) {
	t.Helper()
	ctx := context.Background()
	tx, err := pgtest.Conn(t, s.target).Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(ctx) }()
	for _, text := range sql {
		if _, err := tx.Exec(ctx, text); err != nil {
			return // a deadlock that ended us
		}
		s.aWhile(t)
	}
}

func (s *storm) locked(t *testing.T) {
	s.hold(t, fmt.Sprintf("LOCK TABLE %s IN %s MODE", s.someTarget(), pick(s.rng, []string{"ACCESS EXCLUSIVE", "SHARE"})))
}

// timeouts are set for the role, where new sessions meet them.
func (s *storm) timeouts(t *testing.T) {
	dsn := pick(s.rng, []string{s.source, s.target})
	defer pgtest.Exec(t, dsn, "ALTER ROLE postgres RESET ALL")
	pgtest.Exec(t, dsn, "ALTER ROLE postgres SET lock_timeout = '20ms'", "ALTER ROLE postgres SET idle_in_transaction_session_timeout = '20ms'", "ALTER ROLE postgres SET statement_timeout = '50ms'")
	s.p.Kill()
	s.restart()
	s.locked(t)
}

// deadlock locks a table that comes late in a batch, and then one that comes early.
func (s *storm) deadlock(t *testing.T) {
	s.hold(t, "LOCK TABLE hist.marker IN SHARE MODE", "LOCK TABLE cur.docs IN SHARE MODE")
}

// isolation makes transactions fail that meet others.
func (s *storm) isolation(t *testing.T) {
	defer pgtest.Exec(t, s.target, "ALTER ROLE postgres RESET ALL")
	pgtest.Exec(t, s.target, fmt.Sprintf("ALTER ROLE postgres SET default_transaction_isolation = '%s'", pick(s.rng, []string{"serializable", "repeatable read"})))
	s.p.Kill()
	s.restart()
	for range 3 {
		s.aWhile(t)
		pgtest.Exec(t, s.target, fmt.Sprintf("UPDATE %s.marker SET n = n WHERE n = 1", workload.History))
	}
}
