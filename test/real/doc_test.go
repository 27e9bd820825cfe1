// Package real shows the built binary on what people really have: a known sample
// database, pgbench, the documents' examples, transactions of millions of rows,
// and everything that is wrong with a configuration on a first day.
package real

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload/service"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// newService is a pipeline with one source, shop, that has its own databases.
func newService(t *testing.T, pipeline, source, target, flows string) *service.Service {
	t.Helper()
	return service.New(t, service.Config{
		Pipeline: pipeline, Sources: map[string]string{"shop": source}, Target: target,
	}, flows)
}

// data returns the text of a file of sample data. The data is not part of this
// repository: where it is absent, ok is false and the test has said so.
func data(t *testing.T, name string) (text string, ok bool) {
	t.Helper()
	path := filepath.Join(service.Root(t), "..", "shared", "data", name)
	content, err := os.ReadFile(path)
	if err == nil {
		return string(content), true
	}
	t.Logf("NOT TESTED: %s is not there (%v); put it there to run this test", path, err)
	if os.Getenv("AUTOCDC_DATA_REQUIRED") != "" {
		t.Errorf("AUTOCDC_DATA_REQUIRED is set, but %s is not there", path)
	}
	return "", false
}

// mustEqual compares two queries' rows.
func mustEqual(t *testing.T, what string, got, want [][]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d rows, want %d\ngot  %.2000v\nwant %.2000v", what, len(got), len(want), got, want)
		return
	}
	for i := range want {
		for j := range want[i] {
			if got[i][j] != want[i][j] {
				t.Errorf("%s: row %d is %v, want %v", what, i, got[i], want[i])
				return
			}
		}
	}
}
