package mysql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"github.com/go-sql-driver/mysql"

	"github.com/autocdc/autocdc/snapshot"
)

// rows is one running query.
type rows struct {
	conn    *Conn
	driver  driver.Rows
	stmt    driver.Stmt
	columns []snapshot.Column
	convert []converter

	raw    []driver.Value // the driver's, valid until its next row
	values [][]byte
	text   []byte // what the values are made of
	row    int64

	cancel context.CancelFunc
	done   <-chan struct{} // of the context that is watched
	unhook func() bool     // stops watching done

	err    error
	ended  bool // nothing more comes from the server
	closed bool
}

// Columns never change.
func (r *rows) Columns() []snapshot.Column { return r.columns }

// Values are valid until the next call of Next.
func (r *rows) Values() [][]byte { return r.values }

// Where names the row by its number, from 1.
func (r *rows) Where() string { return fmt.Sprintf("row %d of the query", r.row) }

// Err is what ended the stream, nil at its end.
func (r *rows) Err() error { return r.err }

// Next reads a row from the connection. A connection that breaks is an error.
func (r *rows) Next(ctx context.Context) bool {
	if r.ended || r.closed || r.err != nil {
		return false
	}
	r.watch(ctx)
	err := ctx.Err()
	if err == nil {
		err = r.driver.Next(r.raw)
	}
	switch {
	case err == nil:
		r.row++
		r.err = r.translate()
	case errors.Is(err, io.EOF):
		r.ended = true
		if more, ok := r.driver.(driver.RowsNextResultSet); ok && more.HasNextResultSet() {
			r.err = errSeveral
		}
	default:
		r.fail(ctx, err)
	}
	return r.err == nil && !r.ended
}

// watch makes the end of ctx end the wait for the server. The query's own is
// watched by the driver.
func (r *rows) watch(ctx context.Context) {
	if ctx.Done() == r.done {
		return
	}
	r.unwatch()
	r.done = ctx.Done()
	r.unhook = context.AfterFunc(ctx, r.cancel)
}

func (r *rows) unwatch() {
	if r.unhook != nil {
		r.unhook()
		r.unhook = nil
	}
}

func (r *rows) fail(ctx context.Context, err error) {
	var server *mysql.MySQLError
	r.ended = errors.As(err, &server) // the server has said its last word
	if ctx.Err() != nil {
		r.cancel() // for the driver to give up the connection
	}
	r.conn.note(ctx, err)
	r.err = fmt.Errorf("read after row %d of the query: %w", r.row, r.conn.explain(err))
}

// translate makes text of the driver's values.
func (r *rows) translate() error {
	r.text = r.text[:0]
	for i, v := range r.raw {
		if v == nil {
			r.values[i] = nil
			continue
		}
		start := len(r.text)
		text, err := r.convert[i](r.text, v)
		if err != nil {
			return fmt.Errorf("%s: column %q: %w", r.Where(), r.columns[i].Name, err)
		}
		r.text = text
		r.values[i] = text[start:len(text):len(text)]
	}
	return nil
}

// Close ends the query at the server if rows are left, and frees the connection
// for the next one.
func (r *rows) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	r.unwatch()
	defer r.cancel()
	if r.conn.rows == r {
		r.conn.rows = nil
	}
	return r.end()
}

// end gets over what the server still sends.
func (r *rows) end() error {
	if r.conn.useless() {
		return nil // as Next has reported
	}
	if r.ended {
		return errors.Join(r.driver.Close(), r.stmt.Close())
	}
	r.ended = true
	if err := r.conn.killQuery(); err != nil { // reading the rest might take days
		r.conn.broken = fmt.Errorf("a query was left: %w", err)
		return r.conn.conn.Close()
	}
	err := r.driver.Close()
	if isKilled(err) {
		return r.stmt.Close()
	}
	if err == nil { // it had ended by itself; the kill waits for the next statement
		err = r.conn.settle()
	}
	return errors.Join(err, r.stmt.Close())
}

// settle takes a kill that came too late.
func (c *Conn) settle() error {
	ctx, cancel := context.WithTimeout(context.Background(), killTimeout)
	defer cancel()
	_, err := c.conn.(driver.ExecerContext).ExecContext(ctx, "DO 0", nil)
	if isKilled(err) {
		return nil
	}
	return err
}

// isKilled knows ER_QUERY_INTERRUPTED.
func isKilled(err error) bool {
	var server *mysql.MySQLError
	return errors.As(err, &server) && server.Number == 1317
}
