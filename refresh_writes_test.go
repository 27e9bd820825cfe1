package autocdc_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
)

const ledger = `
CREATE TABLE account (id int PRIMARY KEY, v int);
INSERT INTO account SELECT i, 0 FROM generate_series(1, 20) AS i;
CREATE TABLE north (id int, v int, at bigint);
CREATE TABLE south (id int, v int, at bigint);
CREATE SEQUENCE moment;`

const ledgerFlows = `
CREATE STREAMING TABLE dw.account;
CREATE FLOW account AS AUTO CDC INTO dw.account FROM CHANGES(account) KEYS (id);
CREATE STREAMING TABLE dw.account_history;
CREATE FLOW account_history AS AUTO CDC INTO dw.account_history FROM CHANGES(account) KEYS (id) STORED AS SCD TYPE 2;
CREATE STREAMING TABLE dw.both;
CREATE FLOW north AS AUTO CDC INTO dw.both FROM STREAM(north) KEYS (id) SEQUENCE BY at COLUMNS (id, v) %[1]s;
CREATE FLOW south AS AUTO CDC INTO dw.both FROM STREAM(south) KEYS (id) SEQUENCE BY at COLUMNS (id, v) %[1]s;`

// write changes the ledger until ctx ends, at a pace that runs keep up with.
func (s *shop) write(ctx context.Context) error {
	conn := pgtest.Conn(s.t, s.source)
	defer conn.Close(context.Background())
	for i := 1; ctx.Err() == nil; i++ {
		sql := fmt.Sprintf(`
UPDATE account SET v = v + 1 WHERE id = %[1]d + 1;
DELETE FROM account WHERE id = 20 - %[1]d AND v %% 3 = 0;
INSERT INTO account VALUES (20 - %[1]d, 1) ON CONFLICT DO NOTHING;
INSERT INTO north VALUES (%[1]d, %[2]d, nextval('moment'));
INSERT INTO south VALUES (%[1]d, -%[2]d, nextval('moment'));
SELECT pg_sleep(0.005)`, i%20, i)
		if _, err := conn.Exec(context.Background(), sql); err != nil {
			return err
		}
	}
	return nil
}

// TestRefresh_LosesNothingOfWhatIsWrittenMeanwhile refreshes again and again, each
// time with another definition of one target, while the source changes.
func TestRefresh_LosesNothingOfWhatIsWrittenMeanwhile(t *testing.T) {
	t.Parallel()
	kinds := []string{"STORED AS SCD TYPE 2", "STORED AS SCD TYPE 1", "STORED AS BITEMPORAL", "STORED AS SCD TYPE 2 TRACK HISTORY ON (v)"}
	s := newShop(t, ledger, fmt.Sprintf(ledgerFlows, kinds[0]))
	s.triggered()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	written := make(chan error, 1)
	go func() { written <- s.write(ctx) }()
	for _, kind := range kinds[1:] {
		flows := fmt.Sprintf(ledgerFlows, kind)
		s.redeclare(strings.ReplaceAll(flows, "SEQUENCE BY at COLUMNS (id, v) STORED AS BITEMPORAL", "SEQUENCE BY at SYSTEM SEQUENCE BY __commit_ts COLUMNS (id, v) STORED AS BITEMPORAL"))
		s.refresh("account", "account_history", "both")
		s.triggered()
	}
	stop()
	if err := <-written; err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	s.triggered()
	s.same("SELECT id, v FROM account ORDER BY id", "SELECT id, v FROM dw.account ORDER BY id")
	s.same("SELECT id, v FROM account ORDER BY id", "SELECT id, v FROM dw.account_history WHERE __end_at IS NULL ORDER BY id")
	s.same("SELECT id, v, at FROM (SELECT * FROM north UNION ALL SELECT * FROM south) AS b ORDER BY at",
		"SELECT id, v, __start_at FROM dw.both ORDER BY __start_at")
	s.eventually(`SELECT count(*)::text FROM (
  SELECT __end_at AS e, lead(__start_at) OVER (PARTITION BY id ORDER BY __start_at) AS n FROM dw.account_history) AS x WHERE e > n`, "0")
}

// same compares a query at the source with one at the target.
func (s *shop) same(source, target string) {
	s.t.Helper()
	want, got := pgtest.Rows(s.t, s.source, source), pgtest.Rows(s.t, s.target, target)
	if len(want) == 0 || fmt.Sprint(got) != fmt.Sprint(want) {
		s.t.Errorf("%s\ngot  %.2000v\nwant %.2000v", target, got, want)
	}
}
