package merge

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge/sqlgen"
	"github.com/autocdc/autocdc/schema"
)

// query compares what an append flow's query gives with the target.
func (c *checker) query(ctx context.Context, f *Flow) error {
	columns, err := f.Describe(ctx, c.conn)
	var wrong *QueryError
	if errors.As(err, &wrong) {
		c.faults = append(c.faults, Fault{Flow: f.Name, Clause: "INSERT INTO", Offset: wrong.Offset, Message: wrong.Error(), Hint: wrong.Hint()})
		return nil
	}
	if err != nil {
		return err
	}
	if err := c.expectations(ctx, f, sqlgen.NoColumns(statementColumns(columns))); err != nil {
		return err
	}
	have, err := readColumns(ctx, c.conn, f.Target.Name)
	if err != nil {
		return err
	}
	for _, column := range columns {
		at := f.Target.columnIndex(column.Name)
		if at < 0 {
			continue
		}
		if err := c.given(ctx, f, column, f.Target.Columns[at].Type, have[column.Name].Type); err != nil {
			return err
		}
	}
	return nil
}

// given compares a column of a query with what the target's has to be, and with what
// it is, if there is one.
func (c *checker) given(ctx context.Context, f *Flow, column Column, wanted, has string) error {
	to, deployed := wanted, false
	takes, err := assignable(ctx, c.conn, column.Type, wanted)
	if err == nil && takes && has != "" {
		to, deployed = has, true
		takes, err = assignable(ctx, c.conn, column.Type, has)
	}
	if err != nil || takes {
		return err
	}
	fault := Fault{
		Flow: f.Name, Clause: "INSERT INTO", Offset: -1, Redefined: deployed,
		Message: fmt.Sprintf("column %q of the query is of type %s, that of the target is %s", column.Name, column.Type, to),
		Hint:    fmt.Sprintf("write CAST(… AS %s) AS %s in the query", to, schema.Ident(column.Name)),
	}
	if deployed {
		fault.Hint += "; or " + refreshHint(f.Target.Name)
	}
	c.faults = append(c.faults, fault)
	return nil
}

// explainAppend renders the definitions and the statement of an append flow.
func (f *Flow) explainAppend(gen *sqlgen.Generator, table *sqlgen.Table) (ddl, statements []string, err error) {
	if ddl, err = gen.Create(table); err != nil {
		return nil, nil, err
	}
	var sql string
	if f.Query != nil {
		if statements, err = f.explainExpect(gen, f.query(table, 0)); err != nil {
			return nil, nil, err
		}
		sql, err = gen.Append(f.query(table, 0), false)
	} else {
		t := &target{Target: f.Target, table: table}
		sql, err = gen.Compare("append_staged", t.snapshot(&Staged{Flow: f, stage: sqlgen.SnapshotStage(table.Meta, "0")}))
	}
	return ddl, append(statements, sql), err
}

// assignable tells whether INSERT casts a value of one type to that of a column, as
// it does where types are the same, to text, and where a cast says so, also of the
// elements of arrays.
func assignable(ctx context.Context, conn *pgx.Conn, from, to string) (yes bool, err error) {
	if from == to {
		return true, nil
	}
	const query = `WITH RECURSIVE pair (s, t) AS (
  SELECT CAST(to_regtype($1) AS oid), CAST(to_regtype($2) AS oid)
  UNION
  SELECT CASE WHEN a.typtype = 'd' THEN a.typbasetype WHEN b.typtype = 'd' THEN a.oid ELSE a.typelem END,
    CASE WHEN b.typtype = 'd' THEN b.typbasetype WHEN a.typtype = 'd' THEN b.oid ELSE b.typelem END
  FROM pair AS p JOIN pg_type AS a ON a.oid = p.s JOIN pg_type AS b ON b.oid = p.t
  WHERE a.typtype = 'd' OR b.typtype = 'd' OR a.typcategory = 'A' AND b.typcategory = 'A'
)
SELECT EXISTS (
  SELECT FROM pair AS p
  WHERE p.s = p.t
    OR EXISTS (SELECT FROM pg_type AS b WHERE b.oid = p.t AND b.typcategory = 'S')
    OR EXISTS (SELECT FROM pg_cast AS c WHERE c.castsource = p.s AND c.casttarget = p.t AND c.castcontext IN ('a', 'i'))
)`
	if err := conn.QueryRow(ctx, query, from, to).Scan(&yes); err != nil {
		return false, fmt.Errorf("look for a cast from %s to %s: %w", from, to, err)
	}
	return yes, nil
}
