package model_test

import (
	"os"
	"testing"

	"github.com/autocdc/autocdc/test/workload"
)

func TestMain(m *testing.M) {
	workload.FixRapid()
	os.Exit(m.Run())
}
