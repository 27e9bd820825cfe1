package flowsql_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/config/flowsql"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestParse_Golden parses every file of testdata and compares the dump of the
// syntax tree with the file beside it.
func TestParse_Golden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("testdata: %v, %d files", err, len(files))
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			compareGolden(t, name)
		})
	}
}

func compareGolden(t *testing.T, name string) {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := flowsql.Parse(filepath.Base(name), src)
	got := dump(f) + report(err)
	golden := strings.TrimSuffix(name, ".sql") + ".golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// report writes the faults with their hints.
func report(err error) string {
	var list flowsql.ErrorList
	errors.As(err, &list)
	var b strings.Builder
	for _, e := range list {
		b.WriteString(e.Error() + "\n")
		if e.Hint != "" {
			b.WriteString("  hint: " + e.Hint + "\n")
		}
	}
	return b.String()
}
