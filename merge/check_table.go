package merge

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/schema"
)

// isTable refuses views and what else may have the target's name.
func (c *checker) isTable(ctx context.Context, f *Flow) (bool, error) {
	var is bool
	err := c.conn.QueryRow(ctx, `SELECT relkind IN ('r', 'p') FROM pg_class WHERE oid = to_regclass($1)`, f.Target.Name.String()).Scan(&is)
	if err != nil {
		return false, fmt.Errorf("look at %s: %w", f.Target.Name, err)
	}
	if !is {
		c.add(f.Name, "target", fmt.Sprintf("%s exists and is no table", f.Target.Name), "give the target another name")
	}
	return is, nil
}

// primaryKey names the table's primary key, quoted; empty if there is none.
func (c *checker) primaryKey(ctx context.Context, f *Flow) (string, error) {
	var name string
	err := c.conn.QueryRow(ctx, `SELECT quote_ident(conname) FROM pg_constraint WHERE conrelid = to_regclass($1) AND contype = 'p'`, f.Target.Name.String()).Scan(&name)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", fmt.Errorf("read keys of %s: %w", f.Target.Name, err)
	}
	return name, nil
}

// unfilled refuses columns of the user's that no row of ours could do without.
func (c *checker) unfilled(ctx context.Context, f *Flow) error {
	const query = `SELECT attname FROM pg_attribute
WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attnotnull
  AND NOT atthasdef AND attidentity = '' AND attgenerated = ''
ORDER BY attnum`
	rows, err := c.conn.Query(ctx, query, f.Target.Name.String())
	if err != nil {
		return fmt.Errorf("read columns of %s: %w", f.Target.Name, err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("read columns of %s: %w", f.Target.Name, err)
	}
	for _, name := range names {
		if !slices.ContainsFunc(f.Target.AllColumns(), func(want Column) bool { return want.Name == name }) {
			c.add(f.Name, "target", fmt.Sprintf("table %s exists and its column %s must not be null, but no flow fills it", f.Target.Name, schema.Ident(name)),
				fmt.Sprintf("ALTER TABLE %s ALTER COLUMN %s DROP NOT NULL; or give it a default", f.Target.Name, schema.Ident(name)))
		}
	}
	return nil
}
