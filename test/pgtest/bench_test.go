package pgtest_test

import (
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
)

// BenchmarkDatabase is what each database test pays before its first statement.
func BenchmarkDatabase(b *testing.B) {
	for b.Loop() {
		pgtest.Exec(b, pgtest.Database(b), "SELECT 1")
	}
}
