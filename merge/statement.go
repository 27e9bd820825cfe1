package merge

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/autocdc/autocdc/merge/sqlgen"
	"github.com/autocdc/autocdc/schema"
)

// run executes statements of a target in order; one round trip if they have no
// parameters.
func (a *Applier) run(ctx context.Context, t *target, v sqlgen.Variant, args []any, names ...string) error {
	sqls := make([]string, len(names))
	for i, name := range names {
		sql, err := a.gen.Statement(name, t.table, v)
		if err != nil {
			return err
		}
		sqls[i] = sql
	}
	if _, err := a.conn.Exec(ctx, strings.Join(sqls, ";\n"), args...); err != nil {
		return fmt.Errorf("merge into %s: %w", t.Name, err)
	}
	return nil
}

// large tells whether so many events are worth a look at some of them first.
func large(events int64) bool { return events >= 1000 }

// ready makes the session's temporary tables of a target at its first batch.
func (a *Applier) ready(ctx context.Context, t *target) error {
	if t.staged {
		return nil
	}
	ddl, err := a.gen.EventTables(t.table)
	if err != nil {
		return err
	}
	if _, err := a.conn.Exec(ctx, strings.Join(ddl, ";\n")); err != nil {
		return fmt.Errorf("make stage of %s: %w", t.Name, err)
	}
	a.mark(&t.staged)
	return nil
}

// readyFold makes those for late keys.
func (a *Applier) readyFold(ctx context.Context, t *target) error {
	if t.folds {
		return nil
	}
	ddl, err := a.gen.FoldTables(t.table)
	if err != nil {
		return err
	}
	if _, err := a.conn.Exec(ctx, strings.Join(ddl, ";\n")); err != nil {
		return fmt.Errorf("make fold of %s: %w", t.Name, err)
	}
	a.mark(&t.folds)
	return nil
}

// copyIn copies text rows into a table.
func (a *Applier) copyIn(ctx context.Context, table schema.Name, columns []string, data []byte) (int64, error) {
	tag, err := a.conn.PgConn().CopyFrom(ctx, bytes.NewReader(data), copySQL(table, columns))
	if err != nil {
		return 0, fmt.Errorf("stage rows: %w", err)
	}
	return tag.RowsAffected(), nil
}

func copySQL(table schema.Name, columns []string) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = schema.Ident(c).String()
	}
	return fmt.Sprintf("COPY %s (%s) FROM STDIN", table, strings.Join(names, ", "))
}

// mark notes that something of the session was made in this transaction.
func (a *Applier) mark(flag *bool) {
	*flag = true
	a.made = append(a.made, flag)
}
