package autocdc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
)

// lookForNulls is how long check looks for one null; of a table that takes longer
// it is the copy that finds out.
const lookForNulls = 3 * time.Second

// copied tells of which flows the first copy is done.
func copied(ctx context.Context, state *merge.State, pipeline string) (map[string]bool, error) {
	flows, err := state.Flows(ctx, pipeline)
	if err != nil {
		return nil, err
	}
	done := map[string]bool{}
	for _, f := range flows {
		done[f.Name] = f.Status != merge.NeedsCopy
	}
	return done, nil
}

// nulls looks for rows that would stop the first copy of a flow: with a null in
// the key of a feed, or in a column that is the sequence.
func (c *checker) nulls(ctx context.Context, src *sourceCatalog) error {
	for _, d := range c.decl.flows {
		t := src.tables[d.table]
		if d.source != src.name || t == nil || len(d.views) > 0 || drops(c.decl.tables[d.target]) || c.copied[d.name] || !d.opts.copy || !src.access[t.rel.OID].mayRead {
			continue
		}
		for _, id := range mustBeFilled(d) {
			if err := c.null(ctx, src.conn, d, t, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// needed is a column that every row has to fill, and the clause that says so.
type needed struct {
	name, clause string
	pos          flowsql.Pos
}

// mustBeFilled leaves keys out that are checked in the catalog, and those of flows
// some of whose events have none.
func mustBeFilled(d *flowDecl) []needed {
	var columns []needed
	if d.feed == merge.Stream && d.cdc.TruncateWhen == nil {
		for _, k := range d.cdc.Keys {
			columns = append(columns, needed{k.Name, "KEYS", k.Pos})
		}
	}
	if d.feed != merge.Snapshot && d.cdc.SequenceBy != nil {
		for _, f := range d.cdc.SequenceBy.Fields {
			columns = append(columns, needed{plainColumn(f), "SEQUENCE BY", f.Pos})
		}
	}
	return columns
}

// null looks for one, and gives up where that takes long.
func (c *checker) null(ctx context.Context, conn *pgx.Conn, d *flowDecl, t *sourceTable, id needed) error {
	i := t.rel.Column(id.name)
	if i < 0 || t.rel.Columns[i].NotNull {
		return nil
	}
	rows := fmt.Sprintf("%s WHERE %s IS NULL", t.rel.Name, schema.Ident(id.name))
	found, err := exists(ctx, conn, rows)
	if err == nil && found {
		c.add(id.pos, fmt.Sprintf("SELECT * FROM %s; shows them: fill the column, delete them, or leave all old rows out: WITH (copy = false)", rows),
			"flow %q: %s: column %s is null in rows of %s", d.name, id.clause, bare(id.name), t.rel.Name)
	}
	return err
}

// exists is false where no row was found in time.
func exists(ctx context.Context, conn *pgx.Conn, rows string) (found bool, err error) {
	timeout := fmt.Sprintf("SET LOCAL statement_timeout = %d", lookForNulls.Milliseconds())
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, timeout); err != nil {
			return err
		}
		return tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM "+rows+")").Scan(&found)
	})
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "57014" && ctx.Err() == nil {
		return false, nil
	}
	return found, err
}
