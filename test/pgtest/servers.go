package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/autocdc/autocdc/cmd/embedpg"
)

// server is what the shared servers have in common.
type server interface {
	DSN(database string) string
	Close() error
}

// shared holds the servers of this test process by major version; package state,
// since the tests of a package have nothing else in common.
var shared struct {
	sync.Mutex
	servers map[int]server
	failed  map[int]error // a failed start is not tried again by every test
}

// Main runs the tests of a package and stops the shared servers afterwards:
//
//	func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }
//
// A package without it works as well: its servers end with its process.
func Main(m *testing.M) int {
	code := m.Run()
	shared.Lock()
	defer shared.Unlock()
	for _, s := range shared.servers {
		if err := s.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "pgtest:", err)
			code = max(code, 1)
		}
	}
	return code
}

// Start starts a server of the test's own and closes it at the end. It is always
// a local process, also where the shared servers are containers. A zero
// Options.Version means the version of the shared server.
func Start(t testing.TB, opts embedpg.Options) *embedpg.Server {
	t.Helper()
	if opts.Version == 0 {
		opts.Version = version(t, "AUTOCDC_TEST_PG")
	}
	if opts.Log == nil {
		opts.Log = os.Stderr
	}
	s, err := embedpg.Start(context.Background(), opts)
	if err != nil {
		t.Fatalf("this test needs a Postgres server: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close server: %v", err)
		}
	})
	return s
}

// sharedServer starts the server of a version on first use.
func sharedServer(t testing.TB, version int) server {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if s, ok := shared.servers[version]; ok {
		return s
	}
	err := shared.failed[version]
	if err == nil {
		var s server
		if s, err = open(context.Background(), version); err == nil {
			keep(&shared.servers, version, s)
			return s
		}
		keep(&shared.failed, version, err)
	}
	t.Fatalf("database tests need a Postgres server and never skip: %v", err)
	return nil
}

func keep[V any](m *map[int]V, k int, v V) {
	if *m == nil {
		*m = map[int]V{}
	}
	(*m)[k] = v
}

// version reads a major version from the environment; by default 15, the oldest
// that a target may have, or any where 15 is not installed (0).
func version(t testing.TB, env string) int {
	t.Helper()
	text := os.Getenv(env)
	if text != "" {
		v, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("%s=%q: want a major version like 15", env, text)
		}
		return v
	}
	if _, err := embedpg.Find(embedpg.MinVersion); errors.Is(err, embedpg.ErrNotFound) {
		return 0
	}
	return embedpg.MinVersion
}
