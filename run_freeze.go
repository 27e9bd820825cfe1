package autocdc

import (
	"context"
	"fmt"
	"strings"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/snapshot"
)

// freeze locks tables against TRUNCATE and rewrites, as reading them does, and
// tells which were truncated or rewritten since the snapshot was taken: to a
// snapshot from before, such a table looks empty. It waits for a lock for less
// than the server's deadlock_timeout, so that it is never the user who is
// cancelled.
func freeze(ctx context.Context, conn *snapshot.Conn, flows []*merge.Flow) ([]string, error) {
	var locks []string
	for _, f := range flows {
		locks = append(locks, lockable(f.Rel))
	}
	c := conn.Conn()
	if _, err := c.Exec(ctx, "SET LOCAL lock_timeout = '500ms'"); err != nil {
		return nil, fmt.Errorf("set lock_timeout: %w", err)
	}
	if _, err := c.Exec(ctx, "LOCK TABLE "+strings.Join(locks, ", ")+" IN ACCESS SHARE MODE"); err != nil {
		return nil, fmt.Errorf("lock tables to be copied: %w", err)
	}
	return conn.Rewritten(ctx)
}

// lockable names a table as LOCK TABLE takes it: partitions with their root.
func lockable(rel *schema.Relation) string {
	if rel.Kind == 'p' {
		return rel.Name.String()
	}
	return "ONLY " + rel.Name.String()
}
