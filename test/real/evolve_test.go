package real

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

const evolving = `
CREATE TABLE growing (id int PRIMARY KEY, a text);
CREATE TABLE steady (id int PRIMARY KEY, a text);
INSERT INTO growing VALUES (1, 'one');
INSERT INTO steady VALUES (1, 'one')`

const evolvingFlows = `
CREATE STREAMING TABLE cur.growing;
CREATE FLOW growing_current AS AUTO CDC INTO cur.growing FROM CHANGES(growing) KEYS (id) STORED AS SCD TYPE 1;
CREATE STREAMING TABLE hist.growing;
CREATE FLOW growing_history AS AUTO CDC INTO hist.growing FROM CHANGES(growing) KEYS (id) STORED AS SCD TYPE 2;
CREATE STREAMING TABLE cur.steady;
CREATE FLOW steady_current AS AUTO CDC INTO cur.steady FROM CHANGES(steady) KEYS (id) STORED AS SCD TYPE 1;`

func TestRun_FollowsTheColumnsOfItsSource(t *testing.T) {
	t.Parallel()
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, evolving)
	pgtest.Exec(t, target, workload.Schemas())
	s := newService(t, "evolving", source, target, evolvingFlows)
	p := s.Start()
	eventually := func(query, want string) {
		t.Helper()
		eventuallyHolds(t, p, target, query, want)
	}
	eventually("SELECT id, a FROM cur.growing", "1 one")

	pgtest.Exec(t, source, "ALTER TABLE growing ADD b int", "INSERT INTO growing VALUES (2, 'two', 22)")
	eventually("SELECT id, b FROM cur.growing WHERE id = 2", "2 22")
	eventually("SELECT id, b FROM hist.growing WHERE id = 2", "2 22")

	pgtest.Exec(t, source, "ALTER TABLE growing DROP a", "INSERT INTO growing VALUES (3, 33)", "UPDATE growing SET b = 11 WHERE id = 1")
	eventually("SELECT id, a, b FROM cur.growing WHERE id = 3", `3 \N 33`)
	eventually("SELECT id, b FROM hist.growing WHERE id = 1 ORDER BY __start_at", `1 \N, 1 11`)

	pgtest.Exec(t, source, "ALTER TABLE growing ALTER b TYPE smallint", "UPDATE growing SET b = 12 WHERE id = 1",
		"ALTER TABLE steady ALTER a TYPE varchar(20)", "UPDATE steady SET a = 'eins'")
	eventually("SELECT id, b FROM hist.growing WHERE id = 1 ORDER BY __start_at", `1 \N, 1 11, 1 12`)
	eventually("SELECT a FROM cur.steady", "eins")
	eventually("SELECT pg_typeof(b)::text FROM cur.growing LIMIT 1", "integer")

	pgtest.Exec(t, source, "ALTER TABLE growing ALTER b TYPE boolean USING b > 0",
		"INSERT INTO growing VALUES (4, true)", "INSERT INTO steady VALUES (2, 'two')")
	eventually("SELECT id FROM cur.steady ORDER BY 1", "1, 2")
	if log := p.Log(); !strings.Contains(log, "growing") || !strings.Contains(log, "ALTER") {
		t.Errorf("the log does not name the flow that stopped and the statement that helps:\n%s", log)
	}
	mustEqual(t, "before the change", pgtest.Rows(t, target, "SELECT id FROM cur.growing ORDER BY 1"), [][]string{{"1"}, {"2"}, {"3"}})
	if r := p.Interrupt(); r.Code != 0 && r.Code != 1 {
		t.Errorf("interrupted: %v", r)
	}
}

// eventuallyHolds waits for the rows of a query, written as "a b, c d".
func eventuallyHolds(t *testing.T, p *service.Process, dsn, query, want string) {
	t.Helper()
	pgtest.Eventually(t, 30*time.Second, func() error {
		if p.Ended() {
			t.Fatalf("the service ended by itself: %v", p.Wait())
		}
		got, err := text(dsn, query)
		if err != nil || got != want {
			return fmt.Errorf("%s gives %q (%w), want %q; the service says\n%s", query, got, err, want, p.Log())
		}
		return nil
	})
}
