package arch_test

import (
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/test/arch"
)

const root = "../.."

// tooLong lists what may be longer than the rules say, with the reason; keep it
// empty if you can.
var tooLong = map[string]string{}

func load(t *testing.T) ([]arch.File, arch.Table) {
	t.Helper()
	files, err := arch.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	design, err := os.ReadFile(root + "/DESIGN.md")
	if err != nil {
		t.Fatal(err)
	}
	table, err := arch.ParseTable(string(design))
	if err != nil {
		t.Fatal(err)
	}
	return files, table
}

func TestRepository(t *testing.T) {
	t.Parallel()
	files, table := load(t)
	if len(files) < 10 {
		t.Fatalf("only %d files found", len(files))
	}
	rules := map[string][]string{
		"imports":  arch.Imports(files, table),
		"lengths":  arch.Lengths(files, tooLong),
		"manners":  arch.TestManners(files),
		"comments": arch.Comments(files),
	}
	for name, faults := range rules {
		for _, f := range faults {
			t.Errorf("%s: %s", name, f)
		}
	}
}

func TestTable_SaysWhatDesignSays(t *testing.T) {
	t.Parallel()
	_, table := load(t)
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"merge", "merge/sqlgen", true},
		{"merge", "migrations", true},
		{"merge", "replication", false},
		{"replication", "snapshot", false},
		{"replication", "merge/batch", true},
		{"schema", "schema/catalog", false},
		{"schema/catalog", "schema", true},
		{"merge/sqlgen", "merge/batch", false},
		{".", "replication", true},
		{".", "cmd/embedpg", false},
		{"merge", ".", false},
		{"cmd/autocdc", ".", true},
		{"cmd/autocdc", "merge", false},
		{"test/fault", "merge", true},
		{"cmd/autocdc", "test/pgtest", false},
	} {
		if ok, known := table.Allows(c.from, c.to); ok != c.ok || !known {
			t.Errorf("%s imports %s: allowed %v (known %v), want %v", c.from, c.to, ok, known, c.ok)
		}
	}
	if _, known := table.Allows("util", "schema"); known {
		t.Error("a package that is not in the table is known")
	}
}

func parse(t *testing.T, path, text string) arch.File {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return arch.File{Path: path, Fset: fset, AST: f}
}

func TestRules_FindFaults(t *testing.T) {
	t.Parallel()
	_, table := load(t)
	importing := `package merge; import "` + arch.Module + `/replication"`
	long := "package merge\nfunc long() {" + strings.Repeat("\n", arch.MaxFunction) + "}"
	sleepy := `package merge; func f() { time.Sleep(1); t.Skip() }`
	for name, c := range map[string]struct {
		faults []string
		want   int
	}{
		"import":             {arch.Imports([]arch.File{parse(t, "merge/a.go", importing)}, table), 1},
		"import by a test":   {arch.Imports([]arch.File{parse(t, "merge/a_test.go", importing)}, table), 1},
		"import of own test": {arch.Imports([]arch.File{parse(t, "merge/a_test.go", strings.Replace(importing, "replication", "test/pgtest", 1))}, table), 0},
		"function":           {arch.Lengths([]arch.File{parse(t, "merge/a.go", long)}, nil), 1},
		"function allowed":   {arch.Lengths([]arch.File{parse(t, "merge/a.go", long)}, map[string]string{"merge/a.go:long": "why"}), 0},
		"file":               {arch.Lengths([]arch.File{parse(t, "merge/a.go", "package merge"+strings.Repeat("\n", arch.MaxFile+1))}, nil), 1},
		"manners":            {arch.TestManners([]arch.File{parse(t, "merge/a_test.go", sleepy)}), 2},
		"manners elsewhere":  {arch.TestManners([]arch.File{parse(t, "merge/a.go", sleepy)}), 0},
		"comment":            {arch.Comments([]arch.File{parse(t, "merge/a.go", "package merge")}), 1},
		"comment there":      {arch.Comments([]arch.File{parse(t, "merge/a.go", "// Package merge merges.\npackage merge")}), 0},
	} {
		if len(c.faults) != c.want {
			t.Errorf("%s: got %q, want %d faults", name, c.faults, c.want)
		}
	}
}
