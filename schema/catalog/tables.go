package catalog

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/schema"
)

const tablesQuery = `
SELECT n.nspname::text, c.relname::text
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence = 'p'
	AND c.oid >= 16384 AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
	AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
ORDER BY 1, 2`

// Tables returns the user's tables that match one of the patterns, in order:
// plain ones and the roots of partitioned ones; not temporary or unlogged ones
// (no WAL carries them) and none that belongs to an extension. A pattern is
// schema.table, or table in any schema; * stands for any characters; names fold
// to lower case unless they are in double quotes, as psql's do. A pattern that
// matches nothing is an error.
func Tables(ctx context.Context, conn *pgx.Conn, patterns []string) ([]schema.Name, error) {
	parsed, err := parsePatterns(patterns)
	if err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, tablesQuery)
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[schema.Name])
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	return match(all, parsed)
}

func match(all []schema.Name, patterns []*pattern) ([]schema.Name, error) {
	var names []schema.Name
	for _, n := range all {
		found := false
		for _, p := range patterns {
			if p.matches(n) {
				p.used, found = true, true
			}
		}
		if found {
			names = append(names, n)
		}
	}
	for _, p := range patterns {
		if !p.used {
			return nil, fmt.Errorf("list tables: none matches %q", p.text)
		}
	}
	return names, nil
}
