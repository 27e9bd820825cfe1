package autocdc_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/test/pgtest"
)

const versions = `
CREATE TABLE release (v int, id int, name text);
INSERT INTO release SELECT v, id, 'n' || id * v FROM generate_series(1, 3) AS v, generate_series(v, v + 29) AS id;`

const versionFlows = `
CREATE STREAMING TABLE dw.r;
CREATE FLOW r AS AUTO CDC INTO dw.r
FROM SNAPSHOT (SELECT id, name FROM release WHERE v::text = (SELECT v::text FROM current_snapshot_version()))
WITH VERSION (SELECT min(v) AS v FROM release WHERE v > coalesce((SELECT v FROM last_snapshot_version()), 0))
KEYS (id) STORED AS SCD TYPE 2;`

const releaseRows = "SELECT __start_at::text, coalesce(__end_at, 0)::text, count(*)::text FROM dw.r GROUP BY 1, 2 ORDER BY 1, 2"

func TestRun_TakesAllVersionsInOneRun(t *testing.T) {
	t.Parallel()
	s := newShop(t, versions, versionFlows)
	s.triggered()
	s.eventually(releaseRows, "1|2|30", "2|3|30", "3|0|30")
	s.triggered()
	s.eventually(releaseRows, "1|2|30", "2|3|30", "3|0|30")
	pgtest.Exec(t, s.source, "INSERT INTO release SELECT 4, id, name FROM release WHERE v = 3")
	s.triggered()
	s.eventually("SELECT version, status, skipped::text FROM autocdc.flow", "4|comparing|0")
	s.eventually(releaseRows, "1|2|30", "2|3|30", "3|0|30")
}

func TestRun_RefusesWhatAVersionMayNotBe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ version, says, hint string }{
		"two rows":  {"SELECT v FROM release WHERE v < 3", "more than one row", "LIMIT 1"},
		"not above": {"SELECT 1 AS v", "", ""},
		"null":      {"SELECT ROW(max(v), CAST(NULL AS text)) AS v FROM release", `"f2" of the version is null`, "COALESCE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, versions, "CREATE STREAMING TABLE dw.r; CREATE FLOW r AS AUTO CDC INTO dw.r FROM SNAPSHOT (SELECT DISTINCT ON (id) id, name FROM release) WITH VERSION ("+c.version+") KEYS (id);")
			err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true})
			var hinted *autocdc.HintError
			if c.says == "" {
				if err != nil {
					t.Fatal(err)
				}
				s.triggered()
				s.eventually("SELECT version, skipped::text FROM autocdc.flow", "1|2")
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.says) || !errors.As(err, &hinted) || !strings.Contains(hinted.Hint, c.hint) {
				t.Errorf("got %v %+v", err, hinted)
			}
		})
	}
}

func TestRun_StopsAtSnapshotsThatMustBeWrong(t *testing.T) {
	t.Parallel()
	s := newShop(t, versions, versionFlows)
	s.triggered()
	for _, c := range []struct{ sql, says, hint string }{
		{"INSERT INTO release VALUES (5, 1, 'a'), (5, 1, 'b'), (5, 2, 'c')", "(1) (2 rows)", "KEYS"},
		{"INSERT INTO release SELECT 5, CASE id WHEN 4 THEN 5 ELSE id END, CASE id WHEN 4 THEN 'n15' ELSE name END FROM release WHERE v = 3", "(5) (2 rows)", "KEYS"},
		{"INSERT INTO release VALUES (5, NULL, 'a')", "key is null", "KEYS"},
		{"INSERT INTO release SELECT 5, id, name FROM release WHERE v = 3 AND id < 17", "lacks 16 of 30 current keys", "--accept-deletes r"},
	} {
		pgtest.Exec(t, s.source, "DELETE FROM release WHERE v = 5", c.sql)
		err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true})
		var hinted *autocdc.HintError
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "version 5") || !errors.As(err, &hinted) || !strings.Contains(hinted.Hint, c.hint) {
			t.Errorf("%s: got %v %+v", c.sql, err, hinted)
		}
		s.eventually(releaseRows, "1|2|30", "2|3|30", "3|0|30")
	}
	if err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true, AcceptDeletes: []string{"r"}}); err != nil {
		t.Fatal(err)
	}
	s.eventually(releaseRows, "1|2|30", "2|3|30", "3|0|14", "3|5|16")
	if err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true, AcceptDeletes: []string{"rr"}}); err == nil || !strings.Contains(err.Error(), `"rr"`) {
		t.Errorf("got %v", err)
	}
}

func TestRun_StopsAtAnEmptySnapshot(t *testing.T) {
	t.Parallel()
	const flows = "CREATE STREAMING TABLE dw.c; CREATE FLOW c AS AUTO CDC INTO dw.c FROM SNAPSHOT (SELECT * FROM customer) KEYS (id)"
	s := newShop(t, customers, flows+";")
	s.triggered()
	pgtest.Exec(t, s.source, "DELETE FROM customer WHERE id = 1")
	s.triggered()
	s.eventually("SELECT id::text FROM dw.c", "2")
	pgtest.Exec(t, s.source, "DELETE FROM customer")
	if err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true}); err == nil || !strings.Contains(err.Error(), "it is empty, the target has 1 current keys") {
		t.Errorf("got %v", err)
	}
	s.redeclare(flows + " WITH (max_delete_fraction = 1);")
	s.triggered()
	s.eventually("SELECT id::text FROM dw.c")
}

func TestRefresh_RebuildsFromSnapshots(t *testing.T) {
	t.Parallel()
	s := newShop(t, versions, versionFlows)
	s.triggered()
	pgtest.Exec(t, s.target, "DELETE FROM dw.r WHERE id < 10")
	pgtest.Exec(t, s.source, "DELETE FROM release WHERE v = 1")
	s.refresh("dw.r")
	s.eventually(releaseRows, "2|3|30", "3|0|30")
	s.redeclare(strings.Replace(versionFlows, "STORED AS SCD TYPE 2", "STORED AS SCD TYPE 1 WITH (max_delete_fraction = 0.9)", 1))
	s.refused("STORED AS", "autocdc refresh dw.r --full")
	s.refresh("dw.r")
	s.eventually("SELECT __sequence::text, count(*)::text FROM dw.r GROUP BY 1", "3|30")
	pgtest.Exec(t, s.source, "INSERT INTO release SELECT 4, id, name || 'x' FROM release WHERE v = 3")
	s.triggered()
	s.eventually("SELECT __sequence::text, count(*)::text FROM dw.r GROUP BY 1", "4|30")
}

func TestRun_OnceRestsWhenItHasRun(t *testing.T) {
	t.Parallel()
	s := newShop(t, stock+versions, strings.Replace(versionFlows, "AUTO CDC INTO", "AUTO CDC ONCE INTO", 1)+strings.Replace(stockFlow, "AUTO CDC INTO", "AUTO CDC ONCE INTO", 1))
	pgtest.Exec(t, s.source, "INSERT INTO feed VALUES ('salt', 3, 1, false)")
	s.triggered()
	s.eventually("SELECT sku, qty::text FROM dw.stock", "salt|3")
	s.eventually("SELECT flow, status FROM autocdc.flow ORDER BY 1", "r|done", "stock|done")
	pgtest.Exec(t, s.source, "INSERT INTO feed VALUES ('oil', 5, 20, false)", "INSERT INTO release SELECT 9, id, name FROM release WHERE v = 3")
	s.triggered()
	s.eventually("SELECT sku FROM dw.stock", "salt")
	s.eventually(releaseRows, "1|2|30", "2|3|30", "3|0|30")
	if rows := pgtest.Rows(t, s.source, "SELECT slot_name FROM pg_replication_slots WHERE database = current_database()"); len(rows) > 0 {
		t.Errorf("a slot is left: %v", rows)
	}
	s.refresh("dw.stock", "dw.r")
	s.eventually("SELECT sku FROM dw.stock ORDER BY 1", "oil", "salt")
	s.eventually("SELECT max(version) FROM autocdc.flow", "9")
	s.triggered()
}

// TestRun_HoldsNoSnapshotBetweenSnapshots lets the source forget old rows.
func TestRun_HoldsNoSnapshotBetweenSnapshots(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers, "CREATE STREAMING TABLE dw.c; CREATE FLOW c AS AUTO CDC INTO dw.c FROM SNAPSHOT (SELECT * FROM customer) KEYS (id) WITH (every = '1h');")
	stop := s.start(autocdc.RunOptions{})
	defer stop()
	s.eventually("SELECT id::text FROM dw.c ORDER BY 1", "1", "2")
	pgtest.Eventually(t, 10*time.Second, func() error {
		held := pgtest.Rows(t, s.source, "SELECT state, backend_xmin FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND (state <> 'idle' OR backend_xmin IS NOT NULL)")
		if len(held) > 0 {
			return fmt.Errorf("held: %v", held)
		}
		return nil
	})
}

func TestStatus_ShowsSnapshotFlowsThatLeftTheFiles(t *testing.T) {
	t.Parallel()
	const other = "CREATE STREAMING TABLE dw.c; CREATE FLOW c AS AUTO CDC INTO dw.c FROM SNAPSHOT (SELECT 1 AS id) KEYS (id);"
	s := newShop(t, versions, versionFlows+other)
	s.triggered()
	s.eventually("SELECT flow, status FROM autocdc.flow ORDER BY 1", "c|comparing", "r|comparing")
	s.redeclare(other)
	s.triggered()
	s.eventually("SELECT flow, status FROM autocdc.flow ORDER BY 1", "c|comparing", "r|orphaned")
	s.redeclare(versionFlows + other)
	pgtest.Exec(t, s.source, "INSERT INTO release SELECT 4, id, name FROM release WHERE v = 3")
	s.triggered()
	s.eventually("SELECT flow, status FROM autocdc.flow ORDER BY 1", "c|comparing", "r|comparing")
}

func TestCheck_RefusesSparkQueriesOnMySQL(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers, "SET dialect = 'spark'; CREATE STREAMING TABLE dw.c; CREATE FLOW c AS AUTO CDC INTO dw.c FROM SNAPSHOT (SELECT * FROM `a b`) KEYS (id);")
	s.Sources = []autocdc.Source{{Name: "shop", DSN: "mysql://nobody@127.0.0.1:1/shop"}}
	s.refused("is MySQL", "without SET dialect")
}
