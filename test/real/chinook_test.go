package real

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

// day is what happens in the shop after the first copy, a transaction each.
var day = []string{
	// a customer comes, and buys twice in one transaction
	`INSERT INTO customer (customer_id, first_name, last_name, email, support_rep_id) VALUES (60, 'Ada', 'Größe', 'ada@example.org', 3);
	 INSERT INTO invoice (invoice_id, customer_id, invoice_date, total) VALUES (413, 60, '2026-01-05 10:00', 1.98), (414, 60, '2026-01-05 10:01', 0.99);
	 INSERT INTO invoice_line (invoice_line_id, invoice_id, track_id, unit_price, quantity) VALUES (2241, 413, 1, 0.99, 1), (2242, 413, 2, 0.99, 1), (2243, 414, 3, 0.99, 1)`,
	// prices of a genre rise
	`UPDATE track SET unit_price = unit_price + 0.10 WHERE genre_id = 1`,
	// an address is corrected twice; only the last is ever seen
	`UPDATE customer SET city = 'Oaxaca' WHERE customer_id = 60;
	 UPDATE customer SET city = 'Monterrey', country = 'Mexico' WHERE customer_id = 60`,
	// an update that changes nothing
	`UPDATE employee SET city = city`,
	// a track moves to another playlist: its key changes
	`UPDATE playlist_track SET playlist_id = 2 WHERE (playlist_id, track_id) = (1, 3402)`,
	// an artist gets another number, and a third one the number that is free now
	`INSERT INTO artist VALUES (900, 'New Artist');
	 UPDATE artist SET artist_id = 901 WHERE artist_id = 900`,
	`INSERT INTO artist VALUES (900, 'Another')`,
	// an order is cancelled
	`DELETE FROM invoice_line WHERE invoice_id = 414;
	 DELETE FROM invoice WHERE invoice_id = 414`,
	// someone changes their mind
	`UPDATE track SET name = 'wrong' WHERE track_id < 100;
	 SAVEPOINT s; DELETE FROM invoice_line; ROLLBACK TO s;
	 UPDATE track SET name = 'Track ' || track_id WHERE track_id < 100`,
	// the playlists are emptied and one of them filled again
	`TRUNCATE playlist_track`,
	`INSERT INTO playlist_track SELECT 5, track_id FROM track WHERE track_id < 50`,
	// emptied and filled at once
	`TRUNCATE playlist_track; INSERT INTO playlist_track SELECT 5, track_id FROM track WHERE track_id BETWEEN 40 AND 80`,
	// an employee leaves
	`UPDATE employee SET reports_to = 1 WHERE reports_to = 6; DELETE FROM employee WHERE employee_id = 8`,
}

func TestChinook_ReplicatesIntoBothKindsOfTarget(t *testing.T) {
	t.Parallel()
	script, ok := data(t, "chinook_postgres.sql")
	if !ok {
		return
	}
	ctx := context.Background()
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	_, script, _ = strings.Cut(script, `\c chinook;`) // before it: psql's own commands
	pgtest.Exec(t, source, script)
	pgtest.Exec(t, target, workload.Schemas())
	conn := pgtest.Conn(t, source)
	ledger, err := workload.NewLedger(ctx, conn, "public")
	if err != nil {
		t.Fatal(err)
	}
	if ledger.Tables() != 11 {
		t.Fatalf("Chinook has %d tables, want 11", ledger.Tables())
	}
	services := []*service.Service{
		initialised(t, "chinook_current", source, target, "1", workload.Current),
		initialised(t, "chinook_history", source, target, "2", workload.History),
	}
	triggered(services)
	ledger.Check(t, target)

	playDay(ctx, t, ledger, conn, services)
	ledger.Check(t, target)
}

// initialised lets autocdc write the flow file.
func initialised(t *testing.T, pipeline, source, target, scd, schema string) *service.Service {
	t.Helper()
	s := newService(t, pipeline, source, target, "")
	if err := os.Remove(s.Path("flows.sql")); err != nil {
		t.Fatal(err)
	}
	r := s.Command("init", "-c", "autocdc.yaml", "--tables", "public.*", "--scd", scd, "--into", schema, "-o", "flows.sql")
	if r.Code != 0 {
		t.Fatalf("%v", r)
	}
	s.Check()
	return s
}

func triggered(services []*service.Service) {
	for _, s := range services {
		s.Triggered()
	}
}

// playDay runs the day; half of it goes by between two runs, the rest is brought
// by the last.
func playDay(ctx context.Context, t *testing.T, ledger *workload.Ledger, conn *pgx.Conn, services []*service.Service) {
	t.Helper()
	for i, sql := range day {
		if err := ledger.Commit(ctx, conn, sql); err != nil {
			t.Fatal(err)
		}
		if i == len(day)/2 {
			triggered(services)
		}
	}
	triggered(services)
	for _, s := range services {
		s.Check()
	}
}
