package query_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/snapshot/query"
)

// feeds takes a query out of an append flow.
func feeds(t *testing.T, sql string) (*query.Query, flowsql.ErrorList) {
	t.Helper()
	file, err := flowsql.Parse("f.sql", []byte("CREATE FLOW f AS INSERT INTO t BY NAME "+sql+";"))
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return query.ParseFeeds(file.Statements[0].(*flowsql.CreateFlow).Insert.Query, func(name string) bool { return name == "view" })
}

func TestParseFeeds_FindsFeeds(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"SELECT * FROM STREAM(a)":                               "stream a, tables",
		"SELECT * FROM stream a":                                "stream a, tables",
		"SELECT * FROM Stream shop.public.a AS x, b":            "stream shop.public.a named, tables b",
		"SELECT * FROM STREAM (shop . \"My t\") x WHERE a":      `stream shop."My t" named, tables`,
		"SELECT * FROM STREAM a WHERE stream":                   "stream a, tables",
		"SELECT * FROM CHANGES(a)":                              "changes a, tables",
		"SELECT stream(a), x.stream FROM stream AS s":           "tables stream",
		"SELECT * FROM stream":                                  "tables stream",
		"SELECT * FROM stream WHERE a":                          "tables stream",
		`SELECT * FROM "stream" s, changes c`:                   "tables stream changes",
		"WITH w AS (SELECT * FROM STREAM a) SELECT * FROM w, b": "stream a, tables b",
	} {
		q, errs := feeds(t, sql)
		var found []string
		for _, f := range q.Feeds {
			word := "stream "
			if f.Changes {
				word = "changes "
			}
			if word += f.Name.String(); f.Named {
				word += " named"
			}
			found = append(found, word+",")
		}
		found = append(found, "tables")
		for _, table := range q.Tables {
			found = append(found, table.Parts[0].Name)
		}
		if got := strings.Join(found, " "); got != want || len(errs) > 0 {
			t.Errorf("%s: got %q %v, want %q", sql, got, errs, want)
		}
	}
	for _, sql := range []string{"SELECT * FROM STREAM()", "SELECT * FROM STREAM(a + 1)", "SELECT * FROM STREAM(a.b.c.d)", "SELECT * FROM STREAM((SELECT 1))"} {
		if _, errs := feeds(t, sql); len(errs) != 1 {
			t.Errorf("%s: got %v", sql, errs)
		}
	}
}

func TestPerBatch_FindsWhatDependsOnOtherRows(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"SELECT a, b + 1 AS c FROM STREAM(t) WHERE a IS DISTINCT FROM b":                                                              "",
		"SELECT upper(a) AS a FROM STREAM(t)":                                                                                         "upper()@47",
		"SELECT DISTINCT a FROM STREAM(t) ORDER BY a LIMIT 1 OFFSET 2":                                                                "DISTINCT@47 ORDER BY@73 LIMIT@84 OFFSET@92",
		"SELECT a FROM STREAM(t) GROUP BY a HAVING max(a) > 1":                                                                        "GROUP BY@64 HAVING@75 max()@82",
		"SELECT a FROM STREAM(t) UNION ALL SELECT 1":                                                                                  "UNION@64",
		"(SELECT a FROM STREAM(t)) EXCEPT SELECT 1":                                                                                   "EXCEPT@66",
		"(SELECT a FROM STREAM(t))":                                                                                                   "",
		"SELECT a FROM STREAM(t) FETCH FIRST ROW ONLY":                                                                                "FETCH@64",
		"SELECT a FROM STREAM(t) FOR UPDATE":                                                                                          "FOR UPDATE@64",
		"SELECT substring(a FROM 2 FOR 3) AS a FROM STREAM t":                                                                         "",
		"SELECT coalesce(max(a), 0) AS a FROM STREAM(t)":                                                                              "max()@56",
		"SELECT sum(a) OVER (PARTITION BY b ORDER BY c) AS a FROM STREAM(t)":                                                          "sum()@47 a window function@54",
		"SELECT u FROM STREAM(t) AS s, unnest(s.tags) AS u":                                                                           "unnest()@70",
		"SELECT x FROM STREAM(t) s LEFT JOIN LATERAL unnest(s.tags) AS x ON true":                                                     "unnest()@84",
		"SELECT x FROM unnest(ARRAY[1]) AS x LEFT JOIN STREAM(t) ON true":                                                             "unnest()@54 LEFT JOIN@76",
		"SELECT x FROM STREAM(t) RIGHT JOIN generate_series(1, 3) x ON true":                                                          "RIGHT JOIN@64",
		"SELECT (SELECT string_agg(u, ',' ORDER BY u) FROM unnest(s.tags) AS u LIMIT 1) AS a FROM STREAM(t) s":                        "",
		"SELECT s.a, l.n FROM STREAM(t) s, LATERAL (SELECT count(*) AS n FROM unnest(s.tags)) AS l":                                   "",
		"SELECT n FROM (SELECT count(*) AS n FROM STREAM(t)) AS x":                                                                    "count()@62",
		"SELECT a FROM (SELECT a FROM STREAM(t) WHERE a > 1) AS x WHERE (a > 2)":                                                      "",
		"SELECT a FROM (VALUES (1)) AS v (a) WHERE EXISTS (SELECT FROM STREAM(t))":                                                    "a subquery outside of FROM@102",
		"SELECT (SELECT a FROM STREAM(t)) AS a":                                                                                       "a subquery outside of FROM@62",
		"WITH w AS (SELECT a FROM STREAM(t)), v AS (SELECT max(a) AS a FROM (VALUES (1), (2)) AS x (a)) SELECT w.a FROM w, v, v AS u": "",
		"WITH w AS (SELECT a FROM STREAM(t)) SELECT max(a) AS a FROM w":                                                               "max()@83",
		"WITH w AS (SELECT a FROM STREAM(t)) SELECT x.a FROM w AS x JOIN w AS y USING (a)":                                            "reading w twice@104",
		"WITH w AS (SELECT a FROM STREAM(t)) SELECT 1 AS a":                                                                           "a query that does not read it in its FROM@65",
		"WITH w AS (SELECT a FROM STREAM(t)), v AS NOT MATERIALIZED (SELECT a FROM w) SELECT a FROM v":                                "",
		"SELECT t.limit, t.\"order\", \"group\" FROM STREAM(t) AS t":                                                                  "",
	} {
		q, errs := feeds(t, sql)
		var found []string
		for _, p := range q.PerBatch() {
			what := p.What
			if p.Call && !slices.Contains([]string{"max", "count", "sum", "upper", "unnest"}, what) {
				continue // reserved words look like functions
			}
			if p.Call {
				what += "()"
			}
			found = append(found, fmt.Sprintf("%s@%d", what, p.Pos.Column))
		}
		if got := strings.Join(found, " "); got != want || len(errs) > 0 {
			t.Errorf("%s:\ngot  %q %v\nwant %q", sql, got, errs, want)
		}
	}
}
