package fault_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/test/debian"
	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

// The source's clock steps back and forth, by an hour; histories go on in the order
// of the commits.
func TestRun_OrdersCommitsWhateverTheClockOfTheSourceSays(t *testing.T) {
	t.Parallel()
	clock := newClock(t)
	server := pgtest.Start(t, embedpg.Options{InMemory: true, Env: clock.env})
	s := newSceneOf(t, direct(server.DSN("postgres"), pgtest.TargetDatabase(t)), service.Config{}, (*workload.Writer).Flows)
	ahead := func(offset string) {
		before := clock.says(t, s.source)
		clock.set(t, offset)
		pgtest.Eventually(t, 10*time.Second, func() error {
			if d := clock.says(t, s.source).Sub(before).Abs(); d < 30*time.Minute {
				return fmt.Errorf("the server's clock has moved by %s", d)
			}
			return nil
		})
	}
	s.underLoad(t, func() {
		p := s.Start()
		s.progress(t, p)
		for n := range rounds(2, 10) {
			ahead("-1h")
			s.progress(t, p)
			if n%2 == 0 {
				p.Kill() // the next run must know the last stamp
				p = s.Start()
			}
			s.aWhile(t)
			ahead("+0")
			s.progress(t, p)
		}
		p.Interrupt()
	})
	s.settle(t)
}

// clock is that of a server with libfaketime.
type clock struct {
	file string
	env  []string
}

func newClock(t *testing.T) *clock {
	t.Helper()
	root, err := debian.Package(context.Background(), "libfaketime", os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(root, "usr/lib/*/faketime/libfaketime.so.1"))
	if err != nil || len(found) != 1 {
		t.Fatalf("libfaketime under %s: %v, %v", root, found, err)
	}
	dir, err := os.MkdirTemp("/tmp", "autocdc-clock-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	c := &clock{file: filepath.Join(dir, "offset")}
	c.env = []string{"LD_PRELOAD=" + found[0], "FAKETIME_TIMESTAMP_FILE=" + c.file, "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1"}
	c.set(t, "+0")
	return c
}

func (c *clock) set(t *testing.T, offset string) {
	t.Helper()
	fresh := c.file + ".new"
	if err := os.WriteFile(fresh, []byte(offset+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(fresh, c.file); err != nil {
		t.Fatal(err)
	}
}

// says asks the server for the time.
func (c *clock) says(t *testing.T, dsn string) time.Time {
	t.Helper()
	var now time.Time
	if err := pgtest.Conn(t, dsn).QueryRow(context.Background(), "SELECT clock_timestamp()").Scan(&now); err != nil {
		t.Fatal(err)
	}
	return now
}
