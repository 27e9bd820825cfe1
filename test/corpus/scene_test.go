package corpus

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

// hostile is an environment in which only a program that asks its host nothing
// reads the values of a server as they are.
var hostile = []string{"LANG=ko_KR.UTF-8", "LC_ALL=ko_KR.UTF-8", "TZ=Asia/Kathmandu", "PGTZ=Asia/Tokyo", "PGDATESTYLE=German", "PGOPTIONS=-c datestyle=SQL"}

// scene is a pipeline that follows the tables of one case, or of many.
type scene struct {
	*service.Service
	source, target string
	read           *pgx.Conn // source
	plays          []*play
}

// play is a case of a scene and what was seen of it.
type play struct {
	testcase
	tables  []table
	moments []moment // after the seed, and after each transaction
}

// newScene seeds all cases and writes the flows.
func newScene(t *testing.T, cases ...testcase) *scene {
	t.Helper()
	source := pgtest.Database(t)
	return newSceneAt(t, source, source, cases...)
}

// newSceneAt has a source of its own, which the service reaches by another DSN.
func newSceneAt(t *testing.T, source, sourceForRun string, cases ...testcase) *scene {
	t.Helper()
	s := &scene{source: source, target: pgtest.TargetDatabase(t)}
	pgtest.Exec(t, s.target, workload.Schemas())
	pgtest.Exec(t, s.source, "CREATE TABLE corpus_marker (id text, n int, PRIMARY KEY (id, n))")
	s.read = reader(t, s.source)
	all := tablesAfter(t, s.read, nil)
	flows := all[0].flows()
	for _, c := range cases {
		pgtest.Exec(t, s.source, c.seed)
		pgtest.Exec(t, s.target, c.prepare)
		p := &play{testcase: c, tables: tablesAfter(t, s.read, all)}
		all = append(all, p.tables...)
		flows += p.declare()
		s.plays = append(s.plays, p)
	}
	s.Service = service.New(t, service.Config{
		Pipeline: "corpus", Sources: map[string]string{"shop": sourceForRun}, Target: s.target, Env: hostile,
	}, flows)
	return s
}

// declare keeps the tables that are to have flows.
func (p *play) declare() string {
	var kept []table
	var flows strings.Builder
	for _, t := range p.tables {
		if len(p.testcase.tables) > 0 && !contains(p.testcase.tables, t.name) {
			continue
		}
		kept = append(kept, t)
		if p.flows == "" {
			flows.WriteString(t.flows())
		}
	}
	p.tables = kept
	return flows.String() + p.flows
}

// slot is the name of the pipeline's slot and publication.
func (s *scene) slot() string { return s.Pipeline + "_shop" }

// stream plays the transactions of every case, and notes what the source held after
// each of them.
func (s *scene) stream(t *testing.T) {
	t.Helper()
	for _, p := range s.plays {
		p.note(t, s.read)
		writer := pgtest.Conn(t, s.source)
		for _, sql := range p.stream {
			exec(t, writer, sql)
			p.note(t, s.read)
		}
	}
	s.arrive(t, "end")
}

// arrive writes a marker, for arrived to wait for.
func (s *scene) arrive(t *testing.T, marker string) {
	t.Helper()
	exec(t, s.read, fmt.Sprintf("INSERT INTO corpus_marker VALUES ('%s', 0)", marker))
}

// arrived waits until the target has everything up to a marker.
func (s *scene) arrived(t *testing.T, p *service.Process, marker string) {
	t.Helper()
	conn := reader(t, s.target)
	pgtest.Eventually(t, 2*time.Minute, func() error {
		if p.Ended() {
			t.Fatalf("the service has ended by itself: %v", p.Wait())
		}
		if len(query(t, conn, "SELECT to_regclass('hist.corpus_marker') WHERE to_regclass('hist.corpus_marker') IS NOT NULL")) == 0 ||
			len(query(t, conn, fmt.Sprintf("SELECT 1 FROM hist.corpus_marker WHERE id = '%s'", marker))) == 0 {
			return fmt.Errorf("marker %s has not come; the service says\n%s", marker, p.Log())
		}
		return nil
	})
}

func contains(list []string, name string) bool {
	for _, l := range list {
		if l == name {
			return true
		}
	}
	return false
}
