package autocdc_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/test/pgtest"
)

const orderExpectations = `
CREATE STREAMING TABLE dw.orders (
  CONSTRAINT has_note EXPECT (note IS NOT NULL),
  CONSTRAINT positive EXPECT (orders.amount > 0 AND __op <> 'x') ON VIOLATION DROP ROW,
  CONSTRAINT known EXPECT (state IN ('open', 'draft')) ON VIOLATION FAIL UPDATE
);
CREATE FLOW orders AS AUTO CDC INTO dw.orders FROM CHANGES(orders) KEYS (id) COLUMNS * EXCEPT (tenant, state);`

func TestRun_TestsWhatItExpectsOfRows(t *testing.T) {
	t.Parallel()
	s := newShop(t, orders, orderExpectations)
	s.triggered()
	const query = "SELECT id::text, amount::text, note FROM dw.orders ORDER BY id"
	s.eventually(query, "1|10.00|a", "2|20.00|b", "3|30.00|∅")
	s.expected("orders", "has_note|2|1", "known|3|0", "positive|3|0")
	pgtest.Exec(t, s.source,
		"INSERT INTO orders VALUES (4, 'open', 0, 'd'), (5, 'open', NULL, 'e'), (6, 'open', 6, NULL)",
		"UPDATE orders SET amount = -1 WHERE id = 1", // the row stays as it was
		"DELETE FROM orders WHERE id = 3")            // deletes are not tested
	s.triggered()
	s.eventually(query, "1|10.00|a", "2|20.00|b", "6|6.00|∅")
	s.expected("orders", "has_note|5|2", "known|7|0", "positive|4|3")
	pgtest.Exec(t, s.source, "UPDATE orders SET amount = 21 WHERE id = 2",
		"BEGIN; UPDATE orders SET amount = 22 WHERE id = 2; UPDATE orders SET state = 'lost' WHERE id = 6; COMMIT")
	for _, part := range []string{`flow "orders"`, "key (6)", "CONSTRAINT \"known\" EXPECT (state IN ('open', 'draft'))"} {
		if err := s.fails(); !strings.Contains(err, part) {
			t.Errorf("the error lacks %q: %s", part, err)
		}
	}
	s.eventually(query, "1|10.00|a", "2|21.00|b", "6|6.00|∅") // exactly before the transaction
	s.expected("orders", "has_note|6|2", "known|8|0", "positive|5|3")
	s.redeclare(strings.Replace(orderExpectations, " ON VIOLATION FAIL UPDATE", "", 1))
	const addr = "127.0.0.1:18431"
	stop := s.start(autocdc.RunOptions{HTTP: addr})
	defer stop()
	s.eventually(query, "1|10.00|a", "2|22.00|b", "6|6.00|∅")
	s.expected("orders", "has_note|7|3", "known|9|1", "positive|7|3")
	pgtest.Eventually(t, 10*time.Second, func() error {
		return errors.Join(
			serves(addr, "/metrics", `autocdc_expectation_rows_total{expectation="known",flow="orders",result="failed",source="shop"} 1`),
			serves(addr, "/metrics", `autocdc_expectation_rows_total{expectation="known",flow="orders",result="passed",source="shop"} 1`))
	})
}

// expected compares the counts of a flow in its status.
func (s *shop) expected(flow string, want ...string) {
	s.t.Helper()
	s.eventually("SELECT expectation, passed::text, failed::text FROM autocdc.expectation JOIN autocdc.flow AS f ON f.id = flow_id WHERE f.flow = '"+flow+"' ORDER BY 1", want...)
	status, err := s.Status(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	flows := status.Snapshots
	for _, src := range status.Sources {
		flows = append(flows, src.Flows...)
	}
	for _, f := range flows {
		if f.Name == flow && len(f.Expectations) == len(want) {
			return
		}
	}
	s.t.Errorf("status lacks the expectations of %s: %+v", flow, status)
}

func TestRun_ExpectsOfFeedsViewsAndSnapshots(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte("id,n\n1,5\n2,\n3,7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newShop(t, `
CREATE TABLE feed (id int, at int, note text);
INSERT INTO feed VALUES (1, 1, 'a'), (NULL, 2, 'b'), (2, NULL, 'c');
CREATE TABLE doc (id int PRIMARY KEY, n int, body text); ALTER TABLE doc ALTER body SET STORAGE EXTERNAL;
INSERT INTO doc VALUES (1, 1, repeat('x', 9000))`, `
CREATE STREAMING TABLE dw.f (CONSTRAINT whole EXPECT (id IS NOT NULL AND at IS NOT NULL) ON VIOLATION DROP ROW);
CREATE FLOW f AS AUTO CDC INTO dw.f FROM STREAM(feed) KEYS (id) SEQUENCE BY at STORED AS SCD TYPE 2;
CREATE STREAMING TABLE dw.a (CONSTRAINT low EXPECT (twice < 4) ON VIOLATION DROP ROW);
CREATE FLOW a AS INSERT INTO dw.a BY NAME SELECT at * 2 AS twice FROM STREAM(feed);
CREATE TEMPORARY VIEW v AS SELECT id, n, body AS text, length(body) AS length FROM CHANGES(doc) WHERE n < 9;
CREATE STREAMING TABLE dw.d (CONSTRAINT long EXPECT (length > 10 AND v.text LIKE 'x%'));
CREATE FLOW d AS AUTO CDC INTO dw.d FROM v KEYS (id);
CREATE STREAMING TABLE dw.s (CONSTRAINT filled EXPECT (n IS NOT NULL) ON VIOLATION DROP ROW, CONSTRAINT small EXPECT (n::int < 6));
CREATE FLOW s AS AUTO CDC INTO dw.s FROM SNAPSHOT (SELECT id, n FROM read_files('`+dir+`', format => 'csv', header => true)) KEYS (id);`)
	s.triggered()
	pgtest.Exec(t, s.source, "UPDATE doc SET n = 2", "UPDATE doc SET n = 10")
	s.triggered()
	s.eventually("SELECT id::text, note FROM dw.f", "1|a")
	s.expected("f", "whole|1|2")
	s.eventually("SELECT twice::text FROM dw.a", "2")
	s.expected("a", "low|1|2")
	s.eventually("SELECT count(*)::text FROM dw.d", "0") // it left the view, which is not tested
	s.expected("d", "long|2|0")                          // what was not sent is as it was
	s.eventually("SELECT id::text, n FROM dw.s ORDER BY id", "1|5", "3|7")
	s.expected("s", "filled|4|2", "small|2|4") // two snapshots
}

func TestCheck_RefusesExpectationsThatMeanNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t, orders, orderExpectations)
	for condition, says := range map[string]string{
		"amont > 0":          `flows.sql:1:48: flow "o": CONSTRAINT c: column "amont" does not exist`,
		"amount":             "must be type boolean",
		"count(*) > 0":       "aggregate functions are not allowed in WHERE",
		"__start_at IS NULL": `column "__start_at" does not exist`,
	} {
		s.redeclare("CREATE STREAMING TABLE o (CONSTRAINT c EXPECT (" + condition + ")); CREATE FLOW o AS AUTO CDC INTO o FROM CHANGES(orders) KEYS (id);")
		if err := s.fails(); !strings.Contains(err, says) {
			t.Errorf("%s\nwant %q\ngot  %s", condition, says, err)
		}
	}
}
