package query_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/snapshot/query"
)

// parse takes a query out of a flow that has it.
func parse(t *testing.T, sql string) *query.Query {
	t.Helper()
	q, errs := query.Parse(textOf(t, sql))
	if len(errs) > 0 {
		t.Fatalf("%s: %v", sql, errs)
	}
	return q
}

func textOf(t *testing.T, sql string) flowsql.Text {
	t.Helper()
	file, err := flowsql.Parse("f.sql", []byte("CREATE STREAMING TABLE t FLOW AUTO CDC FROM SNAPSHOT ("+sql+") KEYS (a);"))
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return *file.Statements[0].(*flowsql.CreateTable).Flow.From.Query
}

func TestParse_FindsWhatIsRead(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"SELECT * FROM a": "a",
		"SELECT * FROM shop.public.a x, b AS y JOIN c.d ON x.i = y.i":                                                     "shop.public.a b c.d",
		"SELECT a.b, (SELECT max(i) FROM e WHERE e.x = a.y) FROM a LEFT JOIN LATERAL (SELECT * FROM ONLY f) AS f ON true": "e a f",
		"WITH w (i) AS MATERIALIZED (SELECT i FROM a), v AS (SELECT 1) SELECT * FROM w, v, b":                             "a b",
		"SELECT EXTRACT(year FROM t), SUBSTRING(s FROM 2) FROM a WHERE x IS NOT DISTINCT FROM y":                          "a",
		"SELECT * FROM (a JOIN b USING (i)) WHERE i IN (SELECT i FROM c UNION SELECT j FROM d, e)":                        "a b c d e",
		"VALUES (1), (2)":                                                  "",
		`SELECT 'FROM x' FROM "From" /* FROM y */`:                         "From",
		"SELECT * FROM generate_series(1, 3) AS g, a ORDER BY b, c":        "a",
		"SELECT * FROM unnest(ARRAY[1, 2]) WITH ORDINALITY AS u (x, n), a": "a",
	} {
		var found []string
		for _, table := range parse(t, sql).Tables {
			var parts []string
			for _, p := range table.Parts {
				parts = append(parts, p.Name)
			}
			found = append(found, strings.Join(parts, "."))
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s: got %q, want %q", sql, got, want)
		}
	}
}

func TestReplace_OfVersionsAndSources(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"SELECT version FROM last_snapshot_version()":                          "SELECT version FROM (R) AS N",
		"SELECT v.version FROM last_snapshot_version() AS v":                   "SELECT v.version FROM (R) AS v",
		"SELECT x FROM a.b.c WHERE x > LAST_SNAPSHOT_VERSION()":                "SELECT x FROM b.c WHERE x > (V)",
		"SELECT coalesce(last_snapshot_version(), 0), x FROM b, a.b.\"C\" c":   `SELECT coalesce((V), 0), x FROM b, b."C" c`,
		"SELECT 1 WHERE NOT EXISTS (SELECT FROM last_snapshot_version()) OR x": "SELECT 1 WHERE NOT EXISTS (SELECT FROM (R) AS N) OR x",
	} {
		q := parse(t, sql)
		var edits []query.Edit
		for _, u := range q.Uses {
			edits = append(edits, u.As("(R)", "N", "(V)"))
		}
		for _, table := range q.Tables {
			if len(table.Parts) == 3 {
				edits = append(edits, table.WithoutSource())
			}
		}
		if got := q.Replace(edits); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", sql, got, want)
		}
	}
}

func TestParse_FindsFiles(t *testing.T) {
	t.Parallel()
	const sql = `SELECT *, _metadata.file_size FROM read_files('in/', format => 'csv', header => TRUE, nullvalue => 'x') AS r
WHERE r._metadata.file_name BETWEEN 'a' AND 'b' AND id > 1 AND (_metadata.file_path = 'c' OR true) GROUP BY 1`
	q := parse(t, sql)
	f := q.Files[0]
	if f.List || f.Location != "in/" || len(f.Options) != 3 || f.Options[1].Name.Name != "header" || f.Options[1].Value != "true" || f.Qualifier != "r" {
		t.Errorf("got %+v", f)
	}
	var conditions []string
	for _, c := range f.Pruning {
		conditions = append(conditions, c.SQL)
	}
	if got := fmt.Sprint(conditions); got != "[r._metadata.file_name BETWEEN 'a' AND 'b' (_metadata.file_path = 'c' OR true)]" {
		t.Errorf("conditions: %s", got)
	}
	if len(q.Meta) != 3 || q.Meta[0].Name != "file_size" || q.Meta[1].Qualifier != "r" {
		t.Errorf("metadata: %+v", q.Meta)
	}
	got := q.Replace([]query.Edit{f.As("x"), f.Pruning[0].True(), f.Pruning[1].True()})
	if want := "SELECT *, _metadata.file_size FROM x AS r\nWHERE true AND id > 1 AND true GROUP BY 1"; got != want {
		t.Errorf("got %s", got)
	}
}

func TestParse_ReportsArguments(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"SELECT * FROM read_files()":                     "read_files without a location",
		"SELECT * FROM list_files(1)":                    "must be one string",
		"SELECT * FROM read_files('a', 'b')":             "this is no option",
		"SELECT * FROM last_snapshot_version(1)":         "takes no arguments",
		"SELECT * FROM read_files('a', header => 1 + 1)": "this is no option",
	} {
		_, errs := query.Parse(textOf(t, sql))
		if len(errs) != 1 || !strings.Contains(errs[0].Error(), want) || errs[0].Pos.Line != 1 {
			t.Errorf("%s: got %v", sql, errs)
		}
	}
}

func TestStruct(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"SELECT max(v) FROM a": "",
		"SELECT struct(modification_time, path) AS version FROM f ORDER BY 1": "SELECT modification_time AS modification_time, path AS path FROM f ORDER BY 1",
		"WITH f AS (SELECT row(1)) SELECT ROW(f.a, b + 1, c AS d) v FROM f":   "WITH f AS (SELECT row(1)) SELECT f.a AS a, b + 1 AS f2, c AS d FROM f",
		"SELECT CAST(ROW(a, b) AS record) FROM f":                             "SELECT a AS a, b AS b FROM f",
	} {
		q := parse(t, sql)
		got := ""
		if s := q.Struct(); s != nil {
			got = q.Replace([]query.Edit{s.Columns()})
		}
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", sql, got, want)
		}
	}
}
