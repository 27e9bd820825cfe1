package flowsql_test

import (
	"strings"
	"testing"

	"github.com/autocdc/autocdc/config/flowsql"
)

// TestSpark_StopsWithThePlace has expressions, at column 1 of line 3, and queries,
// and what is said of them; the first line of each is the error.
func TestSpark_StopsWithThePlace(t *testing.T) {
	t.Parallel()
	for spark, want := range map[string]string{
		"1 + date_format(a, 'yyyy')":              "f:3:5: the function date_format is not translated\n  hint: Postgres has to_char(x, format) with other patterns",
		"a = to_date(b, 'yyyy')":                  "f:3:5: to_date with 2 arguments is not translated\n  hint: Postgres has other patterns",
		"to_timestamp(b, 'yyyy') = a":             "f:3:1: to_timestamp with 2 arguments is not translated\n  hint: Postgres has other patterns",
		"nvl(a, b, c)":                            "f:3:1: nvl with 3 arguments is not translated",
		"nvl(a, )":                                "f:3:1: nvl with 2 arguments is not translated",
		"if(a, from_json(b, 'x'), split(c, ','))": "f:3:7: the function from_json is not translated\n  hint: read json as jsonb: CAST(column AS jsonb) ->> 'field'\nf:3:26: the function split is not translated\n  hint: write split_part",
		"unix_timestamp(a)":                       "f:3:1: the function unix_timestamp is not translated\n  hint: write extract(epoch FROM x)",
		"try_cast(a AS INT)":                      "f:3:1: the function try_cast is not translated",
		"CAST(a AS MAP<STRING, INT>)":             "f:3:11: the type MAP is not translated\n  hint: Postgres has jsonb for it",
		"CAST(a AS ARRAY<STRUCT<b: INT>>)":        "f:3:17: the type STRUCT is not translated\n  hint: Postgres has jsonb for it",
		"a::VARIANT":                              "f:3:4: the type VARIANT is not translated\n  hint: Postgres has jsonb for it",
		"CAST(a AS ARRAY<INT)":                    "f:3:11: ARRAY without its >\n  hint: write ARRAY<STRING>",
		"a DIV b":                                 "f:3:3: DIV is not translated\n  hint: write trunc(a / b)",
		"a ^ b":                                   "f:3:3: the operator ^ is not translated",
		"a >>> b":                                 "f:3:3: the operator >>> is not translated",
		"a | b & c":                               "f:3:7: & beside |\n  hint: put the part that Spark computes first in brackets",
		"doc:b.c = 1":                             "f:3:4: a path after : is not translated\n  hint: of a json or jsonb column take a field with column ->> 'field'",
		"f(a, x -> x + 1)":                        "f:3:8: lambda functions are not translated",
		"a[0]":                                    "f:3:2: an element of an array by its number is not translated",
		"12ab = 1":                                "f:3:1: unexpected ab after a number\n  hint: write a name that begins with a digit between backticks",
		"substring(a, -2)":                        "f:3:14: substring from a position below 1 is not translated",
		"extract(DOW FROM a) = 1":                 "f:3:9: the day of the week is not translated",
		"struct()":                                "f:3:1: struct with 0 arguments\n  hint: write struct(a, b) or named_struct",
		"named_struct('a')":                       "f:3:1: named_struct with 1 arguments\n  hint: write struct(a, b) or named_struct",
		"named_struct(a, b)":                      "f:3:14: the name of a field must be a string",
		"regexp_extract(a, 'x')":                  "f:3:19: group 1 of a regular expression with 0\n  hint: write 0 as the third argument for the whole match",
		"regexp_extract(a, '(x)', 2)":             "f:3:26: group 2 of a regular expression with 1",
		"regexp_extract(a, '(x*?)y+')":            "f:3:19: a regular expression of lazy and greedy parts together is not translated",
		"regexp_replace(a, 'x', b)":               "f:3:24: a replacement that is no literal is not translated",
		"regexp_replace(a, 'x', '$')":             "f:3:24: unexpected $ in a replacement",
		"regexp_replace(a, 'x', 'y', 2)":          "f:3:1: regexp_replace with 4 arguments is not translated",
		`a RLIKE r'\p{L}'`:                        `f:3:9: a regular expression with \p is not translated`,
		"a RLIKE 'x++'":                           "f:3:9: a regular expression with a possessive quantifier is not translated",
		"a RLIKE '[a&&b]'":                        "f:3:9: a regular expression with a class inside a class is not translated",
		"a RLIKE '(?>a)'":                         "f:3:9: a regular expression with (?>a is not translated",
		"a RLIKE '(?=(a))'":                       "f:3:9: a regular expression with a group inside a lookaround is not translated",
		`a RLIKE r'a\'`:                           `f:3:9: a regular expression that ends with a backslash is not translated`,

		"SELECT * EXCEPT (a) FROM t":                       "f:3:8: * EXCEPT in a query is not translated",
		"SELECT * FROM t LATERAL VIEW explode(a) u AS b":   "f:3:17: LATERAL VIEW is not translated\n  hint: write CROSS JOIN LATERAL unnest(array) AS t(x)",
		"SELECT explode(a) FROM t":                         "f:3:8: the function explode is not translated\n  hint: write CROSS JOIN LATERAL unnest(array) AS t(x)",
		"SELECT * FROM a LEFT ANTI JOIN b ON true":         "f:3:22: ANTI JOIN is not translated",
		"SELECT * FROM a SEMI JOIN b ON true":              "f:3:17: SEMI JOIN is not translated",
		"SELECT * FROM t PIVOT (sum(a) FOR b IN (1))":      "f:3:17: PIVOT is not translated",
		"SELECT a FROM t QUALIFY row_number() OVER () = 1": "f:3:17: QUALIFY is not translated",
		"FROM t SELECT a":                                  "f:3:8: SELECT after FROM is not translated\n  hint: write SELECT before FROM",
		"FROM t |> WHERE a":                                "f:3:8: queries with |> are not translated",
	} {
		_, err := sparkText(spark)
		if got := report(err); err == nil || !strings.HasPrefix(got, want) {
			t.Errorf("%s\n got %s\nwant %s", spark, got, want)
		}
	}
}

// TestSpark_FaultsAreSaidOnce checks that a fault costs its clause only, and is not
// reported once for the field and once for the STRUCT.
func TestSpark_FaultsAreSaidOnce(t *testing.T) {
	t.Parallel()
	for spark, want := range map[string]string{
		"AUTO CDC INTO t FROM CHANGES(s) KEYS (id)\nSEQUENCE BY STRUCT(a, b ^ c) STORED AS SCD TYP 2": "f:2:25: the operator ^ is not translated\nf:2:44: expected TYPE, found TYP\n",
		"CREATE STREAMING TABLE t (a STRING, b MAP<INT, INT>, c INT)":                                 "f:1:61: the type MAP is not translated\n",
		"AUTO CDC INTO t FROM CHANGES(s) KEYS (id) SEQUENCE BY named_struct('x', a)":                  "f:1:77: SEQUENCE BY with NAMED_STRUCT\n",
		"AUTO CDC INTO t FROM SNAPSHOT (SELECT a ^ b FROM t) KEYS (id)":                               "f:1:63: the operator ^ is not translated\n",
	} {
		_, err := flowsql.Parse("f", []byte("SET dialect = 'spark';"+spark))
		var got strings.Builder
		for line := range strings.Lines(report(err)) {
			if !strings.HasPrefix(line, "  hint") {
				got.WriteString(line)
			}
		}
		if got.String() != want {
			t.Errorf("%s\n got %s\nwant %s", spark, got.String(), want)
		}
	}
}
