package workload

import (
	"flag"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Seed returns the seed of a random test and says which, so that a failure can be
// repeated: AUTOCDC_SEED, or one of the test's own, the same each time. If
// AUTOCDC_SEED is "random", and in long schedules, it is a new one.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := byName(t.Name())
	if random() {
		seed = rand.Uint64()
	} else if text := os.Getenv("AUTOCDC_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("AUTOCDC_SEED: %v", err)
		}
	}
	t.Logf("repeat with AUTOCDC_SEED=%d", seed)
	return seed
}

func byName(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails
	return h.Sum64()
}

func random() bool {
	seed := os.Getenv("AUTOCDC_SEED")
	return seed == "random" || seed == "" && Long()
}

// FixRapid makes the random numbers of rapid the same each time, unless new ones are
// wanted as in Seed. It is for TestMain; -rapid.seed goes before it.
func FixRapid() {
	if f := flag.Lookup("rapid.seed"); f != nil && !random() {
		_ = f.Value.Set("1") // it is a number
	}
}

// Long tells whether the long schedules are wanted (AUTOCDC_LONG, set by `make
// test-all`).
func Long() bool { return os.Getenv("AUTOCDC_LONG") != "" }

// Rand returns the random numbers of a seed; stream tells users of one seed apart.
func Rand(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }
