package autocdc_test

import (
	"context"
	"strings"
	"testing"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/test/pgtest"
)

const fedFlows = `
CREATE STREAMING TABLE dw.now;
CREATE FLOW now AS AUTO CDC INTO dw.now FROM CHANGES(orders) KEYS (id) COLUMNS * EXCEPT (note) WITH (change_feed = true);
CREATE STREAMING TABLE dw.past;
CREATE FLOW past AS AUTO CDC INTO dw.past FROM CHANGES(orders) KEYS (id) COLUMNS (id, amount) STORED AS SCD TYPE 2 WITH (change_feed = true);`

func TestRun_RecordsTheChangesOfATarget(t *testing.T) {
	t.Parallel()
	s := newShop(t, orders, fedFlows)
	s.triggered()
	const now = "SELECT __change_type, id::text, amount::text FROM dw.now_changes ORDER BY __change_id"
	first := []string{"insert|1|10.00", "insert|2|20.00", "insert|3|30.00"}
	s.eventually(now, first...)
	pgtest.Exec(t, s.source, "BEGIN; UPDATE orders SET amount = 11 WHERE id = 1; UPDATE orders SET amount = 12 WHERE id = 1; COMMIT", "DELETE FROM orders WHERE id = 2")
	s.triggered()
	s.eventually("SELECT __change_type, id::text, amount::text FROM dw.now_changes WHERE __change_id > 3 ORDER BY 1, 2",
		"delete|2|20.00", "update_postimage|1|12.00", "update_preimage|1|10.00")
	s.eventually("SELECT __change_type, id::text, amount::text, (__end_at IS NULL)::text FROM dw.past_changes WHERE __change_id > 3 ORDER BY 1, 2, 3",
		"insert|1|12.00|true", "update_postimage|1|10.00|false", "update_postimage|2|20.00|false", "update_preimage|1|10.00|true", "update_preimage|2|20.00|true")
	// what one transaction brought names it
	s.eventually("SELECT count(DISTINCT (__change_commit, __change_ts))::text FROM dw.now_changes WHERE __change_type LIKE 'update%'", "1")
	s.eventually("SELECT count(*)::text FROM dw.now JOIN dw.now_changes AS c USING (id, __sequence) WHERE c.__change_commit = dw.now.xmin::text::bigint AND __change_type = 'update_postimage'", "1")
	pgtest.Exec(t, s.source, "ALTER TABLE orders ADD COLUMN extra int", "INSERT INTO orders VALUES (4, 'open', 40, NULL, 1, 7)")
	s.triggered()
	pgtest.Exec(t, s.source, "TRUNCATE orders")
	s.triggered()
	s.eventually("SELECT __change_type, id::text, extra::text FROM dw.now_changes WHERE __change_id > 6 ORDER BY 1, 2", "delete|1|∅", "delete|3|∅", "delete|4|7", "insert|4|7")
	s.eventually("SELECT column_name::text FROM information_schema.columns WHERE table_name = 'now_changes' AND column_name = 'extra'", "extra")
	s.redeclare(strings.Replace(fedFlows, " WITH (change_feed = true)", "", 1))
	pgtest.Exec(t, s.source, "INSERT INTO orders VALUES (5, 'open', 50, NULL, 1, 7)")
	s.triggered()
	s.eventually("SELECT count(*)::text FROM dw.now_changes", "10")
	s.eventually("SELECT count(*)::text FROM dw.past_changes WHERE id = 5", "1")
}

func TestRun_RefusesAChangeFeedThatIsNone(t *testing.T) {
	t.Parallel()
	s := newShop(t, orders, fedFlows)
	pgtest.Exec(t, s.target, "CREATE TABLE dw.now_changes (a int)")
	err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true})
	if err == nil || !strings.Contains(err.Error(), `"now_changes" is there already, and is no change feed`) {
		t.Errorf("got %v", err)
	}
}
