package fault_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

// Tables that make a run do what the workload does not: transactions larger than
// memory, new columns, a flow that stops, snapshots, another definition, late events.
const extraTables = `
CREATE TABLE bulk (id int PRIMARY KEY, n int, body text);
ALTER TABLE bulk ALTER body SET STORAGE EXTERNAL;
CREATE TABLE evolving (id int PRIMARY KEY);
CREATE TABLE strict (id int PRIMARY KEY, v int);
CREATE TABLE healed (id int PRIMARY KEY, v int);
CREATE TABLE swapped (id int PRIMARY KEY, v int);
CREATE TABLE feed (id int, seq bigint GENERATED ALWAYS AS IDENTITY, v int);
INSERT INTO bulk SELECT i, 0, repeat('x', 1000000) FROM generate_series(1, 2) AS i;
INSERT INTO evolving VALUES (1);
INSERT INTO strict VALUES (1, 1);
INSERT INTO healed SELECT i, 0 FROM generate_series(1, 10) AS i;
INSERT INTO swapped SELECT i, 0 FROM generate_series(1, 10) AS i;
INSERT INTO feed (id, v) SELECT i % 7, i FROM generate_series(1, 20) AS i;`

const extraFlows = `
CREATE STREAMING TABLE hist.bulk;
CREATE FLOW bulk AS AUTO CDC INTO hist.bulk FROM CHANGES(bulk) KEYS (id) STORED AS SCD TYPE 2;
CREATE STREAMING TABLE cur.evolving;
CREATE FLOW evolving AS AUTO CDC INTO cur.evolving FROM CHANGES(evolving) KEYS (id);
CREATE STREAMING TABLE cur.strict;
CREATE FLOW strict AS AUTO CDC INTO cur.strict FROM CHANGES(strict) KEYS (id);
CREATE STREAMING TABLE hist.healed;
CREATE FLOW healed AS AUTO CDC INTO hist.healed FROM CHANGES(healed) KEYS (id) STORED AS SCD TYPE 2;
CREATE FLOW healing AS AUTO CDC INTO hist.healed FROM SNAPSHOT (SELECT * FROM healed) KEYS (id) STORED AS SCD TYPE 2 WITH (every = '100ms');
CREATE STREAMING TABLE hist.feed;
CREATE FLOW feed AS AUTO CDC INTO hist.feed FROM STREAM(feed) KEYS (id) SEQUENCE BY seq STORED AS SCD TYPE 2;
CREATE STREAMING TABLE hist.swapped;
CREATE FLOW swapped AS AUTO CDC INTO hist.swapped FROM CHANGES(swapped) KEYS (id) STORED AS SCD TYPE %d;
`

// breakable is a scene with those tables, whose service has failpoints.
type breakable struct {
	*scene
	kind  int // of the target swapped, 1 or 2
	added int // columns
}

func newBreakable(t *testing.T, dbs databases) *breakable {
	t.Helper()
	pgtest.Exec(t, dbs.source, extraTables)
	b := &breakable{kind: 2}
	b.scene = newSceneOf(t, dbs, service.Config{Break: true, Extra: "flows: [flows.sql]\n"}, (*workload.Writer).Flows)
	b.writeFlows()
	return b
}

func (b *breakable) writeFlows() {
	b.Write("flows.sql", b.w.Flows()+fmt.Sprintf(extraFlows, b.kind))
}

// arm makes the next process meet its end, or be told to end, at the n-th pass.
func (b *breakable) arm(point failpoint.Point, action string, n int) {
	b.Env(fmt.Sprintf("AUTOCDC_FAILPOINT=%s=%s@%d", point, action, n))
}

func (b *breakable) disarm() { b.Env() }

// write changes the tables a little; what needs a special change has provoke.
func (b *breakable) write(t *testing.T) {
	t.Helper()
	pgtest.Exec(t, b.source, fmt.Sprintf(`
UPDATE healed SET v = v + 1 WHERE id = %[1]d;
UPDATE swapped SET v = v + 1 WHERE id = %[1]d;
UPDATE bulk SET n = n + 1;
INSERT INTO feed (id, v) VALUES (%[1]d, 0)`, 1+b.rng.IntN(10)))
}

// provoke makes a run that reads come to a point which it does not reach by itself.
func (b *breakable) provoke(t *testing.T, point failpoint.Point) {
	t.Helper()
	switch point {
	case failpoint.PieceStaged, failpoint.PiecesMerged:
		b.large(t)
	case failpoint.ShapeFollowed:
		b.added++
		pgtest.Exec(t, b.source, fmt.Sprintf("ALTER TABLE evolving ADD COLUMN c%d int; INSERT INTO evolving (id, c%[1]d) VALUES (%[2]d, 7)", b.added, b.added+1))
	case failpoint.FlowStopped:
		pgtest.Exec(t, b.target, "ALTER TABLE cur.strict ADD CONSTRAINT refuse CHECK (v = 1) NOT VALID")
		pgtest.Exec(t, b.source, "INSERT INTO strict SELECT max(id) + 1, 2 FROM strict")
	}
}

// large is a transaction that does not fit into the reader's memory.
func (b *breakable) large(t *testing.T) {
	t.Helper()
	pgtest.Exec(t, b.source, fmt.Sprintf("INSERT INTO bulk SELECT i, 0, repeat('%d', 1000000) FROM generate_series(1, 40) AS i ON CONFLICT (id) DO UPDATE SET body = excluded.body", b.rng.IntN(10)))
}

// calm removes what provoke put in the way, and declares what is deployed: a refresh
// that changes it has been committed or not.
func (b *breakable) calm(t *testing.T) {
	t.Helper()
	if _, err := tryRows(b.target, "SELECT FROM cur.strict"); err != nil {
		return // nothing is deployed
	}
	pgtest.Exec(t, b.target, "ALTER TABLE cur.strict DROP CONSTRAINT IF EXISTS refuse")
	b.kind = 1
	if n, err := tryRows(b.target, "SELECT __end_at FROM hist.swapped LIMIT 0"); err == nil && n == 0 {
		b.kind = 2
	}
	b.writeFlows()
}

// begin starts what comes past a point.
func (b *breakable) begin(point failpoint.Point) *service.Process {
	switch point {
	case failpoint.RefreshSwapped:
		b.kind = 3 - b.kind
		b.writeFlows()
		return b.refresh()
	case failpoint.RefreshFilled, failpoint.Refreshed:
		return b.refresh()
	}
	return b.Start()
}

func (b *breakable) refresh() *service.Process {
	return b.Begin("refresh", "hist.swapped", "--full", "--yes", "-c", "autocdc.yaml")
}

// settle runs what is left and checks everything.
func (b *breakable) settle(t *testing.T) {
	t.Helper()
	b.disarm()
	b.calm(t)
	b.scene.settle(t)
	for table, columns := range map[string]string{"bulk": "id, n, md5(body)", "evolving": b.columns(), "strict": "id, v", "healed": "id, v", "swapped": "id, v"} {
		where := " WHERE __end_at IS NULL"
		schema := workload.History
		if table == "evolving" || table == "strict" {
			where, schema = "", workload.Current
		}
		if table == "swapped" && b.kind == 1 {
			where = ""
		}
		want := pgtest.Rows(t, b.source, fmt.Sprintf("SELECT %s FROM %s ORDER BY id", columns, table))
		got := pgtest.Rows(t, b.target, fmt.Sprintf("SELECT %s FROM %s.%s%s ORDER BY id", columns, schema, table, where))
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s holds %.2000v, want %.2000v", table, got, want)
		}
	}
	b.checkVersions(t)
}

func (b *breakable) columns() string {
	list := []string{"id"}
	for i := range b.added {
		list = append(list, fmt.Sprintf("c%d", i+1))
	}
	return strings.Join(list, ", ")
}

// checkVersions demands that every event of the feed is a version, and that no change
// of a counter is two.
func (b *breakable) checkVersions(t *testing.T) {
	t.Helper()
	want := pgtest.Rows(t, b.source, "SELECT id, seq, v, lead(seq) OVER (PARTITION BY id ORDER BY seq) FROM feed ORDER BY seq")
	got := pgtest.Rows(t, b.target, "SELECT id, __start_at, v, __end_at FROM hist.feed ORDER BY __start_at")
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("hist.feed holds %v, want %v", got, want)
	}
	if odd := pgtest.Rows(t, b.target, "SELECT id, v FROM hist.healed GROUP BY id, v HAVING count(*) > 1"); len(odd) > 0 {
		t.Errorf("hist.healed has versions that say the same: %v", odd)
	}
}

// met waits until a process has come to its point.
func met(t *testing.T, p *service.Process, point failpoint.Point) {
	t.Helper()
	pgtest.Eventually(t, time.Minute, func() error {
		if !strings.Contains(p.Log(), fmt.Sprintf("failpoint %s:", point)) {
			return fmt.Errorf("it has not come to %s (ended: %t):\n%s", point, p.Ended(), p.Log())
		}
		return nil
	})
}
