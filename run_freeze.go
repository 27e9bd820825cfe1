package autocdc

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/snapshot"
)

// rewrittenQuery finds tables whose storage is not the one that the snapshot
// knows: pg_class shows the snapshot's, the function today's.
const rewrittenQuery = `
WITH RECURSIVE copied AS (
	SELECT c.oid
	FROM unnest($1::text[], $2::text[]) AS w (nspname, relname)
	JOIN pg_namespace n ON n.nspname = w.nspname
	JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = w.relname
	UNION
	SELECT h.inhrelid FROM copied JOIN pg_inherits h ON h.inhparent = copied.oid
)
SELECT c.relname::text
FROM copied JOIN pg_class c USING (oid)
WHERE c.relkind = 'r' AND c.relfilenode IS DISTINCT FROM pg_relation_filenode(c.oid)`

// freeze locks tables against TRUNCATE and rewrites, as reading them does, and
// tells which were truncated or rewritten since the snapshot was taken: to a
// snapshot from before, such a table looks empty. It waits for a lock for less
// than the server's deadlock_timeout, so that it is never the user who is
// cancelled.
func freeze(ctx context.Context, conn *snapshot.Conn, flows []*merge.Flow) ([]string, error) {
	var schemas, names, locks []string
	for _, f := range flows {
		schemas, names = append(schemas, f.Rel.Name.Schema), append(names, f.Rel.Name.Name)
		locks = append(locks, lockable(f.Rel))
	}
	c := conn.Conn()
	if _, err := c.Exec(ctx, "SET LOCAL lock_timeout = '500ms'"); err != nil {
		return nil, fmt.Errorf("set lock_timeout: %w", err)
	}
	if _, err := c.Exec(ctx, "LOCK TABLE "+strings.Join(locks, ", ")+" IN ACCESS SHARE MODE"); err != nil {
		return nil, fmt.Errorf("lock tables to be copied: %w", err)
	}
	rows, err := c.Query(ctx, rewrittenQuery, schemas, names)
	if err != nil {
		return nil, fmt.Errorf("look for rewritten tables: %w", err)
	}
	rewritten, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("look for rewritten tables: %w", err)
	}
	return rewritten, nil
}

// lockable names a table as LOCK TABLE takes it: partitions with their root.
func lockable(rel *schema.Relation) string {
	if rel.Kind == 'p' {
		return rel.Name.String()
	}
	return "ONLY " + rel.Name.String()
}
