package flowsql_test

import (
	"testing"

	"github.com/autocdc/autocdc/config/flowsql"
)

// TestParse_ValuesOfStrings reads strings of both dialects as comments.
func TestParse_ValuesOfStrings(t *testing.T) {
	t.Parallel()
	const spark = "SET dialect = spark;"
	for _, c := range []struct{ dialect, literal, want string }{
		{"", `'it''s \n'`, `it's \n`},
		{"", `E'it\'s ''\n\t\\\x41\101\u00e9\U0001F600\q'`, "it's '\n\t\\AAé😀q"},
		{"", `e'\u12'`, "u12"},
		{"", `$$it's$$`, "it's"},
		{"", `$ä_1$ $$ $x$ $ä_1$`, " $$ $x$ "},
		{"", `N'a'`, "a"},
		{spark, `"it's \n\r\t\b\\\"\Z"`, "it's \n\r\t\b\\\"\x1a"},
		{spark, `'a''b\'c'`, "a'b'c"},
		{spark, `'50\% \_ \101 \u00e9 \U0001F600 \q'`, `50\% \_ 101 é 😀 q`},
		{spark, `'\0101'`, "\x081"},
		{spark, `r'\d"' `, `\d"`},
		{spark, `R"\d'"`, `\d'`},
	} {
		f, err := flowsql.Parse("f", []byte(c.dialect+"CREATE STREAMING TABLE t COMMENT "+c.literal))
		if err != nil {
			t.Errorf("%s: %v", c.literal, err)
			continue
		}
		if got := *f.Statements[0].(*flowsql.CreateTable).Comment; got != c.want {
			t.Errorf("%s: %q, want %q", c.literal, got, c.want)
		}
	}
}
