package replication_test

import (
	"testing"
	"time"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/replication"
	"github.com/autocdc/autocdc/test/pgtest"
)

// BenchmarkReader reads a backlog from a real walsender: rows of about 110
// bytes, in large transactions and in transactions of one row, fsync off.
func BenchmarkReader(b *testing.B) {
	for _, c := range []struct{ name, load string }{
		{"large", `INSERT INTO a SELECT i, repeat('x', 60), now(), 12.5 FROM generate_series(1, 10000) i`},
		{"single", `DO $$ BEGIN FOR i IN 1..10000 LOOP INSERT INTO a VALUES (i, repeat('x', 60), now(), 12.5); COMMIT; END LOOP; END $$`},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkReader(b, c.load) })
	}
}

func benchmarkReader(b *testing.B, load string) {
	server := pgtest.Start(b, embedpg.Options{Settings: map[string]string{"synchronous_commit": "off"}})
	s := newSource(b, server.DSN("postgres"), `CREATE TABLE a (id int, v text, at timestamptz, n numeric)`, nil, tables("a"))
	for range 30 {
		pgtest.Exec(b, s.dsn, load)
	}
	until := s.until()
	var stats replication.Stats
	for b.Loop() {
		r := run(b, s.config(s.start, until))
		for batch := r.next(); batch != nil; batch = r.next() {
			<-time.After(time.Millisecond) // a merge would take longer
		}
		r.wait()
		stats = r.Stats()
	}
	if stats.Changes != 300000 {
		b.Fatalf("got %+v", stats)
	}
	b.ReportMetric(float64(stats.Changes)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
