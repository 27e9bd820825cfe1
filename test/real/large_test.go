package real

import (
	"fmt"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

// bounded demands that a run has kept within 256 MiB and three times the largest row.
func bounded(t *testing.T, what string, r service.Result, row int64) {
	t.Helper()
	most := 256*mebibyte + 3*row
	t.Logf("%s: peak memory %d MiB of %d", what, r.Peak/mebibyte, most/mebibyte)
	if r.Peak == 0 || r.Peak > most {
		t.Errorf("%s: peak memory is %d MiB, want at most %d", what, r.Peak/mebibyte, most/mebibyte)
	}
}

func size(short, long int) int {
	if workload.Long() {
		return long
	}
	return short
}

// A row of some hundred megabytes, copied and then changed.
func TestRun_TakesAHugeRow(t *testing.T) {
	t.Parallel()
	row := int64(size(20, 200)) * 1_000_000
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, "CREATE TABLE big (id int PRIMARY KEY, body text); ALTER TABLE big ALTER body SET STORAGE EXTERNAL",
		fmt.Sprintf("INSERT INTO big VALUES (1, repeat('0123456789', %d))", row/10))
	pgtest.Exec(t, target, workload.Schemas())
	s := newService(t, "row", source, target, `
CREATE STREAMING TABLE hist.big;
CREATE FLOW big AS AUTO CDC INTO hist.big FROM CHANGES(big) KEYS (id) STORED AS SCD TYPE 2;`)
	bounded(t, "copied", s.Triggered(), row)
	pgtest.Exec(t, source, fmt.Sprintf("UPDATE big SET body = repeat('9876543210', %d)", row/10))
	bounded(t, "updated", s.Triggered(), row)
	const sql = "SELECT id, md5(body), length(body) FROM "
	mustEqual(t, "big", pgtest.Rows(t, target, sql+"hist.big WHERE __end_at IS NULL"), pgtest.Rows(t, source, sql+"big"))
}

func wide(columns int) string {
	var list strings.Builder
	for i := range columns {
		fmt.Fprintf(&list, ", c%d text", i+1)
	}
	return "(id int PRIMARY KEY" + list.String() + ")"
}

// A table of 1590 columns is taken, one of more is refused before anything is made.
func TestRun_TakesManyColumns(t *testing.T) {
	t.Parallel()
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, "CREATE TABLE wide "+wide(1589), "CREATE TABLE wider "+wide(1590), "INSERT INTO wide (id, c1, c1589) SELECT i, 'a', 'z' FROM generate_series(1, 100) AS i")
	pgtest.Exec(t, target, workload.Schemas())
	const taken = `
CREATE STREAMING TABLE cur.wide;
CREATE FLOW cur_wide AS AUTO CDC INTO cur.wide FROM CHANGES(wide) KEYS (id);
CREATE STREAMING TABLE hist.wide;
CREATE FLOW hist_wide AS AUTO CDC INTO hist.wide FROM CHANGES(wide) KEYS (id) STORED AS SCD TYPE 2;
CREATE STREAMING TABLE seq.wide;
CREATE FLOW seq_wide AS AUTO CDC INTO seq.wide FROM CHANGES(wide) KEYS (id) SEQUENCE BY __commit_ts STORED AS SCD TYPE 2;`
	s := newService(t, "wide", source, target, taken)
	pgtest.Exec(t, target, "CREATE SCHEMA seq")
	bounded(t, "copied", s.Triggered(), 0)
	pgtest.Exec(t, source, "UPDATE wide SET c800 = 'm' WHERE id % 2 = 0", "DELETE FROM wide WHERE id = 1", "INSERT INTO wide (id, c2) VALUES (101, 'b')")
	bounded(t, "changed", s.Triggered(), 0)
	for table, where := range map[string]string{"cur.wide": "", "hist.wide": " WHERE __end_at IS NULL", "seq.wide": " WHERE __end_at IS NULL"} {
		const sql = "SELECT id, c1, c2, c800, c1589 FROM "
		mustEqual(t, table, pgtest.Rows(t, target, sql+table+where+" ORDER BY id"), pgtest.Rows(t, source, sql+"wide ORDER BY id"))
	}
	r := newService(t, "wider", source, target, "CREATE STREAMING TABLE cur.wider;\nCREATE FLOW wider AS AUTO CDC INTO cur.wider FROM CHANGES(wider) KEYS (id);").TriggeredResult()
	if r.Code != 2 || !strings.Contains(r.Stderr, "flows.sql:2:") || !strings.Contains(r.Stderr, "1591 columns") || !strings.Contains(r.Stderr, "EXCEPT") {
		t.Errorf("more columns: %v", r)
	}
}

// Tables in large numbers, with keys of eight columns and names as long as they may be.
func TestRun_TakesManyTables(t *testing.T) {
	t.Parallel()
	tables := size(60, 2000)
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	pgtest.Exec(t, target, workload.Schemas())
	var flows strings.Builder
	const keys = "k1, k2, k3, k4, k5, k6, k7, k8"
	for i := range tables {
		name := fmt.Sprintf("t%05d_%s", i, strings.Repeat("é", 28))
		column := strings.Repeat("c", 63)
		pgtest.Exec(t, source, fmt.Sprintf(`CREATE TABLE "%s" (k1 int, k2 int, k3 text, k4 int, k5 int, k6 date, k7 int, k8 int, "%s" text, PRIMARY KEY (%s));
INSERT INTO "%[1]s" VALUES (1, 2, 'x', 4, 5, '2026-01-01', 7, %[4]d, 'first')`, name, column, keys, i))
		schema, kind := "cur", 1
		if i%2 == 1 {
			schema, kind = "hist", 2
		}
		fmt.Fprintf(&flows, "CREATE STREAMING TABLE %[1]s.\"%[2]s\";\nCREATE FLOW f%[3]d AS AUTO CDC INTO %[1]s.\"%[2]s\" FROM CHANGES(\"%[2]s\") KEYS (%[4]s) STORED AS SCD TYPE %[5]d;\n", schema, name, i, keys, kind)
	}
	s := newService(t, "tables", source, target, flows.String())
	bounded(t, fmt.Sprintf("%d tables copied", tables), s.Triggered(), 0)
	change := fmt.Sprintf(`DO $$ DECLARE r record; BEGIN
FOR r IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
  EXECUTE format('UPDATE %%I SET %[1]s = ''second'', k7 = k7 + 1', r.relname);
END LOOP; END $$`, strings.Repeat("c", 63))
	pgtest.Exec(t, source, change)
	bounded(t, fmt.Sprintf("%d tables changed in one transaction", tables), s.Triggered(), 0)
	for i := range tables {
		name := fmt.Sprintf("t%05d_%s", i, strings.Repeat("é", 28))
		table := "cur.\"" + name + "\""
		if i%2 == 1 {
			table = "hist.\"" + name + "\" WHERE __end_at IS NULL"
		}
		columns := "SELECT k7, k8, " + strings.Repeat("c", 63) + " FROM "
		mustEqual(t, table, pgtest.Rows(t, target, columns+table), [][]string{{"8", fmt.Sprint(i), "second"}})
	}
}
