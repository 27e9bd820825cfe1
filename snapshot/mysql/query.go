package mysql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/autocdc/autocdc/snapshot"
)

// Query runs one SELECT in the snapshot. The rows come as the server sends them;
// ctx bounds all of them. When it ends, or rows are closed before their end, the
// query is ended at the server too. The caller closes the rows.
func (c *Conn) Query(ctx context.Context, sql string) (snapshot.Rows, error) {
	rows, err := c.query(ctx, sql, unlimited)
	if err != nil {
		return nil, err
	}
	return rows, nil // not rows itself: a nil *rows would be Rows that are not nil
}

// Describe gives the columns of a query without reading what it returns. A query
// with a LIMIT of its own is begun and ended.
func (c *Conn) Describe(ctx context.Context, sql string) ([]snapshot.Column, error) {
	rows, err := c.query(ctx, sql, "0")
	if err != nil {
		return nil, err
	}
	return rows.Columns(), rows.Close()
}

// query sets the limit each time, so that none can be left from before.
func (c *Conn) query(ctx context.Context, sql, limit string) (*rows, error) {
	if err := c.exec(ctx, "SET SESSION sql_select_limit = "+limit); err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	r := &rows{conn: c, done: ctx.Done()}
	ctx, cancel := context.WithCancel(ctx)
	r.cancel = cancel
	if err := r.start(ctx, sql); err != nil {
		cancel()
		return nil, fmt.Errorf("query: %w", err)
	}
	c.rows = r
	return r, nil
}

// start sends the query as a prepared statement: only then do numbers come as
// they are stored.
func (r *rows) start(ctx context.Context, sql string) error {
	stmt, err := r.conn.conn.(driver.ConnPrepareContext).PrepareContext(ctx, sql)
	if err != nil {
		r.conn.note(ctx, err)
		return r.conn.explain(err)
	}
	r.stmt = stmt
	if stmt.NumInput() != 0 {
		return errors.Join(errors.New("a question mark outside of quotes stands for a parameter, and there is none"), stmt.Close())
	}
	if r.driver, err = stmt.(driver.StmtQueryContext).QueryContext(ctx, nil); err != nil {
		r.conn.note(ctx, err)
		return errors.Join(r.conn.explain(err), stmt.Close())
	}
	if err := r.describe(); err != nil {
		return errors.Join(err, r.end())
	}
	return nil
}

var (
	errNoQuery = errors.New("the statement is no query: it returns no columns")
	errSeveral = errors.New("the statement returns more than the rows of one query")
)

// describe maps the columns.
func (r *rows) describe() error {
	all, err := fields(r.driver)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		r.conn.broken = errNoQuery // whatever it did instead
		return errNoQuery
	}
	names := map[string]bool{}
	for _, f := range all {
		column, convert, err := f.column()
		if err != nil {
			return err
		}
		if names[f.name] {
			return &HintError{
				Err:  fmt.Errorf("the query returns two columns named %q", f.name),
				Hint: "name them: SELECT a.id AS a_id, b.id AS b_id",
			}
		}
		names[f.name] = true
		r.columns = append(r.columns, column)
		r.convert = append(r.convert, convert)
	}
	r.raw = make([]driver.Value, len(all))
	r.values = make([][]byte, len(all))
	r.text = make([]byte, 0, 1024) // never nil: a part of it that is empty is no null
	return nil
}
