package workload

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Seed returns the seed of a random test: AUTOCDC_SEED, or a new one, and says
// which, so that a failure can be repeated.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv("AUTOCDC_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("AUTOCDC_SEED: %v", err)
		}
	}
	t.Logf("repeat with AUTOCDC_SEED=%d", seed)
	return seed
}

// Long tells whether the long schedules are wanted (AUTOCDC_LONG, set by `make
// test-all`).
func Long() bool { return os.Getenv("AUTOCDC_LONG") != "" }

// Rand returns the random numbers of a seed; stream tells users of one seed apart.
func Rand(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }
