package compare

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload/service"
)

const mebibyte = 1 << 20

// envRows changes the size of the table, for a quick look.
const envRows = "AUTOCDC_BENCH_ROWS"

const items = `
CREATE TABLE item (
	id bigint PRIMARY KEY, customer integer NOT NULL, status text NOT NULL, price numeric(12, 2), weight double precision,
	changed_at timestamptz NOT NULL, open boolean, note text
);
INSERT INTO item
SELECT n, n * 7919 %% 100000, (ARRAY['new', 'paid', 'sent', 'returned'])[1 + n %% 4], n %% 100000 / 100.0, n / 7.0,
	'2024-01-01'::timestamptz + n * interval '13.123457 s', n %% 3 = 0, CASE WHEN n %% 10 > 0 THEN md5(n::text) END
FROM generate_series(1, CAST(%d AS bigint)) AS n`

const plainTable = `
DROP TABLE IF EXISTS plain;
CREATE TABLE plain (
	id bigint, customer integer, status text, price numeric(12, 2), weight double precision, changed_at timestamptz, open boolean, note text
)`

// bench is a source whose table a target holds as of the last snapshot.
type bench struct {
	*testing.B
	rows           int
	source, target string
	passed         *meter // what comes from the source through a proxy
	flow           *service.Service
}

// BenchmarkCompare takes snapshots of 2 million rows of which one in a thousand has
// changed, and copies the same rows into a table without an index, as plainly as a
// Go program can. One of the runs goes through a proxy that counts bytes, and is not
// timed.
func BenchmarkCompare(b *testing.B) {
	rows := 2_000_000
	if n, err := strconv.Atoi(os.Getenv(envRows)); err == nil {
		rows = n
	}
	source := pgtest.Start(b, embedpg.Options{})
	target := pgtest.Start(b, embedpg.Options{})
	pgtest.Exec(b, source.DSN("postgres"), fmt.Sprintf(items, rows))
	pgtest.Exec(b, source.DSN("postgres"), "VACUUM ANALYZE item")
	b.Logf("%s; %s", pgtest.Rows(b, target.DSN("postgres"), "SELECT version()")[0][0],
		pgtest.Rows(b, source.DSN("postgres"), "SELECT pg_size_pretty(pg_relation_size('item')) || ', ' || pg_relation_size('item') / count(*) || ' bytes a row' FROM item")[0][0])
	for _, kind := range []int{1, 2} {
		for _, how := range []string{"rows", "checksum"} {
			b.Run(fmt.Sprintf("scd%d/%s", kind, how), func(b *testing.B) {
				newBench(b, rows, source.DSN("postgres"), target.DSN("postgres"), kind, how).run()
			})
		}
	}
}

func newBench(b *testing.B, rows int, source, target string, kind int, how string) *bench {
	b.Helper()
	meter, metered := newMeter(b, source)
	table := fmt.Sprintf("item_%d_%s", kind, how)
	option := ""
	if how != "rows" {
		option = fmt.Sprintf("\nWITH (compare = '%s')", how)
	}
	flows := fmt.Sprintf("CREATE STREAMING TABLE %[1]s;\nCREATE FLOW %[1]s AS AUTO CDC INTO %[1]s\nFROM SNAPSHOT (SELECT * FROM item)\nKEYS (id) STORED AS SCD TYPE %[2]d%[3]s;\n", table, kind, option)
	s := service.New(b, service.Config{Pipeline: table, Sources: map[string]string{"shop": source}, Target: target}, flows)
	s.Write("metered.yaml", fmt.Sprintf("pipeline: %s\nsources:\n  shop: {dsn: %q}\ntarget: {dsn: %q}\n", s.Pipeline, metered, target))
	s.Triggered()
	pgtest.Exec(b, target, "VACUUM ANALYZE "+table)
	return &bench{B: b, rows: rows, source: source, target: target, passed: meter, flow: s}
}

func (b *bench) run() {
	var plain, compare, peak float64
	n := 0
	for ; b.Loop(); n++ {
		b.change()
		p := b.plain()
		began := time.Now()
		r := b.flow.Triggered()
		c := time.Since(began)
		b.Logf("plain COPY %.2f s, run %.2f s (%.2f), of it the snapshot %s, peak %d MiB",
			p.Seconds(), c.Seconds(), c.Seconds()/p.Seconds(), took(r.Stderr), r.Peak/mebibyte)
		plain, compare, peak = plain+p.Seconds(), compare+c.Seconds(), max(peak, float64(r.Peak)/mebibyte)
	}
	b.ReportMetric(plain/float64(n), "plain-s")
	b.ReportMetric(compare/float64(n), "run-s")
	b.ReportMetric(compare/plain, "ratio")
	b.ReportMetric(peak, "peak-MiB")
	b.ReportMetric(b.bytes(), "source-MB")
}

// change updates one row in a thousand, others each time.
func (b *bench) change() {
	b.Helper()
	pgtest.Exec(b, b.source, fmt.Sprintf("UPDATE item SET customer = customer + 1, changed_at = now() WHERE id IN (SELECT 1 + floor(random() * %d)::bigint FROM generate_series(1, %d))", b.rows, b.rows/1000))
	for _, dsn := range []string{b.source, b.target} {
		pgtest.Exec(b, dsn, "CHECKPOINT")
	}
}

// plain copies the table as text into an ordinary table without an index.
func (b *bench) plain() time.Duration {
	b.Helper()
	pgtest.Exec(b, b.target, plainTable)
	ctx := context.Background()
	from, to := pgtest.Conn(b, b.source), pgtest.Conn(b, b.target)
	began := time.Now()
	if err := pipe(ctx, from, to); err != nil {
		b.Fatal(err)
	}
	took := time.Since(began)
	pgtest.Exec(b, b.target, "DROP TABLE plain")
	return took
}

func pipe(ctx context.Context, from, to *pgx.Conn) error {
	r, w := io.Pipe()
	go func() {
		buffered := bufio.NewWriterSize(w, 64<<10)
		_, err := from.PgConn().CopyTo(ctx, buffered, "COPY item TO STDOUT")
		if err == nil {
			err = buffered.Flush()
		}
		_ = w.CloseWithError(err)
	}()
	_, err := to.PgConn().CopyFrom(ctx, r, "COPY plain FROM STDIN")
	return err
}

// bytes is what one more comparison takes from the source, in millions.
func (b *bench) bytes() float64 {
	b.Helper()
	b.change()
	before := b.passed.bytes.Load()
	if r := b.flow.Command("run", "--triggered", "-c", "metered.yaml", "flows.sql"); r.Code != 0 {
		b.Fatalf("%v", r)
	}
	return float64(b.passed.bytes.Load()-before) / 1e6
}

var tookPattern = regexp.MustCompile(`msg="compared snapshot".* took=(\S+)`)

// took is how long the snapshot took by the log.
func took(log string) string {
	if m := tookPattern.FindStringSubmatch(log); m != nil {
		return m[1]
	}
	return "?"
}
