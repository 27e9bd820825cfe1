package workload

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
)

// Ledger remembers what the tables of a source held after each transaction of
// its only writer. The source has a table marker (n bigint PRIMARY KEY) for it.
type Ledger struct {
	tables  []table
	n       int64   // of the last transaction that is known to be committed
	history []state // by transaction, n ascending
	written atomic.Int64
}

// state is what the tables held after transaction n: their rows as text, sorted.
type state struct {
	n        int64
	contents map[string][]string
}

// NewLedger makes the marker and watches the tables of a schema, by their
// primary keys.
func NewLedger(ctx context.Context, conn *pgx.Conn, schema string) (*Ledger, error) {
	l := &Ledger{}
	var err error
	if l.tables, err = tablesOf(ctx, conn, schema); err != nil {
		return nil, err
	}
	const ddl = "CREATE TABLE marker (n bigint PRIMARY KEY); INSERT INTO marker VALUES (0)"
	if _, err := conn.PgConn().Exec(ctx, ddl).ReadAll(); err != nil {
		return nil, err
	}
	return l, l.record(ctx, conn, 0, nil)
}

func tablesOf(ctx context.Context, conn *pgx.Conn, schema string) ([]table, error) {
	const sql = `
SELECT c.relname,
  ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped ORDER BY attnum),
  ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum = ANY (k.conkey) ORDER BY attnum)
FROM pg_class AS c
JOIN pg_constraint AS k ON k.conrelid = c.oid AND k.contype = 'p'
WHERE c.relnamespace = $1::regnamespace
ORDER BY c.relname`
	rows, err := conn.Query(ctx, sql, schema)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (table, error) {
		t := table{schema: schema}
		var columns []string
		err := row.Scan(&t.name, &columns, &t.keys)
		for _, name := range columns {
			t.columns = append(t.columns, column{name: name})
		}
		return t, err
	})
}

// Tables returns how many tables are watched.
func (l *Ledger) Tables() int { return len(l.tables) }

// Written is the number of the last transaction, for other goroutines.
func (l *Ledger) Written() int64 { return l.written.Load() }

// Commit runs statements in a transaction and records what the tables then hold.
func (l *Ledger) Commit(ctx context.Context, conn *pgx.Conn, sql string) error {
	sql = fmt.Sprintf("BEGIN;\n%s;\nINSERT INTO marker VALUES (%d);\nCOMMIT", sql, l.n+1)
	if _, err := conn.PgConn().Exec(ctx, sql).ReadAll(); err != nil {
		return fmt.Errorf("%w\nin: %s", err, sql)
	}
	return l.record(ctx, conn, l.n+1, nil)
}

// record remembers what the tables hold after transaction n. Those that are not
// among touched are as before; nil stands for all.
func (l *Ledger) record(ctx context.Context, conn *pgx.Conn, n int64, touched map[string]bool) error {
	contents := map[string][]string{}
	if last := len(l.history) - 1; last >= 0 {
		maps.Copy(contents, l.history[last].contents)
	}
	for _, t := range l.tables {
		if _, known := contents[t.sql()]; known && touched != nil && !touched[t.sql()] {
			continue
		}
		rows, err := lines(ctx, conn, "SELECT "+t.row("t")+" FROM "+t.sql()+" t")
		if err != nil {
			return err
		}
		contents[t.sql()] = rows
	}
	l.history = append(l.history, state{n, contents})
	l.at(n)
	return nil
}

func (l *Ledger) at(n int64) {
	l.n = n
	l.written.Store(n)
}

// rewind forgets what the source has lost after transaction n, and tells whether
// the contents after n are known.
func (l *Ledger) rewind(n int64) bool {
	l.history = slices.DeleteFunc(l.history, func(s state) bool { return s.n > n })
	l.at(n)
	last := len(l.history) - 1
	return last >= 0 && l.history[last].n == n
}

// lines returns the rows of a query of one text column, sorted.
func lines(ctx context.Context, conn *pgx.Conn, sql string) ([]string, error) {
	rows, err := conn.Query(ctx, sql)
	if err != nil {
		return nil, fmt.Errorf("%w\nin: %s", err, sql)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("%w\nin: %s", err, sql)
	}
	slices.Sort(all)
	return all, nil
}
