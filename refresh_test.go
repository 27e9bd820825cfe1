package autocdc_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/test/pgtest"
)

func (s *shop) refresh(targets ...string) {
	s.t.Helper()
	if err := s.Refresh(context.Background(), autocdc.RefreshOptions{Targets: targets}); err != nil {
		s.t.Fatalf("refresh %v: %v", targets, err)
	}
}

// redeclare replaces the flow files.
func (s *shop) redeclare(flows string) {
	s.t.Helper()
	file, err := autocdc.ParseFlows("flows.sql", []byte(flows))
	if err != nil {
		s.t.Fatal(err)
	}
	s.Files = s.Files[:0]
	s.Files = append(s.Files, file)
}

// refused runs and wants it refused with the way out.
func (s *shop) refused(message, hint string) {
	s.t.Helper()
	var faults *autocdc.FaultsError
	err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true})
	if !errors.As(err, &faults) || !strings.Contains(faults.Faults[0].Message, message) || !strings.Contains(faults.Faults[0].Hint, hint) {
		s.t.Fatalf("want %q refused with the hint %q, got %v", message, hint, err)
	}
}

// reader is a transaction that has seen the target as it is.
func (s *shop) reader(query string) (pgx.Tx, func() []string) {
	s.t.Helper()
	tx, err := pgtest.Conn(s.t, s.target).BeginTx(context.Background(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	if err != nil {
		s.t.Fatal(err)
	}
	read := func() []string {
		rows, err := tx.Query(context.Background(), query)
		if err != nil {
			s.t.Fatal(err)
		}
		list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) { return line(row.RawValues()), nil })
		if err != nil {
			s.t.Fatal(err)
		}
		return list
	}
	read()
	return tx, read
}

func TestRefresh_RebuildsWhatWasDamaged(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers+stock, customerFlows+stockFlow)
	s.triggered()
	pgtest.Exec(t, s.source,
		"UPDATE customer SET name = 'Ada L' WHERE id = 1",
		"INSERT INTO feed VALUES ('oil', 5, 20, false)")
	s.triggered()
	pgtest.Exec(t, s.target, "CREATE INDEX mine ON dw.customer (name)",
		"DELETE FROM dw.customer WHERE id = 1", "DELETE FROM dw.customer_history", "DELETE FROM dw.stock")
	pgtest.Exec(t, s.source, "DELETE FROM customer WHERE id = 2", "INSERT INTO feed VALUES ('oil', 6, 30, false), ('salt', 1, 5, false)")
	tx, read := s.reader(currentRows)
	s.refresh("dw.customer", "customer_history", `"dw"."stock"`)
	if got := read(); len(got) != 1 || got[0] != "2|Grace|sad" {
		t.Errorf("an older transaction sees %v", got)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.eventually(currentRows, "1|Ada L|ok")
	s.eventually(historyRows, "1|Ada L|ok|true")
	s.eventually("SELECT sku, qty::text FROM dw.stock ORDER BY 1", "oil|6", "salt|1")
	pgtest.Exec(t, s.source, "INSERT INTO customer VALUES (3, 'Edsger', NULL)", "DELETE FROM customer WHERE id = 1",
		"INSERT INTO feed VALUES ('oil', 4, 29, false), ('salt', 2, 6, false), ('tea', 3, 19, false)")
	s.triggered()
	s.eventually(currentRows, "3|Edsger|∅")
	s.eventually(historyRows, "1|Ada L|ok|false", "3|Edsger|∅|true")
	s.eventually("SELECT sku, qty::text FROM dw.stock ORDER BY 1", "oil|6", "salt|2")
	s.eventually("SELECT indexname::text FROM pg_indexes WHERE indexname = 'mine'", "mine")
}

// definitions are declarations of one target that differ in what is remembered.
var definitions = []struct{ name, before, after, message, query, rows string }{
	{
		"tracked columns",
		"FROM CHANGES(customer) KEYS (id) STORED AS SCD TYPE 2",
		"FROM CHANGES(customer) KEYS (id) STORED AS SCD TYPE 2 TRACK HISTORY ON (name)",
		"TRACK HISTORY ON",
		"SELECT id::text, name, mood, (__end_at IS NULL)::text FROM dw.c ORDER BY id, __start_at",
		"1|Ada|sad|true 2|Grace|sad|false 2|Hopper|sad|true 3|Edsger|∅|true",
	},
	{
		"kind",
		"FROM CHANGES(customer) KEYS (id)",
		"FROM CHANGES(customer) KEYS (id) STORED AS SCD TYPE 2",
		"STORED AS",
		"SELECT id::text, name, mood, (__end_at IS NULL)::text FROM dw.c ORDER BY id, __start_at",
		"1|Ada|ok|false 1|Ada|sad|true 2|Grace|sad|false 2|Hopper|sad|true 3|Edsger|∅|true",
	},
	{
		"keys",
		"FROM STREAM(customer) KEYS (id) SEQUENCE BY id",
		"FROM STREAM(customer) KEYS (name) SEQUENCE BY id",
		"KEYS",
		"SELECT name, id::text FROM dw.c ORDER BY 1",
		"Ada|1 Edsger|3 Grace|2",
	},
	{
		"type of the sequence",
		"FROM STREAM(customer) KEYS (id) SEQUENCE BY STRUCT(id, name) STORED AS SCD TYPE 2",
		"FROM STREAM(customer) KEYS (id) SEQUENCE BY STRUCT(name, id, __lsn) STORED AS SCD TYPE 2",
		"SEQUENCE BY",
		"SELECT id::text, (__start_at).name, pg_typeof(__start_at)::text FROM dw.c ORDER BY 1",
		"1|Ada|dw.c__sequence 2|Grace|dw.c__sequence 3|Edsger|dw.c__sequence",
	},
	{
		"bitemporal",
		"FROM STREAM(customer) KEYS (id) SEQUENCE BY id STORED AS SCD TYPE 2",
		"FROM STREAM(customer) KEYS (id) SEQUENCE BY id SYSTEM SEQUENCE BY __commit_ts STORED AS BITEMPORAL",
		"STORED AS",
		"SELECT id::text, name, (__system_end_at IS NULL)::text FROM dw.c ORDER BY 1",
		"1|Ada|true 2|Grace|true 3|Edsger|true",
	},
}

func TestRefresh_TakesAnotherDefinition(t *testing.T) {
	t.Parallel()
	for _, d := range definitions {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			const declared = "CREATE STREAMING TABLE dw.c; CREATE FLOW c AS AUTO CDC INTO dw.c %s;"
			s := newShop(t, customers, fmt.Sprintf(declared, d.before))
			s.triggered()
			feed := strings.Contains(d.after, "STREAM")
			s.redeclare(fmt.Sprintf(declared, d.after))
			s.refused(d.message, "autocdc refresh dw.c --full")
			pgtest.Exec(t, s.target, "CREATE ROLE reader_"+s.Name, "GRANT SELECT ON dw.c TO reader_"+s.Name)
			s.refresh("dw.c")
			if !feed {
				pgtest.Exec(t, s.source, "UPDATE customer SET mood = 'sad' WHERE id = 1", "UPDATE customer SET name = 'Hopper' WHERE id = 2")
			}
			pgtest.Exec(t, s.source, "INSERT INTO customer VALUES (3, 'Edsger', NULL)")
			s.triggered()
			s.triggered()
			s.eventually(d.query, strings.Split(d.rows, " ")...)
			s.eventually("SELECT indexname::text FROM pg_indexes WHERE schemaname = 'dw'", "c_pkey")
			s.eventually("SELECT has_table_privilege('reader_"+s.Name+"', 'dw.c', 'SELECT')::text", "true")
			pgtest.Exec(t, s.target, "DROP OWNED BY reader_"+s.Name, "DROP ROLE reader_"+s.Name)
		})
	}
}

func TestRefresh_LetsReadersOfTheOldTableFinish(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers, customerFlows)
	s.triggered()
	pgtest.Exec(t, s.source, "DELETE FROM customer WHERE id = 2")
	s.redeclare(strings.Replace(customerFlows, "STORED AS SCD TYPE 2", "STORED AS SCD TYPE 2 TRACK HISTORY ON (name)", 1))
	tx, read := s.reader(historyRows)
	done := make(chan error, 1)
	go func() {
		done <- s.Refresh(context.Background(), autocdc.RefreshOptions{Targets: []string{"customer_history"}})
	}()
	s.eventually("SELECT DISTINCT mode FROM pg_locks WHERE relation = 'dw.customer_history'::regclass AND NOT granted", "AccessExclusiveLock")
	s.eventually(historyRows, "1|Ada|ok|true", "2|Grace|sad|true")
	if got := read(); len(got) != 2 {
		t.Errorf("the reader sees %v", got)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s.eventually(historyRows, "1|Ada|ok|true")
}

func TestRefresh_Refuses(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers, customerFlows)
	s.refuses("nothing to refresh", "autocdc run", "dw.customer")
	if rows := pgtest.Rows(t, s.target, "SELECT nspname FROM pg_namespace WHERE nspname = 'autocdc'"); len(rows) > 0 {
		t.Error("a refused refresh left a metadata schema behind")
	}
	stop := s.start(autocdc.RunOptions{})
	s.eventually(historyRows, "1|Ada|ok|true", "2|Grace|sad|true")
	s.refuses("no such target", "did you mean dw.customer?", "dw.custmer")
	var running *merge.RunningError
	if err := s.Refresh(t.Context(), autocdc.RefreshOptions{Targets: []string{"customer"}}); !errors.As(err, &running) {
		t.Errorf("want a RunningError, got %v", err)
	}
	stop()
	no := errors.New("no")
	var asked string
	err := s.Refresh(t.Context(), autocdc.RefreshOptions{Targets: []string{"customer_history"}, Confirm: func(what string) error { asked = what; return no }})
	if !errors.Is(err, no) || !strings.Contains(asked, "earlier versions are lost") {
		t.Errorf("asked %q, got %v", asked, err)
	}
	pgtest.Exec(t, s.target, "CREATE VIEW dw.v AS SELECT * FROM dw.customer_history")
	s.redeclare(strings.Replace(customerFlows, "STORED AS SCD TYPE 2", "", 1))
	s.refuses("depend dw.v", "drop them first", "customer_history")
	s.eventually("SELECT count(*)::text FROM dw.v", "2")
}

func (s *shop) refuses(message, hint, target string) {
	s.t.Helper()
	err := s.Refresh(context.Background(), autocdc.RefreshOptions{Targets: []string{target}})
	var hinted *autocdc.HintError
	if !errors.As(err, &hinted) || !strings.Contains(err.Error(), message) || !strings.Contains(hinted.Hint, hint) {
		s.t.Errorf("want %q with the hint %q, got %v (%+v)", message, hint, err, hinted)
	}
}

func TestRefresh_BringsADroppedTableBack(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers, customerFlows)
	s.triggered()
	pgtest.Exec(t, s.target, "DROP TABLE dw.customer")
	s.refresh("customer")
	s.eventually(currentRows, "1|Ada|ok", "2|Grace|sad")
	pgtest.Exec(t, s.source, "DELETE FROM customer WHERE id = 1")
	s.triggered()
	s.eventually(currentRows, "2|Grace|sad")
}

func TestRefresh_RefusesWhatItCannotRebuild(t *testing.T) {
	t.Parallel()
	const declared = `
CREATE STREAMING TABLE dw.two;
CREATE FLOW a AS AUTO CDC INTO dw.two FROM STREAM(shop.public.feed) KEYS (sku) SEQUENCE BY at;
CREATE FLOW b AS AUTO CDC INTO dw.two FROM STREAM(other.public.feed) KEYS (sku) SEQUENCE BY at;
CREATE STREAMING TABLE dw."New";
CREATE FLOW new AS AUTO CDC INTO dw."New" FROM STREAM(shop.public.feed) KEYS (sku) SEQUENCE BY at %s;`
	s := newShop(t, stock, stockFlow)
	other := pgtest.Database(t)
	pgtest.Exec(t, other, stock)
	s.Sources = append(s.Sources, autocdc.Source{Name: "other", DSN: other})
	s.redeclare(fmt.Sprintf(declared, "WITH (copy = false)"))
	s.triggered()
	s.refuses("flows of two sources", "a target for each source", "two")
	s.refuses("copy = false", "leave the option out", `"New"`)
	s.redeclare(fmt.Sprintf(declared, ""))
	s.refresh(`dw."New"`)
	s.eventually(`SELECT sku FROM dw."New"`, "tea")
}
