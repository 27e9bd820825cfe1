package snapshot

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/schema/catalog"
)

// Conn is a connection inside a snapshot. For one goroutine.
type Conn struct{ conn *pgx.Conn }

// Open connects and takes the named snapshot in a read-only transaction, which
// lasts until Close whatever becomes of the exporting session. Rows that row
// security would hide make queries fail instead of vanish. An empty name takes a
// snapshot of its own.
func Open(ctx context.Context, dsn, snapshot string) (*Conn, error) {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("open snapshot: read dsn: %w", err)
	}
	pin(&cfg.Config)
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open snapshot: %w", err)
	}
	c := &Conn{conn: conn}
	if err := c.begin(ctx, snapshot); err != nil {
		_ = c.Close() // the error before is the one to tell
		return nil, fmt.Errorf("open snapshot %q: %w", snapshot, err)
	}
	return c, nil
}

// pin adds to the settings of every connection those of long reads: one order of
// rows (the physical one) however often a table is read, and no rows left out.
func pin(cfg *pgconn.Config) {
	catalog.Pin(cfg)
	cfg.RuntimeParams["synchronize_seqscans"] = "off"
	cfg.RuntimeParams["max_parallel_workers_per_gather"] = "0"
	cfg.RuntimeParams["row_security"] = "off"
}

func (c *Conn) begin(ctx context.Context, snapshot string) error {
	if _, err := c.conn.Exec(ctx, "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"); err != nil {
		return err
	}
	sql := "SELECT 1" // takes the snapshot now, not at the first COPY
	if snapshot != "" {
		sql = "SET TRANSACTION SNAPSHOT " + schema.Literal(snapshot)
	}
	_, err := c.conn.Exec(ctx, sql)
	return err
}

// Rest ends the transaction, also one in which a query failed, so that the server
// need not keep what the snapshot shows. The connection stays, for Renew.
func (c *Conn) Rest(ctx context.Context) error {
	if c.conn.PgConn().TxStatus() == 'I' {
		return nil
	}
	if _, err := c.conn.Exec(ctx, "ROLLBACK"); err != nil {
		return fmt.Errorf("end snapshot: %w", err)
	}
	return nil
}

// Renew takes the named snapshot, or one of its own, instead of the one before.
func (c *Conn) Renew(ctx context.Context, snapshot string) error {
	if err := c.Rest(ctx); err != nil {
		return err
	}
	if err := c.begin(ctx, snapshot); err != nil {
		return fmt.Errorf("open snapshot %q: %w", snapshot, err)
	}
	return nil
}

// CopyTo runs a COPY … TO STDOUT and writes what the server sends to w, as it
// comes. It returns the number of rows. If w fails or ctx ends, the query is
// cancelled at the server and the connection is of no further use. If a table that
// was read is not as the snapshot knows it, what has been written is worthless, and
// the error is a *RewrittenError.
func (c *Conn) CopyTo(ctx context.Context, query string, w io.Writer) (int64, error) {
	tag, err := c.conn.PgConn().CopyTo(ctx, w, query)
	if err != nil {
		return 0, fmt.Errorf("copy from the source: %w", err)
	}
	if err := c.intact(ctx); err != nil {
		return 0, fmt.Errorf("copy from the source: %w", err)
	}
	return tag.RowsAffected(), nil
}

// Conn gives the connection for other queries inside the snapshot.
func (c *Conn) Conn() *pgx.Conn { return c.conn }

// Close ends the transaction and the connection; a query that still runs at the
// server is cancelled.
func (c *Conn) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err := c.conn.Close(ctx)
	select {
	case <-c.conn.PgConn().CleanupDone():
	case <-ctx.Done():
	}
	if err != nil {
		return fmt.Errorf("close snapshot: %w", err)
	}
	return nil
}
