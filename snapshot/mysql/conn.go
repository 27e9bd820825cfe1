package mysql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/go-sql-driver/mysql"
)

// errBadConn is what the driver says of a connection that broke before.
var errBadConn = driver.ErrBadConn

// Conn is a connection inside a snapshot. For one goroutine, and for one query at
// a time: Rows are closed before anything else is asked.
type Conn struct {
	cfg    *mysql.Config
	log    *lostCause
	conn   driver.Conn
	server identity
	now    time.Time
	rows   *rows // open ones, nil without
	broken error // why the connection is of no further use
}

// Open connects by a URL like mysql://user:password@host:3306/database?tls=true
// (or mariadb://…) and takes a snapshot in a read-only transaction, which lasts
// until Close. Tables of engines without transactions are read as they are when
// they are read. Errors tell what to do about them by HintError, and hold no
// password.
func Open(ctx context.Context, dsn string) (*Conn, error) {
	cfg, err := parseDSN(dsn)
	if err != nil {
		return nil, fmt.Errorf("open snapshot: %w", err)
	}
	c := &Conn{cfg: cfg, log: &lostCause{}}
	cfg.Logger = c.log
	if c.conn, err = c.connect(ctx); err != nil {
		return nil, fmt.Errorf("open snapshot: %w", c.explain(err))
	}
	if err := c.begin(ctx); err != nil {
		_ = c.Close() // the error before is the one to tell
		return nil, fmt.Errorf("open snapshot: %w", err)
	}
	return c, nil
}

func (c *Conn) connect(ctx context.Context) (driver.Conn, error) {
	connector, err := mysql.NewConnector(c.cfg)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	return connector.Connect(ctx)
}

// Now is the server's clock, in UTC, when the snapshot was taken.
func (c *Conn) Now(context.Context) (time.Time, error) {
	return c.now, nil
}

// Close ends the transaction and the connection; a query that still runs at the
// server is cancelled.
func (c *Conn) Close() error {
	var err error
	if c.rows != nil {
		err = c.rows.Close()
	}
	return errors.Join(err, c.conn.Close())
}

// exec runs a statement that returns no rows.
func (c *Conn) exec(ctx context.Context, sql string) error {
	if err := c.idle(); err != nil {
		return err
	}
	_, err := c.conn.(driver.ExecerContext).ExecContext(ctx, sql, nil)
	if err != nil {
		c.note(ctx, err)
		return c.explain(err)
	}
	return nil
}

func (c *Conn) useless() bool { return c.broken != nil }

// idle says why the connection cannot be asked anything now.
func (c *Conn) idle() error {
	if c.broken != nil {
		return fmt.Errorf("connection ended before: %w", c.broken)
	}
	if c.rows != nil {
		return errors.New("rows of the query before are still open")
	}
	return nil
}

// note remembers an error that leaves the connection useless: any but what the
// server itself says. If ctx ended, what the server still does for us is ended
// too.
func (c *Conn) note(ctx context.Context, err error) {
	var server *mysql.MySQLError
	if errors.As(err, &server) {
		return
	}
	if v, ok := c.conn.(driver.Validator); ok && v.IsValid() && ctx.Err() == nil {
		return
	}
	if c.broken == nil {
		c.broken = c.explain(err)
		if ctx.Err() != nil || isContext(err) {
			c.killConnection()
		}
	}
}

func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
