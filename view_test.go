package autocdc_test

import (
	"context"
	"strings"
	"testing"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/test/pgtest"
)

const orders = `
CREATE TABLE orders (id int PRIMARY KEY, state text, amount numeric(9,2), note text, tenant int NOT NULL DEFAULT 1);
INSERT INTO orders VALUES (1, 'open', 10, 'a'), (2, 'draft', 20, 'b'), (3, 'open', 30, NULL);`

// viewFlows: a filter, a projection with casts over it, both kinds of history.
const viewFlows = `
CREATE STREAMING TABLE dw.big;
CREATE FLOW big AS AUTO CDC INTO dw.big FROM priced KEYS (order_id);
CREATE STREAMING TABLE dw.big_history;
CREATE FLOW big_history AS AUTO CDC INTO dw.big_history FROM CHANGES(priced) KEYS (order_id)
COLUMNS * EXCEPT (label) STORED AS SCD TYPE 2;
CREATE TEMPORARY VIEW priced AS -- over a view that comes later
SELECT r.id AS order_id, amount::int AS amount, upper(note) AS label, __op AS came FROM running AS r WHERE amount >= 10;
CREATE TEMPORARY VIEW running AS SELECT id, amount, note FROM CHANGES(shop.public.orders) WHERE state <> 'draft' AND __op <> 'truncate';`

const (
	bigRows        = "SELECT order_id::text, amount::text, label, came FROM dw.big ORDER BY order_id"
	bigHistoryRows = "SELECT order_id::text, amount::text, (__end_at IS NULL)::text FROM dw.big_history ORDER BY order_id, __start_at"
)

func TestRun_FollowsAViewOverAView(t *testing.T) {
	t.Parallel()
	s := newShop(t, orders, viewFlows)
	s.triggered()
	s.eventually(bigRows, "1|10|A|snapshot", "3|30|∅|snapshot")
	stop := s.start(autocdc.RunOptions{})
	pgtest.Exec(t, s.source,
		"UPDATE orders SET state = 'open' WHERE id = 2",     // comes into the first view
		"UPDATE orders SET amount = 5 WHERE id = 1",         // leaves the second
		"INSERT INTO orders VALUES (4, 'draft', 90, 'd')",   // is in neither
		"UPDATE orders SET id = 5, note = 'e' WHERE id = 3", // another key
		"DELETE FROM orders WHERE id = 4")
	s.eventually(bigRows, "2|20|B|update", "5|30|E|update")
	s.eventually(bigHistoryRows, "1|10|false", "2|20|true", "3|30|false", "5|30|true")
	pgtest.Exec(t, s.source, "TRUNCATE orders", "INSERT INTO orders VALUES (6, 'open', 60, 'f')") // the view drops truncates
	s.eventually(bigRows, "2|20|B|update", "5|30|E|update", "6|60|F|insert")
	stop()
	pgtest.Exec(t, s.source, "UPDATE orders SET amount = 61.4 WHERE id = 6", "DELETE FROM orders WHERE id = 6", "INSERT INTO orders VALUES (6, 'open', 12, 'g')")
	s.triggered()
	s.eventually(bigRows, "2|20|B|update", "5|30|E|update", "6|12|G|insert")
	s.refresh("dw.big")
	s.eventually(bigRows, "6|12|G|snapshot") // the table was truncated
}

func TestRun_UnnestsAFeedInAView(t *testing.T) {
	t.Parallel()
	s := newShop(t, `
CREATE TABLE receipt (no int, at timestamptz, items jsonb);
INSERT INTO receipt VALUES (1, '2024-01-01Z', '[{"sku":"a","n":1},{"sku":"b","n":2},{"sku":"a","n":3}]'), (2, '2024-01-02Z', '[]');`, `
CREATE TEMPORARY VIEW item AS SELECT r.no, r.at, i->>'sku' AS sku, CAST(i->>'n' AS int) AS n
FROM STREAM(receipt) AS r, jsonb_array_elements(r.items) AS i;
CREATE TEMPORARY VIEW known AS SELECT sku, n, at FROM STREAM(item) WHERE sku <> 'x';
CREATE STREAMING TABLE dw.stock;
CREATE FLOW stock AS AUTO CDC INTO dw.stock FROM STREAM(known) KEYS (sku) SEQUENCE BY at STORED AS SCD TYPE 2;
CREATE STREAMING TABLE dw.line;
CREATE FLOW line AS INSERT INTO dw.line BY NAME SELECT no, sku, n * 2 AS twice, __op AS op FROM item WHERE n > 1;`)
	s.triggered()
	// two events of one key and one time: the later in the array wins
	const stock = "SELECT sku, n::text, (__end_at IS NULL)::text FROM dw.stock ORDER BY sku, __start_at"
	const lines = "SELECT no::text, sku, twice::text, op FROM dw.line ORDER BY no, twice"
	s.eventually(stock, "a|3|true", "b|2|true")
	s.eventually(lines, "1|b|4|snapshot", "1|a|6|snapshot")
	pgtest.Exec(t, s.source, `INSERT INTO receipt VALUES (3, '2024-01-03Z', '[{"sku":"x","n":9},{"sku":"b","n":7},{"sku":"b","n":8}]')`)
	s.triggered()
	s.eventually(stock, "a|3|true", "b|2|false", "b|8|true")
	s.eventually(lines, "1|b|4|snapshot", "1|a|6|snapshot", "3|b|14|insert", "3|b|16|insert", "3|x|18|insert")
}

// A value stored apart comes only with updates that change it.
func TestRun_KeepsInAViewWhatWasNotSent(t *testing.T) {
	t.Parallel()
	s := newShop(t, "CREATE TABLE doc (id int PRIMARY KEY, n int, body text); ALTER TABLE doc ALTER body SET STORAGE EXTERNAL", `
CREATE TEMPORARY VIEW measured AS SELECT id, n + 1 AS n, length(body) AS length, body AS text FROM CHANGES(doc);
CREATE STREAMING TABLE dw.doc;
CREATE FLOW doc AS AUTO CDC INTO dw.doc FROM measured KEYS (id);
CREATE TEMPORARY VIEW joined AS SELECT id, n, n || body AS both FROM CHANGES(doc);
CREATE STREAMING TABLE dw.joined;
CREATE FLOW joined AS AUTO CDC INTO dw.joined FROM joined KEYS (id);`)
	s.triggered()
	pgtest.Exec(t, s.source, "INSERT INTO doc VALUES (1, 1, repeat('x', 9000))")
	s.triggered()
	pgtest.Exec(t, s.source, "UPDATE doc SET n = 2")
	err := s.fails()
	for _, part := range []string{`flow "joined"`, `column "body"`, "TOAST"} {
		if !strings.Contains(err, part) {
			t.Errorf("the error lacks %q: %s", part, err)
		}
	}
	s.eventually("SELECT n::text, length::text, length(text)::text FROM dw.doc", "3|9000|9000")
	s.eventually("SELECT n::text FROM dw.joined", "1")
}

func TestCheck_RefusesViewsThatAreNotStateless(t *testing.T) {
	t.Parallel()
	s := newShop(t, orders, viewFlows)
	const flow = "\nCREATE STREAMING TABLE dw.t; CREATE FLOW t AS AUTO CDC INTO dw.t FROM v KEYS (id);"
	for _, c := range []struct{ view, flow, says string }{
		{"SELECT id FROM orders", flow, `1:28: view "v" reads neither CHANGES nor STREAM`},
		{"SELECT id, count(*) FROM CHANGES(orders) GROUP BY id", flow, "1:69: view \"v\": GROUP BY"},
		{"SELECT id, lag(id) OVER () FROM STREAM(orders)", flow, "a window function"},
		{"SELECT max(id) AS id FROM CHANGES(orders)", flow, "max(…)"},
		{"SELECT o.id FROM CHANGES(orders) AS o JOIN tenant ON true", flow, "reads tenant beside"},
		{"SELECT id, unnest('{1}'::int[]) AS u FROM CHANGES(orders)", flow, "makes several rows of one"},
		{"SELECT o.id FROM CHANGES(orders) AS o, generate_series(1, 2)", flow, "more than SELECT"},
		{"SELECT id, nme FROM CHANGES(orders)", flow, `1:39: view "v": column "nme" does not exist`},
		{"SELECT id FROM v", flow, `view "v" reads itself`},
		{"SELECT id FROM CHANGES(oders)", flow, "did you mean public.orders?"},
		{"SELECT id + 0 AS id FROM CHANGES(orders)", flow, "KEYS (id) are not a unique key of"},
		{"SELECT id FROM CHANGES(orders) WHERE amount", flow, "must be type boolean"},
		{"SELECT id, state FROM CHANGES(orders) WHERE $1", flow, "has a parameter"},
		{"SELECT id FROM CHANGES(orders)", strings.Replace(flow, "FROM v KEYS (id)", "FROM STREAM(v) KEYS (id) SEQUENCE BY id", 1), "is over CHANGES, and is read here as a STREAM"},
		{"SELECT id FROM CHANGES(orders)", strings.Replace(flow, "FROM v", "FROM w", 1), "w is not a view of this pipeline"},
		{"SELECT id FROM CHANGES(orders)", "\nCREATE STREAMING TABLE dw.t; CREATE FLOW t AS INSERT INTO dw.t BY NAME SELECT id FROM v;", "CHANGES is not for INSERT INTO"},
	} {
		s.redeclare("CREATE TEMPORARY VIEW v AS " + c.view + ";" + c.flow)
		if err := s.fails(); !strings.Contains(err, c.says) {
			t.Errorf("%s%s\nwant %q\ngot  %s", c.view, c.flow, c.says, err)
		}
	}
}

// fails is the text of the error of a triggered run.
func (s *shop) fails() string {
	s.t.Helper()
	err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true})
	if err == nil {
		s.t.Fatal("the run had no error")
	}
	return err.Error()
}
