package merge

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/autocdc/autocdc/merge/sqlgen"
	"github.com/autocdc/autocdc/schema"
)

// Filler brings rows into the stage of a snapshot, within the transaction of
// Comparer.Stage.
type Filler struct {
	a      *Applier
	staged *Staged
	plan   sqlgen.Snapshot
}

// Columns are those that the rows must have, in order.
func (f Filler) Columns() []string { return namesOf(f.plan.Carried) }

// Copy takes rows in COPY's text format, which read writes.
func (f Filler) Copy(ctx context.Context, read func(ctx context.Context, w io.Writer) error) (int64, error) {
	return f.a.pipe(ctx, "", copySQL(f.staged.stage, f.Columns())+" WITH (FREEZE)", ignoring(read))
}

// Types are those of the columns, as the server numbers them.
func (f Filler) Types(ctx context.Context) ([]uint32, error) {
	const query = `SELECT array_agg(a.atttypid ORDER BY u.n)
FROM unnest($2::text[]) WITH ORDINALITY AS u (name, n)
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = CAST($1 AS regclass) AND a.attname = u.name`
	var types []uint32
	if err := f.a.conn.QueryRow(ctx, query, f.staged.stage.String(), f.Columns()).Scan(&types); err != nil {
		return nil, fmt.Errorf("read types of the stage: %w", err)
	}
	return types, nil
}

// CopyBinary is Copy for COPY's binary format.
func (f Filler) CopyBinary(ctx context.Context, read func(ctx context.Context, w io.Writer) error) (int64, error) {
	return f.a.pipe(ctx, "", copySQL(f.staged.stage, f.Columns())+" WITH (FREEZE, FORMAT binary)", ignoring(read))
}

// Insert takes the rows of a query, which runs on the target.
func (f Filler) Insert(ctx context.Context, query string) (int64, error) {
	tag, err := f.a.conn.Exec(ctx, fmt.Sprintf("INSERT INTO %s\n%s", f.staged.stage, query))
	if err != nil {
		return 0, fmt.Errorf("stage rows of the query: %w", err)
	}
	return tag.RowsAffected(), nil
}

// Load makes a temporary table for Insert's query to read, until the stage is
// full, and fills it with rows in COPY's text format.
func (f Filler) Load(ctx context.Context, name string, columns []Column, read func(ctx context.Context, w io.Writer) error) (int64, error) {
	table := schema.Name{Schema: "pg_temp", Name: name}
	defs, names := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		defs[i], names[i] = schema.Ident(c.Name).String()+" "+c.Type, c.Name
	}
	if _, err := f.a.conn.Exec(ctx, fmt.Sprintf("CREATE TEMP TABLE %s (%s) ON COMMIT DROP", table, strings.Join(defs, ", "))); err != nil {
		return 0, fmt.Errorf("make table for rows: %w", err)
	}
	return f.a.pipe(ctx, "", copySQL(table, names), ignoring(read))
}

// ignoring makes a reader of what needs no query.
func ignoring(read func(ctx context.Context, w io.Writer) error) reader {
	return func(ctx context.Context, _ string, w io.Writer) error { return read(ctx, w) }
}
