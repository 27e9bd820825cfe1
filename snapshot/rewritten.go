package snapshot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// RewrittenError says which tables were truncated, rewritten or made after a
// snapshot was taken. To that snapshot they look empty, since TRUNCATE and the
// rewrites of ALTER TABLE are not kept from older snapshots.
// https://www.postgresql.org/docs/current/mvcc-caveats.html
type RewrittenError struct{ Tables []string }

// Error names the tables.
func (e *RewrittenError) Error() string {
	return strings.Join(e.Tables, ", ") + " was truncated or rewritten after the snapshot was taken"
}

// Retryable tells whether a newer snapshot helps.
func Retryable(err error) bool {
	var rewritten *RewrittenError
	return errors.As(err, &rewritten)
}

// rewrittenQuery goes through the tables that the transaction has a lock on, which
// are those that it has read: pg_class shows the storage that the snapshot knows,
// the function today's. A relfilenode of 0 is that of a catalog.
const rewrittenQuery = `
SELECT DISTINCT l.relation::regclass::text
FROM pg_locks AS l
LEFT JOIN pg_class AS c ON c.oid = l.relation
WHERE l.pid = pg_backend_pid()
  AND l.locktype = 'relation'
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (c.oid IS NULL OR c.relkind IN ('r', 'm') AND c.relfilenode <> 0)
  AND c.relfilenode IS DISTINCT FROM pg_relation_filenode(l.relation)
ORDER BY 1`

// Rewritten lists the tables locked or read so far whose storage is not the one that
// the snapshot knows. While the transaction lasts nobody can rewrite them any more.
func (c *Conn) Rewritten(ctx context.Context) ([]string, error) {
	rows, err := c.conn.Query(ctx, rewrittenQuery)
	if err != nil {
		return nil, fmt.Errorf("look for rewritten tables: %w", err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("look for rewritten tables: %w", err)
	}
	return tables, nil
}

func (c *Conn) intact(ctx context.Context) error {
	tables, err := c.Rewritten(ctx)
	if err == nil && len(tables) > 0 {
		err = &RewrittenError{tables}
	}
	return err
}
