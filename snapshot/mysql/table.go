package mysql

import (
	"context"
	"fmt"

	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/snapshot"
)

// Table is what a source's table looks like from Postgres. Key are the columns of
// its primary key in their order; none if there is none.
type Table struct {
	Columns []snapshot.Column
	Key     []string
}

// Table describes a table or view of a database; an empty database is that of the
// DSN.
func (c *Conn) Table(ctx context.Context, database, table string) (Table, error) {
	name := schema.Name{Schema: database, Name: table} // quotes by ", as the session understands
	columns, err := c.Describe(ctx, "SELECT * FROM "+name.String())
	if err != nil {
		return Table{}, fmt.Errorf("describe table %s: %w", name, err)
	}
	key, err := c.key(ctx, database, table)
	if err != nil {
		return Table{}, fmt.Errorf("describe table %s: read primary key: %w", name, err)
	}
	return Table{Columns: columns, Key: key}, nil
}

func (c *Conn) key(ctx context.Context, database, table string) ([]string, error) {
	in := literal(database)
	if database == "" {
		in = "DATABASE()"
	}
	rows, err := c.values(ctx, `SELECT COLUMN_NAME FROM information_schema.STATISTICS
		WHERE TABLE_SCHEMA = `+in+` AND TABLE_NAME = `+literal(table)+` AND INDEX_NAME = 'PRIMARY'
		ORDER BY SEQ_IN_INDEX`)
	if err != nil {
		return nil, err
	}
	var key []string
	for _, row := range rows {
		key = append(key, row[0])
	}
	return key, nil
}
