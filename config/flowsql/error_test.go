package flowsql_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/config/flowsql"
)

const flow = "CREATE FLOW f AS AUTO CDC INTO t FROM CHANGES(s) KEYS (id) " // 59 characters

// faults are files and what is said of them: the errors, each followed by its
// hint if it has one.
var faults = []struct{ name, src, want string }{
	{"empty file", "", ""},
	{"only comments", "-- a\n/* b */ ;;", ""},
	{"byte order mark", "\ufeffCREATE", `f:1:7: expected STREAMING TABLE, FLOW or TEMPORARY VIEW, found the end of the file`},
	{"invalid UTF-8", "a\nbé\xff", "f:2:3: invalid UTF-8, byte 0xff\n  hint: save the file as UTF-8"},
	{"NUL", "a\x00", "f:1:2: NUL byte\n  hint: save the file as UTF-8"},
	{"not a statement", "SELEC 1", "f:1:1: expected a statement, found SELEC"},
	{"misspelled statement", "CRAETE FLOW x", "f:1:1: expected a statement, found CRAETE\n  hint: did you mean CREATE?"},
	{"misspelled object", "CREATE STREAMNG TABLE t", "f:1:8: expected STREAMING TABLE, FLOW or TEMPORARY VIEW, found STREAMNG\n  hint: did you mean STREAMING TABLE?"},
	{"plain table", "CREATE TABLE t", "f:1:8: expected STREAMING TABLE, FLOW or TEMPORARY VIEW, found TABLE\n  hint: write CREATE STREAMING TABLE"},
	{"plain view", "CREATE VIEW t", "f:1:8: expected STREAMING TABLE, FLOW or TEMPORARY VIEW, found VIEW\n  hint: write CREATE TEMPORARY VIEW"},
	{"or replace", "CREATE OR REPLACE FLOW t", "f:1:8: unexpected OR\n  hint: write CREATE OR REFRESH for a streaming table; views and flows are replaced anyway"},
	{"or refresh flow", "CREATE OR REFRESH FLOW t", "f:1:19: expected STREAMING TABLE, found FLOW"},

	{"unterminated string", "CREATE\n 'a;\n", "f:2:2: unterminated string\n  hint: the text that begins here never ends; an earlier quote may be missing"},
	{"unterminated identifier", `CREATE "a`, "f:1:8: unterminated quoted identifier\n  hint: the text that begins here never ends; an earlier quote may be missing"},
	{"unterminated comment", "CREATE /* /* */", "f:1:8: unterminated comment\n  hint: the comment that begins here needs a */ for each /*"},
	{"unterminated dollar quote", "CREATE $a$ $b$", "f:1:8: unterminated dollar-quoted string\n  hint: the text that begins here needs a closing $a$"},
	{"empty identifier", `CREATE "" x`, "f:1:8: empty quoted identifier"},
	{"unicode escapes", `CREATE U&"\0061" x`, "f:1:8: unicode escapes U& are not supported\n  hint: write the characters themselves, the file is UTF-8"},
	{"backtick", "CREATE `a`", "f:1:8: unexpected `\n  hint: write \"name\" for a quoted identifier, or begin the file with SET dialect = 'spark'\nf:1:10: unexpected `\n  hint: write \"name\" for a quoted identifier, or begin the file with SET dialect = 'spark'"},
	{"variable", "CREATE ${X", "f:1:8: unexpected ${\n  hint: environment variables are expanded in the YAML file only"},
	{"braces", "CREATE \\", `f:1:8: unexpected character \`},
	{"no-break space", "CREATE\u00a0FLOW", "f:1:7: unexpected invisible character U+00A0\n  hint: replace it by an ordinary space"},
	{"typographic quote", "CREATE ’x’", "f:1:8: unexpected typographic quote ’\n  hint: write 'text' for a string and \"name\" for an identifier\nf:1:10: unexpected typographic quote ’\n  hint: write 'text' for a string and \"name\" for an identifier"},

	{"dialect", "SET dialect = 'sparc';", "f:1:15: unknown dialect 'sparc'\n  hint: did you mean 'spark'?"},
	{"dialect unknown", "SET dialect = 'oracle';", "f:1:15: unknown dialect 'oracle'\n  hint: write 'postgres' or 'spark'"},
	{"dialect late", "CREATE STREAMING TABLE t; SET dialect = 'spark';", "f:1:27: SET dialect after another statement\n  hint: move it to the top, once: it holds for the whole file"},
	{"dialect twice", "SET dialect = 'spark';SET dialect = 'postgres'", "f:1:23: SET dialect after another statement\n  hint: move it to the top, once: it holds for the whole file"},
	{"setting", "SET dialct = 'spark'", "f:1:5: expected DIALECT, found DIALCT\n  hint: did you mean DIALECT?"},
	{"binary literal", "SET dialect = 'spark'; CREATE FLOW f COMMENT x'00'", "f:1:46: binary literals are not translated\n  hint: write '\\x…'::bytea in a file without SET dialect"},
	{"spark NUL", "SET dialect = 'spark'; CREATE FLOW f COMMENT '\\0'", "f:1:46: NUL character in a string\n  hint: Postgres cannot store a NUL character"},

	{"four parts", "CREATE STREAMING TABLE a.b.c.d", "f:1:24: a.b.c.d: a name of 4 parts\n  hint: write schema.table"},
	{"three parts", "CREATE STREAMING TABLE a.b.c", "f:1:24: a.b.c: a name of 3 parts\n  hint: write schema.table"},
	{"source of four parts", "AUTO CDC INTO t FROM CHANGES(a.b.c.d) KEYS (id)", "f:1:30: a.b.c.d: a name of 4 parts\n  hint: write source.schema.table"},
	{"long name", "CREATE STREAMING TABLE " + strings.Repeat("x", 64), "f:1:24: identifier longer than 63 bytes\n  hint: Postgres cuts names there"},
	{"flow with schema", "CREATE FLOW a.b AS", "f:1:13: a.b: a name of 2 parts\n  hint: this name has one part, without a schema"},
	{"double-quoted comment", `CREATE FLOW a COMMENT "x" AS`, "f:1:23: expected the text of the comment, found \"x\"\n  hint: \"x\" is an identifier; write 'x', or begin the file with SET dialect = 'spark'"},
	{"table as query", "CREATE STREAMING TABLE t AS SELECT 1", "f:1:26: unexpected AS\n  hint: a streaming table has no query; write CREATE FLOW name AS INSERT INTO table BY NAME query"},
	{"table properties", "CREATE STREAMING TABLE t TBLPROPERTIES ('a' = 'b')", "f:1:26: unexpected TBLPROPERTIES: after the table's name come columns, COMMENT and FLOW AUTO CDC"},
	{"flow misspelled", "CREATE STREAMING TABLE t FLWO AUTO CDC", "f:1:26: unexpected FLWO: after the table's name come columns, COMMENT and FLOW AUTO CDC\n  hint: did you mean FLOW AUTO CDC?"},
	{"inline without FLOW", "CREATE STREAMING TABLE t AUTO CDC FROM x", "f:1:26: unexpected AUTO\n  hint: write FLOW AUTO CDC, or end the statement with ; before it"},
	{"inline with INTO", "CREATE STREAMING TABLE t FLOW AUTO CDC INTO t", "f:1:40: unexpected INTO\n  hint: the target is the table itself; leave INTO out"},

	{"empty columns", "CREATE STREAMING TABLE t ()", "f:1:26: empty list of columns\n  hint: leave the parentheses out, or name columns or constraints in them"},
	{"column without type", "CREATE STREAMING TABLE t (a, b int)", "f:1:28: expected the type of column a, found ,"},
	{"column twice", "CREATE STREAMING TABLE t (a int, A text)", "f:1:34: column a is there already at f:1:27"},
	{"constraint twice", "CREATE STREAMING TABLE t (CONSTRAINT a EXPECT (b), CONSTRAINT a EXPECT (c))", "f:1:63: constraint a is there already at f:1:38"},
	{"not null", "CREATE STREAMING TABLE t (a int NOT NULL)", "f:1:33: unexpected NOT\n  hint: a column has a name and a type only; for a condition write CONSTRAINT name EXPECT (…)"},
	{"trailing comma", "CREATE STREAMING TABLE t (a int,)", "f:1:33: expected a column or CONSTRAINT after the comma, found )"},
	{"primary key", "CREATE STREAMING TABLE t (CONSTRAINT k PRIMARY KEY (a))", "f:1:40: expected EXPECT, found PRIMARY\n  hint: the constraints of a streaming table are CONSTRAINT name EXPECT (condition); the key comes from KEYS"},
	{"empty expectation", "CREATE STREAMING TABLE t (CONSTRAINT k EXPECT ())", "f:1:48: expected a condition, found )"},
	{"violation", "CREATE STREAMING TABLE t (CONSTRAINT k EXPECT (a) ON VIOLATION DORP ROW)", "f:1:64: expected DROP ROW or FAIL UPDATE, found DORP\n  hint: did you mean DROP ROW?"},
	{"unclosed columns", "CREATE STREAMING TABLE t (a int; CREATE STREAMING TABLE u (b int[)", "f:1:26: unclosed (\n  hint: the bracket that opens here needs a closing one\nf:1:65: unclosed [\n  hint: the bracket that opens here needs a closing one"},

	{"missing INTO", "CREATE FLOW f AS AUTO CDC t FROM CHANGES(s)", "f:1:27: expected INTO, found T\n  hint: name the target: AUTO CDC INTO target FROM …"},
	{"missing FROM", "AUTO CDC INTO t KEYS (id)", "f:1:17: expected FROM, found KEYS\n  hint: name the source: FROM CHANGES(schema.table)"},
	{"flow of what", "CREATE FLOW f AS SELECT 1", "f:1:18: expected AUTO CDC INTO or INSERT INTO, found SELECT"},
	{"no by name", "CREATE FLOW f AS INSERT INTO t SELECT 1", "f:1:32: expected BY NAME, found SELECT\n  hint: columns are matched by name: INSERT INTO target BY NAME SELECT …"},
	{"no query", "CREATE TEMPORARY VIEW v AS SELEKT 1", "f:1:28: expected a query, found SELEKT\n  hint: did you mean SELECT?"},
	{"query with stray bracket", "CREATE TEMPORARY VIEW v AS SELECT 1)", "f:1:36: unexpected )\n  hint: nothing is open that it closes"},
	{"source function", "AUTO CDC INTO t FROM CHANGE(s) KEYS (id)", "f:1:22: unknown source change(…)\n  hint: did you mean CHANGES?"},
	{"source subquery", "AUTO CDC INTO t FROM (SELECT 1) KEYS (id)", "f:1:22: unexpected (\n  hint: name a query with CREATE TEMPORARY VIEW and write FROM view, or FROM SNAPSHOT (query)"},
	{"stream of function", "AUTO CDC INTO t FROM STREAM(read_files('x')) KEYS (id)", "f:1:39: unexpected (\n  hint: a table function is read with SNAPSHOT (SELECT * FROM …)"},
	{"snapshot of name", "AUTO CDC INTO t FROM SNAPSHOT s KEYS (id)", "f:1:31: expected ( and a query, as in SNAPSHOT (SELECT * FROM table), found S"},
	{"snapshot of name in brackets", "AUTO CDC INTO t FROM SNAPSHOT (s) KEYS (id)", "f:1:32: expected a query, found S"},
	{"changes unclosed", "AUTO CDC INTO t FROM CHANGES(s KEYS (id)", "f:1:32: expected ), found KEYS"},

	{"missing KEYS", "AUTO CDC INTO t FROM CHANGES(s)", "f:1:1: flow without KEYS\n  hint: add KEYS (column, …) after FROM: the columns that tell the rows of the target apart"},
	{"KEYS misspelled", "AUTO CDC INTO t FROM CHANGES(s) KEY (id)", "f:1:33: unexpected KEY\n  hint: did you mean KEYS?"},
	{"stream without sequence", "AUTO CDC INTO t FROM STREAM(s) KEYS (id)", "f:1:22: STREAM without SEQUENCE BY\n  hint: add SEQUENCE BY with the column that says which event of a key is the newer one; only CHANGES(…) has a sequence of its own"},
	{"bitemporal without sequence", flow + "STORED AS BITEMPORAL", "f:1:60: BITEMPORAL without SEQUENCE BY\n  hint: add SEQUENCE BY with the time from which a row is valid"},
	{"empty keys", "AUTO CDC INTO t FROM CHANGES(s) KEYS ()", "f:1:39: empty list after KEYS\n  hint: name at least one column"},
	{"bare empty keys", "AUTO CDC INTO t FROM CHANGES(s) KEYS STORED AS SCD TYPE 1", "f:1:38: empty list after KEYS\n  hint: name at least one column"},
	{"keys twice the same", "AUTO CDC INTO t FROM CHANGES(s) KEYS (id, ID)", "f:1:43: column id is there already at f:1:39"},
	{"key with table", "AUTO CDC INTO t FROM CHANGES(s) KEYS (s.id)", "f:1:40: unexpected .\n  hint: a column has one part; for a field of a composite use a temporary view"},
	{"key string", "AUTO CDC INTO t FROM CHANGES(s) KEYS ('id')", "f:1:39: expected a column after KEYS, found the string 'id'\n  hint: write id without the quotes, or \"id\""},
	{"unclosed keys", "AUTO CDC INTO t FROM CHANGES(s) KEYS (id STORED AS SCD TYPE 2", "f:1:42: expected , or ), found STORED"},
	{"second clause", flow + "SEQUENCE BY a COLUMNS (a) SEQUENCE BY b", "f:1:86: second SEQUENCE BY, the first is at f:1:60\n  hint: a flow has each clause once"},
	{"misspelled after expression", flow + "APPLY AS DELETE WHEN op = 'D' SEQEUNCE BY ts STORED AS SCD TYPE 3", "f:1:90: unexpected SEQEUNCE\n  hint: did you mean SEQUENCE BY?\nf:1:124: expected 1 or 2, found 3"},
	{"misspelled after list", flow + "COLUMS * EXCEPT (a)", "f:1:60: unexpected COLUMS\n  hint: did you mean COLUMNS?"},
	{"misspelled list after expression", flow + "SEQUENCE BY a COLUMS * EXCEPT (a)", "f:1:74: unexpected COLUMS\n  hint: did you mean COLUMNS?"},
	{"except misspelled", flow + "COLUMNS * EXCPET (a)", "f:1:70: expected EXCEPT, found EXCPET\n  hint: did you mean EXCEPT?"},
	{"apply as what", flow + "APPLY AS UPDATE WHEN a", "f:1:69: expected DELETE WHEN or TRUNCATE WHEN, found UPDATE"},
	{"no expression", flow + "APPLY AS DELETE WHEN SEQUENCE BY a", "f:1:81: expected an expression after APPLY AS DELETE WHEN, found SEQUENCE"},
	{"dangling operator", flow + "APPLY AS DELETE WHEN a = SEQUENCE BY a", "f:1:85: expected an operand after =, found SEQUENCE"},
	{"sequence list", flow + "SEQUENCE BY a, b", "f:1:73: unexpected ,\n  hint: write SEQUENCE BY STRUCT(a, b) for a sequence of several values; no other clause takes a comma here"},
	{"sequence row", flow + "SEQUENCE BY (a, b)", "f:1:72: SEQUENCE BY with a row of several values\n  hint: write STRUCT(a, b)"},
	{"empty struct", flow + "SEQUENCE BY STRUCT()", "f:1:79: expected an expression in STRUCT"},
	{"case without end", flow + "SEQUENCE BY CASE WHEN a THEN b STORED AS SCD TYPE 2", "f:1:72: CASE without END\n  hint: close it with END"},
	{"unclosed expression", flow + "SEQUENCE BY f(a STORED AS SCD TYPE 2", "f:1:73: unclosed (\n  hint: the bracket that opens here needs a closing one"},
	{"stray bracket", flow + "SEQUENCE BY a) STORED AS SCD TYPE 2", "f:1:73: unexpected )\n  hint: nothing is open that it closes"},
	{"alias", flow + "SEQUENCE BY a AS b", "f:1:74: unexpected AS"},
	{"kind", flow + "STORED AS BITEMPORL", "f:1:70: expected SCD TYPE 1, SCD TYPE 2 or BITEMPORAL, found BITEMPORL\n  hint: did you mean BITEMPORAL?"},
	{"columns to update", flow + "COLUMNS TO UPDATE (a, b)", "f:1:78: COLUMNS TO UPDATE with 2 columns\n  hint: name the one column, of type text[], that lists the columns an event carries"},
	{"empty options", flow + "WITH ()", "f:1:66: empty list of options\n  hint: leave WITH out, or name options in it"},
	{"option twice", flow + "WITH (copy = false, COPY = true)", "f:1:80: option copy is there already at f:1:66"},
	{"option without value", flow + "WITH (copy)", "f:1:70: expected =, found )"},
	{"option of words", flow + "WITH (every = 10 minutes)", "f:1:77: expected , or ), found MINUTES\n  hint: write a value of several words in quotes: every = '10 minutes'"},
	{"option quoted", flow + `WITH (truncate = "apply")`, "f:1:77: expected the value of option truncate, found \"apply\"\n  hint: \"apply\" is an identifier; write 'apply', or begin the file with SET dialect = 'spark'"},
	{"missing semicolon", flow + "SEQUENCE BY a\nCREATE STREAMING TABLE", "f:2:1: unexpected CREATE\n  hint: end the statement before it with ;\nf:2:23: expected the name of the target, found the end of the file"},
	{"deep", flow + "SEQUENCE BY " + strings.Repeat("(", 300), "f:1:328: brackets nested deeper than 256"},
	{"deep case", flow + "SEQUENCE BY " + strings.Repeat("CASE ", 300), "f:1:1352: CASE nested deeper than 256"},
	{"all at once", "CREATE X;\n" + flow + "KEYS (a);\nCREATE STREAMING TABLE ok;\nSET y = 1", "f:1:8: expected STREAMING TABLE, FLOW or TEMPORARY VIEW, found X\nf:2:60: second KEYS, the first is at f:2:50\n  hint: a flow has each clause once\nf:4:5: expected DIALECT, found Y"},
}

func TestParse_Faults(t *testing.T) {
	t.Parallel()
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f, err := flowsql.Parse("f", []byte(c.src))
			if got := strings.TrimSuffix(report(err), "\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if f == nil {
				t.Error("no file")
			}
		})
	}
}

func TestParse_KeepsWholeStatementsBesideFaults(t *testing.T) {
	t.Parallel()
	f, err := flowsql.Parse("f", []byte("CREATE STREAMING TABLE a; CREATE; CREATE STREAMING TABLE b CREATE STREAMING TABLE c"))
	if err == nil || len(f.Statements) != 3 {
		t.Errorf("%d statements, %v", len(f.Statements), err)
	}
}

func TestErrorList_ShowsEachErrorToErrorsAs(t *testing.T) {
	t.Parallel()
	_, err := flowsql.Parse("f", []byte("CREATE;\nSET"))
	var one *flowsql.Error
	if !errors.As(err, &one) || one.Pos != (flowsql.Pos{File: "f", Line: 1, Column: 7}) {
		t.Errorf("%v", one)
	}
	if n := strings.Count(err.Error(), "\n"); n != 1 {
		t.Errorf("%q", err.Error())
	}
}
