package flowsql_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/test/pgtest"
)

// sparkText translates a query, or an expression as the condition of a flow.
func sparkText(sql string) (flowsql.Text, error) {
	view := false
	for _, word := range []string{"SELECT", "FROM", "VALUES", "WITH"} {
		view = view || strings.HasPrefix(sql, word+" ")
	}
	if view {
		f, err := flowsql.Parse("f", []byte("SET dialect = 'spark';\nCREATE TEMPORARY VIEW v AS\n"+sql))
		if err != nil {
			return flowsql.Text{}, err
		}
		return f.Statements[0].(*flowsql.CreateView).Query, nil
	}
	f, err := flowsql.Parse("f", []byte("SET dialect = 'spark'; AUTO CDC INTO t FROM CHANGES(s) KEYS (id) APPLY AS DELETE WHEN\n\n"+sql))
	if err != nil {
		return flowsql.Text{}, err
	}
	return *f.Statements[0].(*flowsql.CreateFlow).CDC.DeleteWhen, nil
}

// TestSpark_DoesWhatItsPageSays takes the tables of the documentation as the
// expected translations.
func TestSpark_DoesWhatItsPageSays(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/spark-dialect.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| (?:`([^`]+)`|`` (.+) ``) \\| `([^`]+)` \\|$")
	rows := row.FindAllStringSubmatch(string(page), -1)
	if len(rows) < 75 {
		t.Fatalf("only %d rows", len(rows))
	}
	for _, r := range rows {
		spark, want := r[1]+r[2], strings.ReplaceAll(r[3], `\|`, "|")
		got, err := sparkText(strings.ReplaceAll(spark, `\|`, "|"))
		if err != nil || got.SQL != want {
			t.Errorf("%s\n got %s\nwant %s\n%s", spark, got.SQL, want, report(err))
		}
	}
}

// TestSpark_Translates has what the page would not gain by.
func TestSpark_Translates(t *testing.T) {
	t.Parallel()
	for spark, want := range map[string]string{
		"string = int AND string.binary = `float`":                  `string = int AND string.binary = "float"`,
		"a::timestamp WITH TIME ZONE = CAST(b AS DOUBLE PRECISION)": "a::timestamp WITH TIME ZONE = CAST(b AS DOUBLE PRECISION)",
		"a::int < 3 AND b::array<int> = c":                          "a::int < 3 AND b::int[] = c",
		"CAST(CAST(a AS STRING) AS ARRAY<DECIMAL(3,2)>)":            "CAST(CAST(a AS text) AS numeric(3,2)[])",
		"CAST(1.5 AS INT) + CAST('1.5' AS INT)":                     "CAST(trunc(1.5) AS INT) + CAST('1.5' AS INT)",
		"a-1==-1":                                                   "a-1=-1",
		"a<=>-b/c":                                                  "a IS NOT DISTINCT FROM-b * 1.0 /c",
		"a RLIKE'b'":                                                "a ~ 'b'",
		"a RLIKE b AND c RLIKE lower(d) OR e RLIKE CASE WHEN f THEN g END":            "a ~ b AND c ~ lower(d) OR e ~ (CASE WHEN f THEN g END)",
		"NOT rlike(a, b) OR x.regexp = regexp":                                        "NOT regexp_like(a, b) OR x.regexp = regexp",
		"s.if(a, b, c) = s.struct(1)":                                                 "s.if(a, b, c) = s.struct(1)",
		"if(if(a, b, c), /* d */ nvl(e, 'f'),-g)":                                     "CASE WHEN CASE WHEN a THEN b ELSE c END THEN coalesce(e, 'f') ELSE -g END",
		"concat(concat(a, 'b'), c) = concat(a.b, (SELECT 1), lower(c))":               "(('' || a || 'b') || c) = (a.b || (SELECT 1) || lower(c))",
		"concat(a, -- note\n b)":                                                      "(a || b)",
		"regexp_extract(nvl(a, b), p, n)":                                             "CASE WHEN coalesce(a, b) IS NOT NULL AND p IS NOT NULL THEN coalesce(regexp_substr(coalesce(a, b), p, 1, 1, '', n), '') END",
		`regexp_replace(a, "b", "\\$1\\\\$0")`:                                        `regexp_replace(a, 'b', E'$1\\\\\\&', 'g')`,
		"struct(a AS x, b).x":                                                         "CAST(ROW(a, b) AS record).x",
		"count(*) FILTER (WHERE a) > 1":                                               "count(*) FILTER (WHERE a) > 1",
		"(a & b) | c | 2 = d & e":                                                     "(a & b) | c | 2 = d & e",
		"SELECT a AS string, b log, 1 AS concat FROM t AS struct(if, nvl)":            "SELECT a AS string, b log, 1 AS concat FROM t AS struct(if, nvl)",
		"SELECT * FROM VALUES (1 + 2, f(x)) t JOIN VALUES 1, -2 AS u(a) ON true":      "SELECT * FROM (VALUES (1 + 2, f(x))) t(col1, col2) JOIN (VALUES (1), (-2)) AS u(a) ON true",
		"SELECT (FROM VALUES (1) AS t(x)) FROM s, VALUES (2) WHERE a IN (VALUES (3))": "SELECT (SELECT * FROM (VALUES (1)) AS t(x)) FROM s, (VALUES (2)) AS inline_table(col1) WHERE a IN (SELECT * FROM (VALUES (3)) AS inline_table(col1))",
		"SELECT rank() OVER (ORDER BY a DESC, b RANGE UNBOUNDED PRECEDING), string_agg(x, ',' ORDER BY y) FROM t ORDER BY rows, f(a, b) ASC NULLS LAST LIMIT 1": "SELECT rank() OVER (ORDER BY a DESC NULLS LAST, b NULLS FIRST RANGE UNBOUNDED PRECEDING), string_agg(x, ',' ORDER BY y NULLS FIRST) FROM t ORDER BY rows NULLS FIRST, f(a, b) ASC NULLS LAST LIMIT 1",
		"SELECT * FROM read_files('d', format => \"csv\", header => true) WHERE _metadata.file_name > current_snapshot_version()":                               "SELECT * FROM read_files('d', format => 'csv', header => true) WHERE _metadata.file_name > current_snapshot_version()",
		"SELECT a FROM t EXCEPT (SELECT * FROM u) UNION SELECT * EXCEPT SELECT b FROM u":                                                                        "SELECT a FROM t EXCEPT (SELECT * FROM u) UNION SELECT * EXCEPT SELECT b FROM u",
		"SELECT qualify, pivot, div FROM semi, anti AS lateral_view":                                                                                            "SELECT qualify, pivot, div FROM semi, anti AS lateral_view",
	} {
		got, err := sparkText(spark)
		if err != nil || got.SQL != want {
			t.Errorf("%s\n got %s\nwant %s\n%s", spark, got.SQL, want, report(err))
		}
	}
}

// TestSpark_MeansTheSame runs translations; what is wanted is what Spark gives.
func TestSpark_MeansTheSame(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	const null = pgtest.Null
	for spark, want := range map[string]string{
		`CAST(7 AS STRING) = "7" AND 8::string = '8'`:                  "t",
		`concat("a", NULL, "b") IS NULL`:                               "t",
		`concat("v", 1, 2)`:                                            "v12",
		`concat(1, 2, "x")`:                                            "12x",
		`concat(array(1), array(2, 3))`:                                "{1,2,3}",
		`if(NULL, 1, 2) + nvl(NULL, 3) + nvl2(NULL, 1, 5)`:             "10",
		`NULL <=> NULL AND NOT 1 <=> NULL AND !(1 == 2)`:               "t",
		`5 / 2 = 2.5 AND CAST(5 / 2 AS INT) == 2 AND (7 / 4)::int = 1`: "t",
		`int(-7 / 2)`: "-3",
		`100L * 2S`:   "200",
		`"abc" RLIKE "^a.c$" AND "abc" NOT RLIKE "b$"`:                                  "t",
		`"a\nb" RLIKE "a.b" OR "foobar" RLIKE r'foo\b'`:                                 "f",
		`"a\nb" RLIKE "(?s)a.b" AND "a foo b" RLIKE r'\bfoo\b'`:                         "t",
		`"a\nb" RLIKE "(?m)^b" AND "AB" RLIKE "(?i)a(?<n>b)"`:                           "t",
		`regexp_extract("snapshot_12.csv", "snapshot_(\\d+)\\.csv", 1)`:                 "12",
		`regexp_extract("x", "(a)")`:                                                    "",
		`regexp_extract("b", "(a)|b")`:                                                  "",
		`regexp_extract(NULL::string, "(a)")`:                                           null,
		`regexp_extract("xaab", "a+b", 0)`:                                              "aab",
		`regexp_extract("a-b-c", "^(.*?)-", 1)`:                                         "a",
		`regexp_replace("a.b.c", "[.](.)", "<$1$0\\$>")`:                                "a<b.b$><c.c$>",
		`struct(2, 1) > (SELECT CAST(ROW(1, 9) AS record))`:                             "t",
		`named_struct("a", 1, "b", 1) > struct(1, 2)`:                                   "f",
		`TIMESTAMP "2024-05-01 10:00:00+02:00" = TIMESTAMP "2024-05-01 08:00:00+00:00"`: "t",
		`DATE "2024-05-01" + INTERVAL 1 DAY 2 HOURS`:                                    "2024-05-02 02:00:00",
		`CAST(array("a") AS ARRAY<STRING>)`:                                             "{a}",
		`CAST(2.5 AS DECIMAL)`:                                                          "3",
		`ltrim("x", "xxa") || rtrim("x", "axx") || ucase("b")`:                          "aaB",
		`CAST(log(exp(2)) AS DECIMAL(9, 3))`:                                            "2.000",
		`to_date("2024-05-01") = DATE "2024-05-01"`:                                     "t",
		`(SELECT x FROM VALUES (1, NULL), (2, "b") AS t(x, y) ORDER BY y LIMIT 1)`:      "1",
		`(SELECT x FROM VALUES (1, NULL), (2, "b") AS t(x, y) ORDER BY y DESC LIMIT 1)`: "2",
		`(SELECT sum(col1) FROM VALUES 1, 2)`:                                           "3",
		`(FROM VALUES ("a") AS t(x))`:                                                   "a",
	} {
		got, err := sparkText(spark)
		if err != nil {
			t.Errorf("%s: %s", spark, report(err))
			continue
		}
		if rows := pgtest.Rows(t, dsn, "SET timezone = 'UTC'; SELECT "+got.SQL); rows[0][0] != want {
			t.Errorf("%s as %s: %q, want %q", spark, got.SQL, rows[0][0], want)
		}
	}
}

// TestSpark_PlacesOfTokens checks that each token of a translation stands where its
// offsets say and has the place of what it comes from.
func TestSpark_PlacesOfTokens(t *testing.T) {
	t.Parallel()
	text, err := sparkText(`"ö" RLIKE 'x' AND` + "\n  concat(a, `B`) == CAST(c AS STRING)")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, tok := range text.Tokens {
		got = append(got, fmt.Sprintf("%s %d:%d", text.SQL[tok.Offset:tok.End], tok.Pos.Line, tok.Pos.Column))
	}
	want := "'ö' 3:1|~ 3:5|'x' 3:11|AND 3:15|( 4:3|a 4:10||| 4:3|\"B\" 4:13|) 4:3|= 4:18|CAST 4:21|( 4:25|c 4:26|AS 4:28|text 4:31|) 4:37"
	if strings.Join(got, "|") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, "|"), want)
	}
}

// TestSpark_VersionsKeepTheNamesOfFields is for those who make columns of them.
func TestSpark_VersionsKeepTheNamesOfFields(t *testing.T) {
	t.Parallel()
	for spark, want := range map[string]string{
		"SELECT struct(a AS x, b + 1) AS v FROM t":         `SELECT CAST(ROW(a AS "x", b + 1) AS record) AS v FROM t`,
		"SELECT named_struct('x', a, 'Y', b) FROM t":       `SELECT CAST(ROW(a AS "x", b AS "Y") AS record) FROM t`,
		"SELECT a FROM t WHERE struct(a AS x) > struct(b)": "SELECT a FROM t WHERE CAST(ROW(a) AS record) > CAST(ROW(b) AS record)",
	} {
		f, err := flowsql.Parse("f", []byte("SET dialect = 'spark'; AUTO CDC INTO t FROM SNAPSHOT (SELECT * FROM t) WITH VERSION ("+spark+") KEYS (id)"))
		if err != nil {
			t.Fatal(report(err))
		}
		if got := f.Statements[0].(*flowsql.CreateFlow).CDC.From.Version.SQL; got != want {
			t.Errorf("%s: %s, want %s", spark, got, want)
		}
	}
}

// TestSpark_SequencesAreNoRecords checks that STRUCT stays a clause.
func TestSpark_SequencesAreNoRecords(t *testing.T) {
	t.Parallel()
	f, err := flowsql.Parse("f", []byte("SET dialect = 'spark'; AUTO CDC INTO t FROM CHANGES(s) KEYS (id) SEQUENCE BY STRUCT(a::long, nvl(b, c))"))
	if err != nil {
		t.Fatal(report(err))
	}
	s := f.Statements[0].(*flowsql.CreateFlow).CDC.SequenceBy
	if !s.Struct || len(s.Fields) != 2 || s.Fields[0].SQL != "a::bigint" || s.Fields[1].SQL != "coalesce(b, c)" {
		t.Errorf("%+v", s)
	}
}
