package fault_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

// Killed between batches, with nothing in flight, the next run has nothing to
// read again.
func TestRun_GoesOnFromItsCheckpoint(t *testing.T) {
	t.Parallel()
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, "CREATE TABLE counter (id int PRIMARY KEY, n int); INSERT INTO counter VALUES (1, 0)")
	pgtest.Exec(t, target, workload.Schemas())
	s := service.New(t, service.Config{
		Pipeline: "checkpoint", Sources: map[string]string{"shop": source}, Target: target,
	}, "CREATE STREAMING TABLE hist.counter; CREATE FLOW counter AS AUTO CDC INTO hist.counter FROM CHANGES(counter) KEYS (id) STORED AS SCD TYPE 2;")
	s.Triggered()
	for n := 1; n <= 6; {
		p := s.Start()
		for range 3 {
			pgtest.Exec(t, source, "UPDATE counter SET n = n + 1")
			counted(t, p, target, n)
			n++
		}
		p.Kill()
	}
	s.Triggered()
}

// counted waits until the target has so many updates as versions, each once.
func counted(t *testing.T, p *service.Process, target string, updates int) {
	t.Helper()
	want := fmt.Sprintf("[[%d %d]]", updates+1, updates)
	pgtest.Eventually(t, 20*time.Second, func() error {
		if got := fmt.Sprint(pgtest.Rows(t, target, "SELECT count(*), max(n) FROM hist.counter")); got != want {
			return fmt.Errorf("versions and last value are %s, want %s:\n%s", got, want, p.Log())
		}
		return nil
	})
}
