package autocdc_test

import (
	"context"
	"strings"
	"testing"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/test/pgtest"
)

// chainFlows lead from the present to a history, through a filter to a dimension, and on.
const chainFlows = `
CREATE STREAMING TABLE dw.history;
CREATE FLOW history AS AUTO CDC INTO dw.history FROM CHANGES(dw.orders) KEYS (id) COLUMNS * EXCEPT (note) STORED AS SCD TYPE 2;
CREATE TEMPORARY VIEW open AS SELECT id, amount, __start_at AS since, __sequence AS seq FROM CHANGES(both) WHERE state = 'open';
CREATE TEMPORARY VIEW both AS SELECT *, now() AS __start_at FROM CHANGES(dw.orders);
CREATE STREAMING TABLE dw.orders;
CREATE FLOW orders AS AUTO CDC INTO dw.orders FROM CHANGES(orders) KEYS (id);
CREATE STREAMING TABLE dw.versions;
CREATE TEMPORARY VIEW version AS SELECT id, __start_at AS since, __end_at AS until, amount FROM CHANGES(dw.history);
CREATE FLOW versions AS AUTO CDC INTO dw.versions FROM version KEYS (id, since);
CREATE STREAMING TABLE dw.open;
CREATE FLOW open AS AUTO CDC INTO dw.open FROM open KEYS (id) COLUMNS * EXCEPT (since);`

const (
	chainHistory  = "SELECT id::text, amount::text, (__end_at IS NULL)::text FROM dw.history ORDER BY id, __start_at"
	chainVersions = "SELECT id::text, amount::text, (until IS NULL)::text FROM dw.versions ORDER BY id, since"
	chainOpen     = "SELECT id::text, amount::text, (seq > '0/0')::text FROM dw.open ORDER BY id"
)

func TestRun_ChainsTargets(t *testing.T) {
	t.Parallel()
	s := newShop(t, orders, chainFlows)
	if _, err := s.Check(context.Background()); err != nil { // also where nothing is there yet
		t.Fatal(err)
	}
	s.triggered()
	history := []string{"1|10.00|true", "2|20.00|true", "3|30.00|true"}
	s.eventually(chainHistory, history...)
	s.eventually(chainVersions, history...)
	s.eventually(chainOpen, "1|10.00|true", "3|30.00|true")
	pgtest.Exec(t, s.source, "UPDATE orders SET amount = 11 WHERE id = 1", "DELETE FROM orders WHERE id = 3", "UPDATE orders SET state = 'open' WHERE id = 2")
	s.triggered() // through all links
	history = []string{"1|10.00|false", "1|11.00|true", "2|20.00|false", "2|20.00|true", "3|30.00|false"}
	s.eventually(chainHistory, history...)
	s.eventually(chainVersions, history...)
	s.eventually(chainOpen, "1|11.00|true", "2|20.00|true")
	stop := s.start(autocdc.RunOptions{})
	pgtest.Exec(t, s.source, "ALTER TABLE orders ADD COLUMN extra int DEFAULT 7", "INSERT INTO orders VALUES (4, 'open', 40, NULL, 1, 8)")
	s.eventually(chainOpen, "1|11.00|true", "2|20.00|true", "4|40.00|true")
	s.eventually("SELECT extra::text FROM dw.history WHERE id = 4", "8")
	s.eventually("SELECT source, count(*)::text FROM autocdc.flow GROUP BY 1 ORDER BY 1", "shop|1", "target|3")
	stop()
	status, err := s.Status(context.Background())
	if err != nil || len(status.Sources) != 2 || len(status.Sources[1].Flows) != 3 || status.Sources[1].Error != "" {
		t.Errorf("got %+v %v", status, err)
	}
}

func TestRefresh_RebuildsChainedTargets(t *testing.T) {
	t.Parallel()
	s := newShop(t, orders, chainFlows)
	s.triggered()
	pgtest.Exec(t, s.target, "UPDATE dw.orders SET amount = 0 WHERE id = 1", "DELETE FROM dw.open")
	s.refresh("dw.orders", "dw.open")
	s.triggered()
	s.eventually(chainOpen, "1|10.00|true", "3|30.00|true")
	s.eventually("SELECT amount::text FROM dw.history WHERE id = 1 AND __end_at IS NULL", "10.00")
	// another table in its place
	s.redeclare(strings.Replace(chainFlows, "FROM CHANGES(orders) KEYS (id)", "FROM CHANGES(orders) KEYS (id) SEQUENCE BY __commit_ts", 1))
	err := s.Refresh(context.Background(), autocdc.RefreshOptions{Targets: []string{"dw.orders", "dw.history"}})
	if err == nil || !strings.Contains(err.Error(), `flow "open" follows it into dw.open`) {
		t.Errorf("got %v", err)
	}
	s.redeclare(strings.NewReplacer("FROM CHANGES(orders) KEYS (id)", "FROM CHANGES(orders) KEYS (id) SEQUENCE BY __commit_ts",
		"__sequence AS seq", "'0/1'::pg_lsn AS seq").Replace(chainFlows))
	s.refresh("dw.orders", "dw.open", "dw.history", "dw.versions")
	pgtest.Exec(t, s.source, "UPDATE orders SET amount = 31 WHERE id = 3")
	s.triggered()
	s.eventually(chainOpen, "1|10.00|true", "3|31.00|true")
	s.eventually("SELECT amount::text FROM dw.versions WHERE id = 3 AND until IS NULL", "31.00")
}

func TestCheck_RefusesCirclesOfTargets(t *testing.T) {
	t.Parallel()
	s := newShop(t, orders, `
CREATE STREAMING TABLE dw.a; CREATE STREAMING TABLE dw.b;
CREATE FLOW a AS AUTO CDC INTO dw.a FROM CHANGES(dw.b) KEYS (id);
CREATE FLOW b AS AUTO CDC INTO dw.b FROM CHANGES(dw.a) KEYS (id);`)
	if err := s.fails(); !strings.Contains(err, "which is filled from its own target") {
		t.Error(err)
	}
	s.redeclare("CREATE STREAMING TABLE dw.a; CREATE FLOW a AS AUTO CDC INTO dw.a FROM CHANGES(dw.a) KEYS (id);")
	if err := s.fails(); !strings.Contains(err, "which is filled from its own target") {
		t.Error(err)
	}
}
