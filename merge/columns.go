package merge

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/schema"
)

// tableColumn is a column as the target's catalog has it.
type tableColumn struct {
	Name   string
	AttNum int
	Type   string
}

// readColumns returns the columns of a table by name; none if it does not exist.
func readColumns(ctx context.Context, conn *pgx.Conn, name schema.Name) (map[string]tableColumn, error) {
	const query = `SELECT attname, attnum, format_type(atttypid, atttypmod)
FROM pg_attribute
WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`
	rows, err := conn.Query(ctx, query, name.String())
	if err != nil {
		return nil, fmt.Errorf("read columns of %s: %w", name, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[tableColumn])
	if err != nil {
		return nil, fmt.Errorf("read columns of %s: %w", name, err)
	}
	columns := map[string]tableColumn{}
	for _, c := range list {
		columns[c.Name] = c
	}
	return columns, nil
}

// fitColumns adds the columns that the target lacks and learns the places of all.
func (a *Applier) fitColumns(ctx context.Context, t *target, remembers bool) error {
	have, err := readColumns(ctx, a.conn, t.Name)
	if err != nil {
		return err
	}
	var missing []Column
	for _, c := range t.Columns {
		if _, ok := have[c.Name]; !ok {
			missing = append(missing, c)
		}
	}
	if len(missing) > 0 {
		if err := a.addColumns(ctx, t, missing, remembers); err != nil {
			return err
		}
		if have, err = readColumns(ctx, a.conn, t.Name); err != nil {
			return err
		}
	}
	t.place(have)
	return nil
}

func (t *target) place(have map[string]tableColumn) {
	t.bits, t.table.Bits = nil, 0
	for i := range t.table.Columns {
		at := have[string(t.table.Columns[i].Name)].AttNum - 1
		t.table.Columns[i].Index = at
		t.table.Bits = max(t.table.Bits, at+1)
		t.bits = append(t.bits, at)
	}
}

// addColumns adds nullable columns to the target and to what is shaped like it.
func (a *Applier) addColumns(ctx context.Context, t *target, columns []Column, remembers bool) error {
	var adds []string
	for _, c := range columns {
		adds = append(adds, fmt.Sprintf("ADD COLUMN IF NOT EXISTS %s %s", schema.Ident(c.Name), c.Type))
	}
	tables := []schema.Name{t.Name}
	if remembers {
		tables = append(tables, t.table.Shadow())
	}
	if t.staged {
		tables = append(tables, t.table.Events())
	}
	if t.folds {
		tables = append(tables, t.table.Fold())
	}
	for _, name := range tables {
		if _, err := a.conn.Exec(ctx, fmt.Sprintf("ALTER TABLE %s %s", name, strings.Join(adds, ", "))); err != nil {
			return fmt.Errorf("add columns to %s: %w", name, err)
		}
	}
	return nil
}
