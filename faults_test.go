package autocdc_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/test/pgtest"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// TestCheck_ReportsAllFaultsWithTheirPlace compares the faults of each flow file
// under testdata/faults with the text file beside it.
func TestCheck_ReportsAllFaultsWithTheirPlace(t *testing.T) {
	t.Parallel()
	ddl, err := os.ReadFile("testdata/faults/source.ddl")
	if err != nil {
		t.Fatal(err)
	}
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, string(ddl))
	pgtest.Exec(t, target, "CREATE SCHEMA dw")
	files, err := filepath.Glob("testdata/faults/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no flow files: %v", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			golden(t, strings.TrimSuffix(path, ".sql")+".txt", faultsOf(t, source, target, path))
		})
	}
	tables := pgtest.Rows(t, target, "SELECT relname FROM pg_class WHERE relnamespace IN ('dw'::regnamespace, 'public'::regnamespace)")
	if len(tables) > 0 {
		t.Errorf("check made %v", tables)
	}
}

func faultsOf(t *testing.T, source, target, path string) string {
	t.Helper()
	files, err := autocdc.LoadFiles([]string{path})
	if err == nil {
		p := &autocdc.Pipeline{Name: "faults", Sources: []autocdc.Source{{Name: "shop", DSN: source}}, Target: target, Files: files}
		_, err = p.Check(context.Background())
	}
	var faults *autocdc.FaultsError
	if !errors.As(err, &faults) {
		t.Fatalf("want faults, got %v", err)
	}
	return strings.ReplaceAll(faults.Error(), "testdata/faults/", "") + "\n"
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s\ngot\n%s\nwant\n%s", path, got, want)
	}
}

func TestCheck_WarnsOfFilesThatDeclareNothing(t *testing.T) {
	t.Parallel()
	file, err := autocdc.ParseFlows("flows.sql", []byte("-- CREATE FLOW nothing\n"))
	if err != nil {
		t.Fatal(err)
	}
	p := &autocdc.Pipeline{Target: pgtest.TargetDatabase(t), Files: []*flowsql.File{file}}
	plan, err := p.Check(t.Context())
	if err != nil || len(plan.Warnings) != 1 || !strings.Contains(plan.Warnings[0].Message, "no flow") {
		t.Errorf("%+v, %v", plan, err)
	}
}
