package flowsql_test

import (
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/config/flowsql"
)

// TestParse_TakesLinearTime parses long files of what might be read again and
// again; a quadratic parser would need minutes for one of them.
func TestParse_TakesLinearTime(t *testing.T) {
	t.Parallel()
	const size = 1 << 15
	head := "AUTO CDC INTO t FROM CHANGES(s) KEYS (id) SEQUENCE BY "
	for _, piece := range []string{
		"+", "(", ")", "[", "a ", "$", "$a$", "$a ", "/*", "--", "'", "''", "\"", "`", ";", "a,", "a.", "CASE ", "CASE END ",
		"WITH ( ", "KEYS ", "KEYS (", "KEYS (a) ", "SEQUENCE BY ", "SEQUENCE BY STRUCT(a) ", "CREATE ", "CREATE FLOW f AS ", "SEQUENCE BI ", "sequencf bz ",
		"COLUMNS * EXCEPT ", "U&'", "E'\\", "0x", "1e", "\n", "AUTO CDC INTO ", "APPLY AS ", "a::", "as ", "(a, b) ", "()", "é", "\u00a0",
		"CREATE STREAMING TABLE t(a int, a int)", "a int,", "x RLIKE ", "x RLIKE CASE ", "'a' ", "ARRAY<", "concat(a, ", "VALUES (", "VALUES (1), ",
		"regexp_extract(", "regexp_extract(a, 'b'), ", "ORDER BY a, ", "(ORDER BY ", "(a / ", "CAST(", "a & ", "INTERVAL 1 DAY ", "a[", "struct(", "(FROM ",
	} {
		spark := "SET dialect = 'spark';"
		view := spark + "CREATE TEMPORARY VIEW v AS SELECT "
		for _, src := range []string{piece, head + piece, spark + piece, spark + head + piece, view + piece, "CREATE STREAMING TABLE t(" + piece} {
			src += strings.Repeat(piece, size/len(piece))
			start := time.Now()
			f, _ := flowsql.Parse("f", []byte(src))
			if d := time.Since(start); f == nil || d > 3*time.Second {
				t.Errorf("%.40q: %v", src, d)
			}
		}
	}
}
