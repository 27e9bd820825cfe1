package conformance_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/test/conformance"
	"github.com/autocdc/autocdc/test/model"
)

// table is a set of rows as the target's text, sorted.
type table struct {
	columns []string
	rows    []string
}

// columnsOf returns the columns in which a target is compared.
func columnsOf(c conformance.Case) []string {
	columns := slices.Clone(c.TargetColumns)
	if c.Kind != model.SCD1 {
		columns = append(columns, model.StartAt, model.EndAt)
	}
	if c.Kind == model.Bitemporal {
		columns = append(columns, model.SystemStartAt, model.SystemEndAt)
	}
	return columns
}

// actual reads a target.
func actual(ctx context.Context, conn *pgx.Conn, c conformance.Case) (table, error) {
	columns := columnsOf(c)
	sql := fmt.Sprintf("SELECT row(%s)::text FROM %s", casts(columns, nil), ident(targetSchema, tableName(c)))
	return query(ctx, conn, columns, sql)
}

// expected lets the target's Postgres write the model's rows in its own text,
// each value in the type of the target's column.
func expected(ctx context.Context, conn *pgx.Conn, c conformance.Case, rows []model.Row) (table, error) {
	columns := columnsOf(c)
	types, err := typesOf(ctx, conn, c)
	if err != nil {
		return table{}, err
	}
	lists := make([]any, len(columns))
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = fmt.Sprintf("$%d::text[]", i+1)
		lists[i] = texts(rows, column)
	}
	sql := fmt.Sprintf("SELECT row(%s)::text FROM unnest(%s) AS x (%s)", casts(columns, types), strings.Join(names, ", "), idents(columns))
	return query(ctx, conn, columns, sql, lists...)
}

// casts lists columns as text, by way of a type where there is one.
func casts(columns []string, types map[string]string) string {
	list := make([]string, len(columns))
	for i, column := range columns {
		list[i] = ident(column)
		if typ, ok := types[column]; ok {
			list[i] += "::" + typ
		}
		list[i] += "::text"
	}
	return strings.Join(list, ", ")
}

func texts(rows []model.Row, column string) []*string {
	list := make([]*string, len(rows))
	for i, row := range rows {
		if v := row[column]; v != nil {
			s := text(v)
			list[i] = &s
		}
	}
	return list
}

func typesOf(ctx context.Context, conn *pgx.Conn, c conformance.Case) (map[string]string, error) {
	const sql = `
SELECT attname, format_type(atttypid, atttypmod)
FROM pg_attribute
WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`
	rows, err := conn.Query(ctx, sql, ident(targetSchema, tableName(c)))
	if err != nil {
		return nil, err
	}
	types := map[string]string{}
	var name, typ string
	_, err = pgx.ForEachRow(rows, []any{&name, &typ}, func() error {
		types[name] = typ
		return nil
	})
	return types, err
}

func query(ctx context.Context, conn *pgx.Conn, columns []string, sql string, args ...any) (table, error) {
	rows, err := conn.Query(ctx, sql, args...)
	if err != nil {
		return table{}, err
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	slices.Sort(lines)
	return table{columns, lines}, err
}

// String shows the rows under each other.
func (t table) String() string {
	return fmt.Sprintf("  (%s)\n  %s", strings.Join(t.columns, ","), strings.Join(t.rows, "\n  "))
}

// compare says how a target differs from what the feed until now demands.
func compare(ctx context.Context, conn *pgx.Conn, c conformance.Case, rows []model.Row) error {
	got, err := actual(ctx, conn, c)
	if err != nil {
		return err
	}
	want, err := expected(ctx, conn, c, rows)
	if err != nil {
		return err
	}
	if slices.Equal(got.rows, want.rows) {
		return nil
	}
	return fmt.Errorf("expected\n%v\ngot\n%v", want, got)
}

// showFeed writes the batches of a case for people.
func showFeed(c conformance.Case) string {
	var out strings.Builder
	for i, b := range c.Feed {
		for _, e := range b.Events {
			fmt.Fprintf(&out, "  %d %-8s %v\n", i+1, e.Op, e.Values)
		}
	}
	return out.String()
}

func TestText_OfStructsAndNameLists(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]any{
		"(1,2)": []any{int64(1), int64(2)}, "{a,b}": []any{"a", "b"}, "{}": []any{}, "7": int64(7),
	} {
		if got := text(v); got != want {
			t.Errorf("text(%v) = %s, want %s", v, got, want)
		}
	}
}
