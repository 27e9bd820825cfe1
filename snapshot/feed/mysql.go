package feed

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/autocdc/autocdc/snapshot"
	"github.com/autocdc/autocdc/snapshot/mysql"
	"github.com/autocdc/autocdc/snapshot/query"
)

// MySQL runs queries at a MySQL or MariaDB source, in its SQL.
type MySQL struct {
	dsn  string
	conn *mysql.Conn // nil until it is needed
}

// NewMySQL connects to nothing yet.
func NewMySQL(dsn string) *MySQL { return &MySQL{dsn: dsn} }

// IsMySQL tells by a DSN whether its server is one.
func IsMySQL(dsn string) bool {
	return strings.HasPrefix(dsn, "mysql://") || strings.HasPrefix(dsn, "mariadb://")
}

// Names implements Place: the source's name goes.
func (m *MySQL) Names(q *query.Query) []query.Edit { return withoutSource(q) }

// Begin implements Place: a snapshot is a connection.
func (m *MySQL) Begin(ctx context.Context) (now time.Time, err error) {
	if err := m.Close(); err != nil {
		return now, err
	}
	if m.conn, err = mysql.Open(ctx, m.dsn); err != nil {
		m.conn = nil
		return now, err
	}
	return m.conn.Now(ctx)
}

func (m *MySQL) ready(ctx context.Context) error {
	if m.conn != nil {
		return nil
	}
	_, err := m.Begin(ctx)
	return err
}

// End implements Place.
func (m *MySQL) End() { _ = m.Close() } // nothing was written

// Close implements Place.
func (m *MySQL) Close() error {
	if m.conn == nil {
		return nil
	}
	err := m.conn.Close()
	m.conn = nil
	return err
}

// Describe implements Place.
func (m *MySQL) Describe(ctx context.Context, q Rendered) ([]Column, error) {
	if err := m.ready(ctx); err != nil {
		return nil, err
	}
	defer m.End()
	found, err := m.conn.Describe(ctx, q.SQL())
	columns := make([]Column, len(found))
	for i, c := range found {
		columns[i] = Column{Column: c, Own: c.Type}
	}
	return columns, err
}

// First implements Place.
func (m *MySQL) First(ctx context.Context, q Rendered, n int) ([][]*string, error) {
	if err := m.ready(ctx); err != nil {
		return nil, err
	}
	defer m.End()
	rows, err := m.conn.Query(ctx, q.SQL())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out [][]*string
	for len(out) < n && rows.Next(ctx) {
		out = append(out, texts(rows.Values()))
	}
	return out, rows.Err()
}

func texts(values [][]byte) []*string {
	row := make([]*string, len(values))
	for i, v := range values {
		if v != nil {
			text := string(v)
			row[i] = &text
		}
	}
	return row
}

// Literal implements Place. What is compared with it decides its type there.
func (m *MySQL) Literal(text *string, own string) string {
	switch {
	case text == nil:
		return "NULL"
	case strings.HasPrefix(own, "numeric") || own == "bigint" || own == "integer" || own == "smallint":
		return *text
	}
	return "'" + strings.ReplaceAll(*text, "'", "''") + "'"
}

// Row implements Place.
func (m *MySQL) Row(list string, exists bool) string {
	if exists {
		return "(SELECT " + list + " FROM DUAL)"
	}
	return "(SELECT " + list + " FROM DUAL WHERE 1 = 0)"
}

// Fill implements Place.
func (m *MySQL) Fill(ctx context.Context, q Rendered, stage Stage) (int64, error) {
	if err := m.ready(ctx); err != nil {
		return 0, err
	}
	rows, err := m.conn.Query(ctx, q.SQL())
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	at, err := find(q.Query, rows.Columns(), stage.Columns())
	if err != nil {
		return 0, err
	}
	return stage.Copy(ctx, func(ctx context.Context, w io.Writer) error {
		_, err := snapshot.WriteText(ctx, rows, at, w)
		return err
	})
}

// find gives the places of the stage's columns among those of rows.
func find(q *query.Query, have []snapshot.Column, want []string) ([]int, error) {
	var at []int
	for _, name := range want {
		i := -1
		for j, c := range have {
			if c.Name == name {
				i = j
			}
		}
		if i < 0 {
			return nil, fault(q, "end the run and start it again, so that it looks at the columns anew", "column %q is gone", name)
		}
		at = append(at, i)
	}
	return at, nil
}

// Retryable tells of errors that only reading snapshots gives whether they may go
// away by themselves.
func Retryable(err error) bool { return errors.Is(err, mysql.ErrLost) || snapshot.Retryable(err) }
