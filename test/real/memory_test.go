package real

import (
	"fmt"
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
)

const mebibyte = 1 << 20

func TestRun_TakesAHugeTransactionInBoundedMemory(t *testing.T) {
	t.Parallel()
	rows := 300_000
	if workload.Long() {
		rows = 10_000_000
	}
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, "CREATE TABLE big (id bigint PRIMARY KEY, a text, b numeric, c timestamptz)")
	pgtest.Exec(t, target, workload.Schemas())
	s := newService(t, "big", source, target, `
CREATE STREAMING TABLE cur.big;
CREATE FLOW big_current AS AUTO CDC INTO cur.big FROM CHANGES(big) KEYS (id) STORED AS SCD TYPE 1;
CREATE STREAMING TABLE hist.big;
CREATE FLOW big_history AS AUTO CDC INTO hist.big FROM CHANGES(big) KEYS (id) STORED AS SCD TYPE 2;`)
	s.Triggered()
	pgtest.Exec(t, source, fmt.Sprintf(`
INSERT INTO big SELECT n, 'a row of some length, as they come: ' || md5(n::text), n / 7.0, '2026-01-01'::timestamptz + n * interval '1 second'
FROM generate_series(1, %d) AS n`, rows))
	r := s.Triggered()
	t.Logf("%d rows in one transaction: peak memory %d MiB", rows, r.Peak/mebibyte)
	if r.Peak == 0 || r.Peak >= 256*mebibyte {
		t.Errorf("peak memory is %d MiB, want less than 256", r.Peak/mebibyte)
	}
	const sql = "SELECT count(*), sum(hashtextextended(ROW(id, a, b, c)::text, 0)) FROM "
	want := pgtest.Rows(t, source, sql+"big")
	mustEqual(t, "current", pgtest.Rows(t, target, sql+"cur.big"), want)
	mustEqual(t, "history", pgtest.Rows(t, target, sql+"hist.big WHERE __end_at IS NULL"), want)
}
