package replication

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// markPrefix is that of the logical messages that Mark commits.
const markPrefix = "autocdc place"

// Mark commits a transaction that does nothing but leave a message in the WAL: the
// Reader hands it over as a transaction without changes, at its place among the
// others. conn is an ordinary connection to the source; any role may do it.
func Mark(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, "SELECT pg_catalog.pg_logical_emit_message(true, $1, '')", markPrefix); err != nil {
		return fmt.Errorf("mark a place in the WAL: %w", err)
	}
	return nil
}

// logical reads a logical message. Those of others mean nothing here.
func (d *decoder) logical(c *cursor) error {
	c.u8()  // flags: whether it belongs to a transaction
	c.u64() // its position
	prefix := c.str()
	c.take(int(c.u32()))
	if err := c.end(); err != nil {
		return err
	}
	if prefix == markPrefix {
		d.out.mark()
	}
	return nil
}
