package merge

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/merge/sqlgen"
)

// Query is a query over the rows of a feed: that of an append flow, or of a view.
type Query struct {
	SQL string
	// Start and End bound, in bytes, the relation that stands for the feed.
	Start, End int
	Named      bool     // the query gives it an alias; otherwise it is called as the table
	Rows       []string // those of __op, __lsn, __commit_ts, __xid that the query mentions
}

// QueryError says what Postgres has against a query.
type QueryError struct {
	Offset int // in bytes from the start of the query; -1 where unknown
	Err    error
}

func (e *QueryError) Error() string {
	var pg *pgconn.PgError
	if errors.As(e.Err, &pg) {
		return pg.Message
	}
	return e.Err.Error()
}

// Hint says what Postgres advises.
func (e *QueryError) Hint() string {
	var pg *pgconn.PgError
	if errors.As(e.Err, &pg) {
		return pg.Hint
	}
	return ""
}

// Unwrap returns the cause.
func (e *QueryError) Unwrap() error { return e.Err }

// errNotRowwise says that a query makes rows of none.
var errNotRowwise = errors.New("the query gives rows where its STREAM has none, so that each batch would give them")

// Describe lets the target tell the columns that an append flow's query gives, and
// makes sure that it gives no rows where the feed has none. It changes nothing. A
// *QueryError is the query's own fault.
func (f *Flow) Describe(ctx context.Context, conn *pgx.Conn) ([]Column, error) {
	columns, err := f.describe(ctx, conn)
	if err != nil {
		return nil, err
	}
	e := f.Query.over(f.noFeed())
	var rows bool
	err = pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, "SELECT EXISTS ("+e.sql+")").Scan(&rows)
	})
	switch {
	case err != nil:
		return nil, e.fault(err)
	case rows:
		return nil, &QueryError{Offset: -1, Err: errNotRowwise}
	}
	return columns, nil
}

func (f *Flow) describe(ctx context.Context, conn *pgx.Conn) ([]Column, error) {
	return f.Query.describe(ctx, conn, f.noFeed())
}

// describe tells the columns that the query gives over a relation.
func (q *Query) describe(ctx context.Context, conn *pgx.Conn, relation string) (columns []Column, err error) {
	e := q.over(relation)
	desc, err := conn.PgConn().Prepare(ctx, "", e.sql, nil)
	if err != nil {
		return nil, e.fault(err)
	}
	for _, field := range desc.Fields {
		c := Column{Name: field.Name}
		if err := conn.QueryRow(ctx, "SELECT format_type($1, $2)", field.DataTypeOID, field.TypeModifier).Scan(&c.Type); err != nil {
			return nil, fmt.Errorf("name type of column %q: %w", c.Name, err)
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// emptyQuery is a query over no rows.
type emptyQuery struct {
	*Query
	relation, sql string
}

const emptyHead = "SELECT * FROM ("

func (q *Query) over(relation string) emptyQuery {
	return emptyQuery{q, relation, emptyHead + q.SQL[:q.Start] + relation + q.SQL[q.End:] + "\n) AS q"}
}

// noFeed is the relation that stands for the flow's feed, with no rows in it.
func (f *Flow) noFeed() string { return noRows(f.relation(), f.rowColumns(), *f.Query) }

// fault finds the place of an error in the query.
func (e emptyQuery) fault(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || retryableState(pg.Code) {
		return fmt.Errorf("describe query: %w", err)
	}
	at := offsetIn(e.sql, emptyHead, e.sql, int(pg.Position))
	switch {
	case at < e.Start:
	case at < e.Start+len(e.relation):
		at = e.Start
	default:
		at -= len(e.relation) - (e.End - e.Start)
	}
	if at > len(e.SQL) {
		at = -1
	}
	return &QueryError{Offset: at, Err: err}
}

// query is the append flow as the statements see it; table is its target's.
func (f *Flow) query(table *sqlgen.Table, id int) *sqlgen.Flow {
	s := &sqlgen.Flow{Table: table, Name: f.Name, ID: id, Relation: f.relation(), Sources: f.Columns, Expectations: expectations(f.Expectations)}
	s.RawColumns, s.RowColumns, s.Views = f.rawColumns(), statementColumns(f.rowColumns()), f.views()
	if q := f.Query; q != nil {
		s.Head, s.Tail, s.Named, s.Rows = q.SQL[:q.Start], q.SQL[q.End:], q.Named, q.Rows
	}
	return s
}
