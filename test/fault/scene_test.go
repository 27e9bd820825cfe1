package fault_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// scene is a pipeline under a random load.
type scene struct {
	*service.Service
	w      *workload.Writer
	rng    *rand.Rand
	source string
	target string
}

// databases are the DSNs of a scene: the writer and the checks go to the servers
// directly, the service may take another way.
type databases struct {
	source, target             string
	sourceForRun, targetForRun string
}

func direct(source, target string) databases {
	return databases{source, target, source, target}
}

func newScene(t *testing.T, dbs databases) *scene {
	t.Helper()
	return newSceneWith(t, dbs, (*workload.Writer).Flows)
}

func newSceneWith(t *testing.T, dbs databases, flows func(*workload.Writer) string) *scene {
	t.Helper()
	return newSceneOf(t, dbs, service.Config{}, flows)
}

// newSceneOf also takes what else the configuration has.
func newSceneOf(t *testing.T, dbs databases, cfg service.Config, flows func(*workload.Writer) string) *scene {
	t.Helper()
	cfg.Pipeline, cfg.Sources, cfg.Target = "fault", map[string]string{"shop": dbs.sourceForRun}, dbs.targetForRun
	seed := workload.Seed(t)
	w := workload.New(t, dbs.source, seed)
	pgtest.Exec(t, dbs.target, workload.Schemas())
	return &scene{
		Service: service.New(t, cfg, flows(w)),
		w:       w, rng: workload.Rand(seed, 2), source: dbs.source, target: dbs.target,
	}
}

// rounds returns how often a test breaks something.
func rounds(short, long int) int {
	if workload.Long() {
		return long
	}
	return short
}

// underLoad runs a function while the writer writes.
func (s *scene) underLoad(t *testing.T, during func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := s.w.WriteUntil(ctx)
		ended <- err
	}()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("writer: %v", err)
		}
	}()
	during()
}

// aWhile waits until the writer has written some more; the moment after it is a
// random one for everybody else.
func (s *scene) aWhile(t *testing.T) {
	t.Helper()
	goal := s.w.Written() + 1 + s.rng.Int64N(60)
	pgtest.Eventually(t, 2*time.Minute, func() error {
		if n := s.w.Written(); n < goal {
			return fmt.Errorf("the writer is at transaction %d, not yet at %d", n, goal)
		}
		return nil
	})
}

// progress waits until the target has a transaction that is written from now on.
func (s *scene) progress(t *testing.T, p *service.Process) {
	t.Helper()
	goal := s.w.Written() + 1
	pgtest.Eventually(t, 2*time.Minute, func() error {
		if p.Ended() {
			t.Fatalf("the service has ended by itself: %v", p.Wait())
		}
		rows, err := tryRows(s.target, fmt.Sprintf("SELECT 1 FROM %s.marker WHERE n >= %d", workload.History, goal))
		if err != nil {
			return fmt.Errorf("%w; log of the service:\n%s", err, p.Log())
		}
		if rows == 0 {
			return fmt.Errorf("transaction %d has not come; log of the service:\n%s", goal, p.Log())
		}
		return nil
	})
}

// settle runs what is left and checks everything.
func (s *scene) settle(t *testing.T) {
	t.Helper()
	s.Triggered()
	s.w.Check(t, s.target)
}

// tryRows counts the rows of a query that may fail.
func tryRows(dsn, sql string) (int64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return 0, err
	}
	defer conn.Close(ctx)
	tag, err := conn.Exec(ctx, sql)
	return tag.RowsAffected(), err
}
