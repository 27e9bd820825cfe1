package autocdc_test

import (
	"context"
	"os"
	"testing"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/test/pgtest"
)

// TestInit_WritesWhatCheckAccepts takes tables with hostile names and every kind
// of key; the text is compared with a golden file, then checked.
func TestInit_WritesWhatCheckAccepts(t *testing.T) {
	t.Parallel()
	ddl, err := os.ReadFile("testdata/init/source.ddl")
	if err != nil {
		t.Fatal(err)
	}
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, string(ddl))
	pgtest.Exec(t, target, "CREATE SCHEMA dw")
	p := &autocdc.Pipeline{Name: "init", Sources: []autocdc.Source{{Name: "shop", DSN: source}}, Target: target}
	text, err := p.Init(context.Background(), autocdc.InitOptions{Tables: []string{"*.*"}, SCD: 2, Into: "dw"})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/init/flows.golden", text)
	file, err := autocdc.ParseFlows("flows.sql", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p.Files = append(p.Files, file)
	if _, err := p.Check(context.Background()); err != nil {
		t.Errorf("check of what init wrote: %v", err)
	}
}

func TestInit_RefusesAPatternThatMatchesNothing(t *testing.T) {
	t.Parallel()
	source := pgtest.Database(t)
	p := &autocdc.Pipeline{Sources: []autocdc.Source{{Name: "shop", DSN: source}}}
	if text, err := p.Init(context.Background(), autocdc.InitOptions{Tables: []string{"nope.*"}}); err == nil {
		t.Errorf("want an error, got %q", text)
	}
}
