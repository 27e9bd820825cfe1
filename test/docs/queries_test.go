package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// histories are the tables that docs/queries.md speaks of.
const histories = `
CREATE SCHEMA crm;
CREATE TABLE crm.customer_history (id int, city text, __start_at timestamptz, __end_at timestamptz, PRIMARY KEY (id, __start_at));
INSERT INTO crm.customer_history VALUES (42, 'Berlin', '2026-01-01', '2026-02-15'), (42, 'Paris', '2026-02-15', NULL), (7, 'Rome', '2026-01-01', '2026-03-10');
CREATE TABLE crm.company (id int, name text, __start_at timestamptz, __end_at timestamptz, __system_start_at timestamptz, __system_end_at timestamptz,
  PRIMARY KEY (id, __start_at, __system_start_at));
INSERT INTO crm.company VALUES
  (1, 'Old', '2026-01-01', NULL, '2026-01-05', '2026-02-20'),
  (1, 'Old', '2026-01-01', '2026-01-20', '2026-02-20', NULL),
  (1, 'New', '2026-01-20', NULL, '2026-02-20', NULL)`

// answers are the rows that the queries give, in the order of the page.
var answers = []string{
	"42 Paris",
	"42 Paris; 7 Rome",
	"42 Paris",
	"42 Berlin \\N 2026-01-01 2026-02-15; 42 Paris Berlin 2026-02-15 \\N",
	"42 Berlin Paris; 7 Rome \\N",
	"1 New",
	"1 Old 2026-01-01 2026-01-20; 1 New 2026-01-20 \\N",
	"1 Old",
	"",
	"",
}

var (
	blocks = regexp.MustCompile("(?s)```sql\n(.*?)```")
	clock  = regexp.MustCompile(` 00:00:00\+00`)
)

func TestQueries_GiveWhatThePageSays(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/queries.md")
	if err != nil {
		t.Fatal(err)
	}
	dsn := pgtest.Database(t)
	pgtest.Exec(t, dsn, histories)
	found := blocks.FindAllStringSubmatch(string(page), -1)
	if len(found) != len(answers) {
		t.Fatalf("%d queries, %d answers", len(found), len(answers))
	}
	for i, block := range found {
		sql := strings.TrimSuffix(strings.TrimSpace(block[1]), ";")
		if !strings.Contains(sql, "ORDER BY id") && !strings.Contains(sql, "ORDER BY __start_at;") {
			sql = "SELECT * FROM (" + sql + ") AS q ORDER BY 1 DESC"
		}
		var rows []string
		for _, row := range pgtest.Rows(t, dsn, "SET timezone = 'UTC'; "+sql) {
			rows = append(rows, strings.Join(row, " "))
		}
		if got := clock.ReplaceAllString(strings.Join(rows, "; "), ""); got != answers[i] {
			t.Errorf("query %d: got %q, want %q\n%s", i+1, got, answers[i], sql)
		}
	}
}
