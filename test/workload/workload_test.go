package workload_test

import (
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestWriter_DoesTheSameForTheSameSeed(t *testing.T) {
	t.Parallel()
	seed := workload.Seed(t)
	held := func() string {
		dsn := pgtest.Database(t)
		workload.New(t, dsn, seed).Write(300)
		return fmt.Sprint(
			pgtest.Rows(t, dsn, "SELECT * FROM orders ORDER BY region, id"),
			pgtest.Rows(t, dsn, "SELECT * FROM every_type ORDER BY id"),
			pgtest.Rows(t, dsn, "SELECT * FROM readings ORDER BY id"),
			pgtest.Rows(t, dsn, `SELECT * FROM "Größe"."select" ORDER BY 1`),
		)
	}
	if a, b := held(), held(); !reflect.DeepEqual(a, b) {
		t.Errorf("seed %d gives\n%s\nand\n%s", seed, a, b)
	}
}
