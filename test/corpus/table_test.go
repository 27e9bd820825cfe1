package corpus

import (
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/test/pgtest"
)

// table is a table of a case at the source.
type table struct {
	schema, name string
	keys         []string // of the replica identity; none: no flow of changes
}

func (t table) source() string  { return pgx.Identifier{t.schema, t.name}.Sanitize() }
func (t table) current() string { return pgx.Identifier{"cur", t.name}.Sanitize() }
func (t table) history() string { return pgx.Identifier{"hist", t.name}.Sanitize() }

// flows copies the table into a current and a historical target.
func (t table) flows() string {
	keys := make([]string, len(t.keys))
	for i, k := range t.keys {
		keys[i] = quote(k)
	}
	var sql strings.Builder
	for kind, target := range []string{t.current(), t.history()} {
		name := fmt.Sprintf("f%x_%d", crc32.ChecksumIEEE([]byte(t.source())), kind+1) // the table's may be too long
		fmt.Fprintf(&sql, "CREATE STREAMING TABLE %s;\nCREATE FLOW %s AS AUTO CDC INTO %s\nFROM CHANGES(%s)\nKEYS (%s)\nSTORED AS SCD TYPE %d;\n\n",
			target, quote(name), target, t.source(), strings.Join(keys, ", "), kind+1)
	}
	return sql.String()
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// tablesAfter lists the tables that are there, but not in before: those of the seed
// that just ran.
func tablesAfter(t *testing.T, source *pgx.Conn, before []table) []table {
	t.Helper()
	const sql = `
SELECT n.nspname, c.relname, coalesce((
  SELECT string_agg(a.attname, chr(10) ORDER BY array_position(i.indkey::int2[], a.attnum))
  FROM pg_index AS i
  JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
  WHERE i.indrelid = c.oid
    AND CASE WHEN c.relreplident = 'i' THEN i.indisreplident ELSE i.indisprimary END), '')
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
ORDER BY 1, 2`
	var found []table
	for _, row := range query(t, source, sql) {
		tab := table{schema: row[0], name: row[1]}
		if row[2] != "" {
			tab.keys = strings.Split(row[2], "\n")
		}
		if !slices.ContainsFunc(before, func(b table) bool { return b.source() == tab.source() }) {
			found = append(found, tab)
		}
	}
	return found
}

// pinned has both servers write values alike, whatever their databases say.
const pinned = `SET timezone = 'UTC'; SET datestyle = 'ISO'; SET intervalstyle = 'postgres';
SET bytea_output = 'hex'; SET extra_float_digits = 1; SET statement_timeout = 0; SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0; SET idle_session_timeout = 0`

// reader is a connection that reads values as text.
func reader(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn := pgtest.Conn(t, dsn)
	exec(t, conn, pinned)
	return conn
}

func exec(t *testing.T, conn *pgx.Conn, sql string) {
	t.Helper()
	if _, err := conn.PgConn().Exec(t.Context(), sql).ReadAll(); err != nil {
		t.Fatalf("%v\nin: %.2000s", err, sql)
	}
}

// query returns the rows of the last of some queries, values as the server writes them.
func query(t *testing.T, conn *pgx.Conn, sql string) [][]string {
	t.Helper()
	results, err := conn.PgConn().Exec(t.Context(), sql).ReadAll()
	if err != nil {
		t.Fatalf("%v\nin: %.2000s", err, sql)
	}
	var rows [][]string
	for _, values := range results[len(results)-1].Rows {
		row := make([]string, len(values))
		for i, v := range values {
			row[i] = string(v)
			if v == nil {
				row[i] = pgtest.Null + "(null)" // no value of a case
			}
		}
		rows = append(rows, row)
	}
	return rows
}
