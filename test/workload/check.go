package workload

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Check compares both kinds of target with everything that was
// recorded: what holds now, what held at each commit, and the shape of the
// history.
func (l *Ledger) Check(t testing.TB, target string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, target)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := l.Compare(ctx, conn); err != nil {
		t.Error(err)
	}
}

// Compare is Check on a connection to the target: all differences in one error.
func (l *Ledger) Compare(ctx context.Context, conn *pgx.Conn) error {
	stamps, err := l.stamps(ctx, conn)
	faults := []error{prefixed("marker", err)}
	for _, t := range l.tables {
		faults = append(
			faults,
			prefixed("current "+t.sql(), l.current(ctx, conn, t)),
			prefixed("shape of history of "+t.sql(), shape(ctx, conn, t)),
			prefixed("history of "+t.sql(), l.replay(ctx, conn, t, stamps)),
		)
	}
	return errors.Join(faults...)
}

func prefixed(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// current compares what both kinds say of now with the source.
func (l *Ledger) current(ctx context.Context, conn *pgx.Conn, t table) error {
	want := l.history[len(l.history)-1].contents[t.sql()]
	got, err := lines(ctx, conn, fmt.Sprintf("SELECT %s FROM %s t", t.row("t"), ident(Current, t.target())))
	if err != nil {
		return err
	}
	if err := same(got, want); err != nil {
		return err
	}
	got, err = lines(ctx, conn, fmt.Sprintf("SELECT %s FROM %s t WHERE __end_at IS NULL", t.row("t"), ident(History, t.target())))
	if err != nil {
		return err
	}
	return same(got, want)
}

// stamp is a moment of the history and the last transaction that it shows.
type stamp struct {
	at string
	n  int64
}

// stamps returns the moments that the marker's history knows. Those of the
// initial copy share one. Every transaction must be there, in its order.
func (l *Ledger) stamps(ctx context.Context, conn *pgx.Conn) ([]stamp, error) {
	rows, err := conn.Query(ctx, fmt.Sprintf("SELECT __start_at::text, n FROM %s.marker WHERE __end_at IS NULL ORDER BY n", History))
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s stamp, err error) {
		err = row.Scan(&s.at, &s.n)
		return s, err
	})
	if err != nil {
		return nil, err
	}
	if len(all) != int(l.n)+1 {
		return nil, fmt.Errorf("%d transactions have a marker, want %d", len(all), l.n+1)
	}
	var last []stamp
	for i, s := range all {
		if i+1 == len(all) || all[i+1].at != s.at {
			last = append(last, s)
		}
	}
	return last, l.ascending(ctx, conn)
}

func (l *Ledger) ascending(ctx context.Context, conn *pgx.Conn) error {
	const sql = `
SELECT format('transaction %%s has stamp %%s, the one before %%s', n, __start_at, before)
FROM (SELECT n, __start_at, lag(__start_at) OVER (ORDER BY n) AS before FROM %s.marker) AS m
WHERE before > __start_at
   OR before = __start_at AND before > (SELECT min(__start_at) FROM %[1]s.marker)`
	return none(ctx, conn, fmt.Sprintf(sql, History))
}

// replay compares the history as of each stamp with what the source held then.
func (l *Ledger) replay(ctx context.Context, conn *pgx.Conn, t table, stamps []stamp) error {
	const sql = `
SELECT m.n, %s
FROM unnest($1::timestamptz[], $2::bigint[]) AS m (at, n)
JOIN %s AS t ON t.__start_at <= m.at AND (t.__end_at > m.at OR t.__end_at IS NULL)`
	at, numbers := make([]string, len(stamps)), make([]int64, len(stamps))
	for i, s := range stamps {
		at[i], numbers[i] = s.at, s.n
	}
	rows, err := conn.Query(ctx, fmt.Sprintf(sql, t.row("t"), ident(History, t.target())), at, numbers)
	if err != nil {
		return err
	}
	held := map[int64][]string{}
	var n int64
	var line string
	if _, err := pgx.ForEachRow(rows, []any{&n, &line}, func() error {
		held[n] = append(held[n], line)
		return nil
	}); err != nil {
		return err
	}
	for _, s := range stamps {
		if err := l.heldAt(t, s, held[s.n]); err != nil {
			return err
		}
	}
	return nil
}

func (l *Ledger) heldAt(t table, s stamp, got []string) error {
	slices.Sort(got)
	i, found := slices.BinarySearchFunc(l.history, s.n, func(st state, n int64) int { return int(st.n - n) })
	if !found {
		return nil // the source was away when its contents would have been read
	}
	if err := same(got, l.history[i].contents[t.sql()]); err != nil {
		return fmt.Errorf("as of transaction %d (%s): %w", s.n, s.at, err)
	}
	return nil
}

// shape tells what no history may have: versions that are empty, that overlap,
// that touch and say the same, or that begin or end at no commit. Of commits before
// the marker's own copy, which may come after that of another table where copies were
// interrupted, the marker knows nothing.
func shape(ctx context.Context, conn *pgx.Conn, t table) error {
	const sql = `
SELECT format('%%s: from %%s to %%s, next from %%s', line, __start_at, __end_at, next_start)
FROM (
  SELECT %s AS line, __start_at, __end_at,
    lead(__start_at) OVER versions AS next_start,
    lead(%[1]s) OVER versions AS next_line
  FROM %s AS t
  WINDOW versions AS (PARTITION BY %s ORDER BY __start_at)
) AS v
WHERE __end_at <= __start_at
   OR next_start IS NOT NULL AND (__end_at IS NULL OR __end_at > next_start)
   OR __end_at = next_start AND line = next_line
   OR __start_at NOT IN (SELECT __start_at FROM %s.marker) AND __start_at > (SELECT min(__start_at) FROM %[4]s.marker)
   OR __end_at NOT IN (SELECT __start_at FROM %[4]s.marker) AND __end_at > (SELECT min(__start_at) FROM %[4]s.marker)`
	return none(ctx, conn, fmt.Sprintf(sql, t.row("t"), ident(History, t.target()), list(t.keys, quoted), History))
}

// none demands that a query finds nothing.
func none(ctx context.Context, conn *pgx.Conn, sql string) error {
	found, err := lines(ctx, conn, sql)
	if err != nil || len(found) == 0 {
		return err
	}
	return fmt.Errorf("%d rows, the first:\n%s", len(found), found[0])
}

func same(got, want []string) error {
	if slices.Equal(got, want) {
		return nil
	}
	return fmt.Errorf("got only\n%s\nsource only\n%s", only(got, want), only(want, got))
}

// only returns the lines of a that b lacks.
func only(a, b []string) string {
	var out strings.Builder
	for _, line := range a {
		if !contains(b, line) {
			fmt.Fprintf(&out, "  %.400s\n", line)
		}
	}
	return out.String()
}

// contains looks into sorted lines.
func contains(sorted []string, line string) bool {
	_, found := slices.BinarySearch(sorted, line)
	return found
}
