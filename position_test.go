package autocdc_test

import (
	"errors"
	"testing"
	"time"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/test/pgtest"
)

const healed = `
CREATE STREAMING TABLE dw.customer;
CREATE FLOW customer AS AUTO CDC INTO dw.customer FROM CHANGES(customer) KEYS (id);
CREATE FLOW heal AS AUTO CDC INTO dw.customer FROM SNAPSHOT (SELECT * FROM customer) KEYS (id) WITH (every = '100ms');
CREATE STREAMING TABLE dw.customer_history;
CREATE FLOW history AS AUTO CDC INTO dw.customer_history FROM CHANGES(customer) KEYS (id) STORED AS SCD TYPE 2;
CREATE FLOW heal_history AS AUTO CDC INTO dw.customer_history FROM SNAPSHOT (SELECT * FROM customer) KEYS (id) STORED AS SCD TYPE 2 WITH (every = '100ms');`

// What the WAL does not show comes with the next snapshot, without ever going over
// what is newer.
func TestRun_HealsFromSnapshots(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers, healed)
	s.triggered()
	s.eventually(currentRows, "1|Ada|ok", "2|Grace|sad")
	pgtest.Exec(t, s.target, "UPDATE dw.customer SET name = 'Bad' WHERE id = 1", "DELETE FROM dw.customer WHERE id = 2",
		"UPDATE dw.customer_history SET name = 'Bad' WHERE id = 1", "DELETE FROM dw.customer_history WHERE id = 2")
	s.triggered()
	s.eventually(currentRows, "1|Ada|ok", "2|Grace|sad")
	s.eventually(historyRows, "1|Bad|ok|false", "1|Ada|ok|true", "2|Grace|sad|true")
	stop := s.start(autocdc.RunOptions{})
	pgtest.Exec(t, s.target, "UPDATE dw.customer SET name = 'Bad' WHERE id = 1")
	s.eventually(currentRows, "1|Ada|ok", "2|Grace|sad")
	pgtest.Exec(t, s.source, "UPDATE customer SET name = 'Ada L' WHERE id = 1", "DELETE FROM customer WHERE id = 2")
	s.eventually(currentRows, "1|Ada L|ok")
	stop()
	s.eventually(historyRows, "1|Bad|ok|false", "1|Ada|ok|false", "1|Ada L|ok|true", "2|Grace|sad|false")
}

// The stream must not have gone past the place of a snapshot when that is compared:
// a table that takes long to copy changes all the time.
func TestRun_ComparesSnapshotsAtTheirPlace(t *testing.T) {
	t.Parallel()
	s := newShop(t, "CREATE TABLE big (id int PRIMARY KEY, v int, pad text); INSERT INTO big SELECT i, 0, repeat('x', 100) FROM generate_series(1, 20000) AS i", `
CREATE STREAMING TABLE dw.big;
CREATE FLOW big AS AUTO CDC INTO dw.big FROM CHANGES(big) KEYS (id) STORED AS SCD TYPE 2;
CREATE FLOW heal AS AUTO CDC INTO dw.big FROM SNAPSHOT (SELECT * FROM big) KEYS (id) STORED AS SCD TYPE 2 WITH (every = '1ms');`)
	s.triggered()
	stop := s.start(autocdc.RunOptions{})
	conn := pgtest.Conn(t, s.source)
	for i := range 2000 {
		if _, err := conn.Exec(t.Context(), "UPDATE big SET v = v + 1 WHERE id = $1", 1+i%50); err != nil {
			t.Fatal(err)
		}
	}
	s.eventually("SELECT v::text FROM dw.big WHERE id = 50 AND __end_at IS NULL", "40")
	stop()
	s.eventually("SELECT count(*)::text FROM dw.big WHERE id <= 50", "2050")
	s.eventually("SELECT count(*)::text FROM (SELECT v - lag(v) OVER (PARTITION BY id ORDER BY __start_at) AS step FROM dw.big) AS x WHERE step <> 1", "0")
}

// To a snapshot a table that was truncated afterwards looks empty: it is as if the
// truncate had come before. The history must not say so.
func TestRun_KeepsTruncatesOutOfOlderSnapshots(t *testing.T) {
	t.Parallel()
	s := newShop(t, `
CREATE TABLE customer (id int PRIMARY KEY, name text);
CREATE TABLE one ();
INSERT INTO one DEFAULT VALUES;
INSERT INTO customer SELECT i, 'n' || i FROM generate_series(1, 30) AS i;
CREATE FUNCTION slowly() RETURNS SETOF customer LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_lock_shared(7);
  PERFORM pg_advisory_unlock_shared(7);
  RETURN QUERY SELECT * FROM customer;
END $$`, `
CREATE STREAMING TABLE dw.customer;
CREATE FLOW customer AS AUTO CDC INTO dw.customer FROM CHANGES(customer) KEYS (id) STORED AS SCD TYPE 2;
CREATE FLOW heal AS AUTO CDC INTO dw.customer FROM SNAPSHOT (SELECT c.* FROM one, slowly() AS c) KEYS (id) STORED AS SCD TYPE 2 WITH (every = '50ms', max_delete_fraction = 1);`)
	s.triggered()
	gate := pgtest.Conn(t, s.source)
	if _, err := gate.Exec(t.Context(), "SELECT pg_advisory_lock(7)"); err != nil {
		t.Fatal(err)
	}
	stop := s.start(autocdc.RunOptions{})
	pgtest.Eventually(t, time.Minute, func() error {
		if len(pgtest.Rows(t, s.source, "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")) == 0 {
			return errors.New("no snapshot is waiting")
		}
		return nil
	})
	pgtest.Exec(t, s.source, "BEGIN; TRUNCATE customer; INSERT INTO customer VALUES (99, 'last'); COMMIT")
	if _, err := gate.Exec(t.Context(), "SELECT pg_advisory_unlock(7)"); err != nil {
		t.Fatal(err)
	}
	s.eventually("SELECT count(*)::text FROM dw.customer WHERE __end_at = (SELECT __start_at FROM dw.customer WHERE id = 99)", "30")
	stop()
}
