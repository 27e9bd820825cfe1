package real

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

// pgbenchFlows replicate the tables that have a key, into both kinds of target.
func pgbenchFlows() string {
	var sql strings.Builder
	for _, table := range [][2]string{{"accounts", "aid"}, {"branches", "bid"}, {"tellers", "tid"}} {
		for schema, scd := range map[string]int{workload.Current: 1, workload.History: 2} {
			fmt.Fprintf(&sql, `
CREATE STREAMING TABLE %[1]s.%[2]s;
CREATE FLOW %[1]s_%[2]s AS AUTO CDC INTO %[1]s.%[2]s
FROM CHANGES(pgbench_%[2]s) KEYS (%[3]s) STORED AS SCD TYPE %[4]d;`, schema, table[0], table[1], scd)
		}
	}
	sql.WriteString(`
CREATE STREAMING TABLE next.tellers;
CREATE FLOW next_tellers AS AUTO CDC INTO next.tellers FROM CHANGES(cur.tellers) KEYS (tid);
CREATE STREAMING TABLE next.tellers_history;
CREATE FLOW next_history AS AUTO CDC INTO next.tellers_history FROM CHANGES(next.tellers) KEYS (tid) STORED AS SCD TYPE 2;`)
	return sql.String()
}

func TestPgbench_IsEqualAfterThreeKills(t *testing.T) {
	t.Parallel()
	rng := workload.Rand(workload.Seed(t), 3)
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	runFor := 20 * time.Second
	if workload.Long() {
		runFor = time.Minute
	}
	bench(t, source, "-i", "-q", "-s", "1")
	pgtest.Exec(t, target, workload.Schemas())
	s := newService(t, "bench", source, target, pgbenchFlows())
	s.Triggered()

	ended := make(chan error, 1)
	load := benchCommand(t, source, "-n", "-c", "4", "-T", strconv.Itoa(int(runFor.Seconds())))
	go func() { ended <- load() }()
	kill(t, s, target, func() time.Duration {
		return runFor/5 + time.Duration(rng.Int64N(int64(runFor/20)))
	})
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	s.Triggered()
	for _, table := range []string{"accounts", "branches", "tellers"} {
		mustHoldTheSame(t, source, target, table)
	}
	mustBalance(t, target)
	mustFollow(t, target)
}

// mustFollow compares the links of the chain.
func mustFollow(t *testing.T, target string) {
	t.Helper()
	const sql = "SELECT tid, bid, tbalance FROM %s ORDER BY 1"
	want := pgtest.Rows(t, target, fmt.Sprintf(sql, "cur.tellers"))
	mustEqual(t, "the second link", pgtest.Rows(t, target, fmt.Sprintf(sql, "next.tellers")), want)
	mustEqual(t, "the third link", pgtest.Rows(t, target, fmt.Sprintf(sql, "next.tellers_history WHERE __end_at IS NULL")), want)
	wrong := pgtest.Rows(t, target, `
SELECT tid, __start_at FROM (
  SELECT tid, __start_at, __end_at, lead(__start_at) OVER (PARTITION BY tid ORDER BY __start_at) AS next FROM next.tellers_history
) AS v WHERE __end_at IS DISTINCT FROM next`)
	if len(wrong) > 0 {
		t.Errorf("the history of the third link has %d gaps, at first %v", len(wrong), wrong[0])
	}
}

// kill lets the service run and kills it, three times.
func kill(t *testing.T, s *service.Service, target string, howLong func() time.Duration) {
	t.Helper()
	for range 3 {
		p := s.Start()
		before := versions(t, target)
		end := time.Now().Add(howLong())
		pgtest.Eventually(t, 2*time.Minute, func() error {
			if p.Ended() {
				t.Fatalf("the service ended by itself: %v", p.Wait())
			}
			if time.Now().Before(end) || versions(t, target) == before {
				return fmt.Errorf("nothing applied yet:\n%s", p.Log())
			}
			return nil
		})
		p.Kill()
	}
}

func versions(t *testing.T, target string) string {
	t.Helper()
	return pgtest.Rows(t, target, "SELECT count(*) FROM hist.tellers")[0][0]
}

func mustHoldTheSame(t *testing.T, source, target, table string) {
	t.Helper()
	columns := pgtest.Rows(t, source, fmt.Sprintf(`
SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
WHERE attrelid = 'pgbench_%s'::regclass AND attnum > 0`, table))[0][0]
	const sql = "SELECT count(*), sum(hashtextextended(ROW(%s)::text, 0)) FROM %s"
	want := pgtest.Rows(t, source, fmt.Sprintf(sql, columns, "pgbench_"+table))
	mustEqual(t, "current "+table, pgtest.Rows(t, target, fmt.Sprintf(sql, columns, "cur."+table)), want)
	mustEqual(t, "open versions of "+table, pgtest.Rows(t, target, fmt.Sprintf(sql, columns, "hist."+table+" WHERE __end_at IS NULL")), want)
}

// mustBalance asks the history at a hundred commits for what holds at each of
// them: accounts, tellers and branches have the same sum.
func mustBalance(t *testing.T, target string) {
	t.Helper()
	wrong := pgtest.Rows(t, target, `
WITH at AS (SELECT DISTINCT __start_at AS at FROM hist.tellers ORDER BY 1),
chosen AS (SELECT at FROM (SELECT at, row_number() OVER (ORDER BY at) AS n, count(*) OVER () AS all FROM at) AS x WHERE n % (1 + "all" / 100) = 0)
SELECT * FROM (
  SELECT at,
    (SELECT sum(abalance) FROM hist.accounts WHERE __start_at <= at AND (__end_at > at OR __end_at IS NULL)) AS a,
    (SELECT sum(tbalance) FROM hist.tellers WHERE __start_at <= at AND (__end_at > at OR __end_at IS NULL)) AS t,
    (SELECT sum(bbalance) FROM hist.branches WHERE __start_at <= at AND (__end_at > at OR __end_at IS NULL)) AS b
  FROM chosen
) AS sums
WHERE (a, t, b) IS DISTINCT FROM (a, a, a)`)
	if len(wrong) > 0 {
		t.Errorf("at %d commits the history does not balance, at first %v", len(wrong), wrong[0])
	}
}

// bench runs pgbench to its end.
func bench(t *testing.T, source string, args ...string) {
	t.Helper()
	if err := benchCommand(t, source, args...)(); err != nil {
		t.Fatal(err)
	}
}

// benchCommand returns a run of pgbench, or of its script by our own hands where
// the server came without pgbench.
func benchCommand(t *testing.T, source string, args ...string) func() error {
	t.Helper()
	path, err := pgbenchPath()
	if err != nil {
		t.Logf("pgbench is not there (%v): its transactions come from the test itself", err)
		return func() error { return tpcb(context.Background(), source, args) }
	}
	cmd := exec.Command(path, append(args, source)...)
	return func() error {
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("pgbench: %w\n%s", err, out)
		}
		return nil
	}
}

func pgbenchPath() (string, error) {
	if bin, err := embedpg.Find(0); err == nil {
		if path, err := exec.LookPath(filepath.Join(bin.Dir, "pgbench")); err == nil {
			return path, nil
		}
	}
	return exec.LookPath("pgbench")
}
