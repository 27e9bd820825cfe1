package fault_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

// A table of many pages, which keeps a record of what it held after each transaction.
// Some of its values are stored out of line.
const largeTable = `
CREATE TABLE marker (n bigint PRIMARY KEY);
CREATE TABLE record (seq bigserial, n bigint, id bigint, line text);
CREATE INDEX ON record (id, seq DESC);
CREATE TABLE large (id bigint PRIMARY KEY, v int, body text) %[2]s;
ALTER TABLE large ALTER body SET STORAGE EXTERNAL;
INSERT INTO large SELECT i * 10, i, CASE i %% 200 WHEN 0 THEN repeat(md5(i::text), 100) ELSE md5(i::text) END FROM generate_series(1, %[1]d) i;
INSERT INTO record (n, id, line) SELECT 0, id, v || md5(body) FROM large;
CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO record (n, id) VALUES (current_setting('test.n')::bigint, OLD.id);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO record (n, id, line) VALUES (current_setting('test.n')::bigint, NEW.id, NEW.v || md5(NEW.body));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep AFTER INSERT OR UPDATE OR DELETE ON large FOR EACH ROW EXECUTE FUNCTION keep();
INSERT INTO marker VALUES (0);`

// The ways to store it: as one, and in partitions, between which keys move.
const inOne = "WITH (fillfactor = 50)"

func inHalves(rows int) string {
	return fmt.Sprintf(`PARTITION BY RANGE (id);
CREATE TABLE low PARTITION OF large FOR VALUES FROM (MINVALUE) TO (%[1]d) WITH (fillfactor = 50);
CREATE TABLE high PARTITION OF large FOR VALUES FROM (%[1]d) TO (MAXVALUE) WITH (fillfactor = 50)`, 5*rows)
}

const largeFlows = `
CREATE STREAMING TABLE cur.large;
CREATE FLOW cur_large AS AUTO CDC INTO cur.large FROM CHANGES(large) KEYS (id);
CREATE STREAMING TABLE hist.large;
CREATE FLOW hist_large AS AUTO CDC INTO hist.large FROM CHANGES(large) KEYS (id) STORED AS SCD TYPE 2;
CREATE STREAMING TABLE hist.marker;
CREATE FLOW marker AS AUTO CDC INTO hist.marker FROM CHANGES(marker) KEYS (n) STORED AS SCD TYPE 2;`

// largeScene is such a table, its writer and the service.
type largeScene struct {
	*service.Service
	source, target string
	rows           int
	n              int // of the last transaction
	rng            *rand.Rand
}

func newLargeScene(t *testing.T, rows int, stored string) *largeScene {
	t.Helper()
	s := &largeScene{source: pgtest.Database(t), target: pgtest.TargetDatabase(t), rows: rows, rng: workload.Rand(workload.Seed(t), 1)}
	pgtest.Exec(t, s.source, fmt.Sprintf(largeTable, rows, stored))
	pgtest.Exec(t, s.target, workload.Schemas())
	s.Service = service.New(t, service.Config{Pipeline: "large", Sources: map[string]string{"shop": s.source}, Target: s.target}, largeFlows)
	return s
}

// Killed in the middle of the copies of a large table that changes all the time, runs
// that follow go on with them, and do not read again what was copied.
func TestRun_GoesOnWithTheCopyOfALargeTable(t *testing.T) {
	t.Parallel()
	rows := rounds(100_000, 500_000)
	for _, stored := range []string{inOne, inHalves(rows)} {
		s := newLargeScene(t, rows, stored)
		s.underLoad(t, func() {
			for _, flow := range []string{"cur_large", "hist_large", "hist_large"}[:rounds(2, 3)] {
				s.killInCopy(t, flow)
			}
			last := s.Triggered()
			n := copied(t, last, "hist_large")
			t.Logf("%d of %d rows were copied at last, beside %d transactions", n, s.rows, s.n)
			if n > s.rows*9/10 {
				t.Errorf("rows were copied again: %v", last)
			}
		})
		s.Triggered()
		s.check(t)
	}
}

// A row that is gone at the second snapshot and its successor share a value, which an
// index of the user's on the target allows once.
func TestRun_StartsACopyOverThatCannotGoOn(t *testing.T) {
	t.Parallel()
	s := newLargeScene(t, 150_000, inOne)
	s.killInCopy(t, "cur_large")
	pgtest.Exec(t, s.target, "CREATE UNIQUE INDEX ON cur.large (body)")
	pgtest.Exec(t, s.source, "SET test.n = 1; DELETE FROM large WHERE id = 10; INSERT INTO large VALUES (5, 0, md5('1'))")
	last := s.Triggered()
	if n := copied(t, last, "cur_large"); n != s.rows || !strings.Contains(last.Stderr, "start the copy over") {
		t.Errorf("%d of %d rows were copied: %v", n, s.rows, last)
	}
	s.current(t)
}

// killInCopy kills a run that has copied another part of a flow's table.
func (s *largeScene) killInCopy(t *testing.T, flow string) {
	t.Helper()
	parts := fmt.Sprintf("SELECT 1 FROM autocdc.copy_part AS p JOIN autocdc.flow AS f ON f.id = p.flow_id WHERE f.flow = '%s'", flow)
	before, _ := tryRows(s.target, parts) // there may be no such table yet
	p := s.Start()
	pgtest.Eventually(t, 2*time.Minute, func() error {
		if n, err := tryRows(s.target, parts); err != nil || n <= before {
			return fmt.Errorf("no part of flow %s was copied (%w):\n%s", flow, err, p.Log())
		}
		return nil
	})
	p.Kill()
	if n, err := tryRows(s.target, parts); err != nil || n <= before {
		t.Fatalf("the copy of flow %s was at its end before the kill: %v\n%s", flow, err, p.Log())
	}
}

// copied finds how many rows a run has copied for a flow.
func copied(t *testing.T, r service.Result, flow string) int {
	t.Helper()
	found := regexp.MustCompile(`msg=copied .*flow=` + flow + ` rows=(\d+)`).FindStringSubmatch(r.Stderr)
	if found == nil {
		t.Fatalf("nothing was copied for flow %s: %v", flow, r)
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// underLoad runs a function while rows change all over the table.
func (s *largeScene) underLoad(t *testing.T, during func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.write(ctx) }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("writer: %v", err)
		}
	}()
	during()
}

func (s *largeScene) write(ctx context.Context) error {
	unhurried := context.WithoutCancel(ctx)
	conn, err := pgx.Connect(unhurried, s.source)
	if err != nil {
		return err
	}
	defer conn.Close(unhurried)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		if _, err := conn.PgConn().Exec(unhurried, s.change()).ReadAll(); err != nil {
			return err
		}
		s.n++
		<-tick.C
	}
	return nil
}

// largeChanges are an update that leaves the long value alone, and one that makes it,
// a delete, a row that comes back, keys that move across the table, a row of the same
// key.
func largeChanges() []string {
	return []string{
		"UPDATE large SET v = v + 1 WHERE id = $1",
		"UPDATE large SET body = repeat(md5(random()::text), 100) WHERE id = $1",
		"DELETE FROM large WHERE id = $1",
		"INSERT INTO large VALUES ($1, 0, 'new') ON CONFLICT DO NOTHING",
		"UPDATE large SET id = $2 WHERE id = $1 AND NOT EXISTS (SELECT FROM large WHERE id = $2)",
		"UPDATE large SET id = $1 WHERE id = $2 AND NOT EXISTS (SELECT FROM large WHERE id = $1)",
		"DELETE FROM large WHERE id = $1; INSERT INTO large VALUES ($1, 1, 'again')",
	}
}

// change changes some rows at random places.
func (s *largeScene) change() string {
	sql := []string{"BEGIN", fmt.Sprintf("SET LOCAL test.n = %d", s.n+1)}
	for range 1 + s.rng.IntN(4) {
		id := 10 * (1 + s.rng.IntN(s.rows))
		if s.rng.IntN(2) == 0 {
			id -= id % 2000 // a long value
		}
		names := strings.NewReplacer("$1", strconv.Itoa(id), "$2", strconv.Itoa(s.rng.IntN(s.rows)))
		sql = append(sql, names.Replace(largeChanges()[s.rng.IntN(len(largeChanges()))]))
	}
	return strings.Join(append(sql, fmt.Sprintf("INSERT INTO marker VALUES (%d)", s.n+1), "COMMIT"), ";\n")
}

// check compares what holds now, and what held after some of the transactions since
// the last copy.
func (s *largeScene) check(t *testing.T) {
	t.Helper()
	s.current(t)
	after := pgtest.Rows(t, s.target, `
SELECT n, __start_at FROM (SELECT n, __start_at, lead(__start_at) OVER (ORDER BY n) AS next FROM hist.marker) AS m
WHERE next IS DISTINCT FROM __start_at ORDER BY n`)
	if len(after) < 20 {
		t.Fatalf("only %d transactions came after the copy", len(after))
	}
	for i := 0; i < len(after); i += max(1, (len(after)-1)/5) {
		n, at := after[i][0], after[i][1]
		want := sum(t, s.source, "SELECT * FROM (SELECT DISTINCT ON (id) id, line FROM record WHERE n <= "+n+" ORDER BY id, seq DESC) AS r WHERE line IS NOT NULL")
		got := sum(t, s.target, fmt.Sprintf(largeLines+" WHERE __start_at <= '%[2]s' AND (__end_at > '%[2]s' OR __end_at IS NULL)", "hist.large", at))
		if got != want {
			t.Errorf("as of transaction %s the history holds %s, the source held %s", n, got, want)
		}
	}
}

const largeLines = "SELECT id, v || md5(body) AS line FROM %[1]s"

func (s *largeScene) current(t *testing.T) {
	t.Helper()
	want := sum(t, s.source, fmt.Sprintf(largeLines, "large"))
	if got := sum(t, s.target, fmt.Sprintf(largeLines, "cur.large")); got != want {
		t.Errorf("current rows are %s, want %s", got, want)
	}
}

// sum is the number of lines and a checksum.
func sum(t *testing.T, dsn, lines string) string {
	t.Helper()
	return fmt.Sprint(pgtest.Rows(t, dsn, "SELECT count(*), md5(string_agg(id || ':' || line, ',' ORDER BY id)) FROM ("+lines+") AS x"))
}
