package merge

import (
	"context"
	"fmt"
	"strings"

	"github.com/autocdc/autocdc/merge/sqlgen"
	"github.com/autocdc/autocdc/schema"
)

// feedChanges lets triggers record what changes in a target, or not any more. It is
// called whenever the target's columns may be others.
func (a *Applier) feedChanges(ctx context.Context, t *target) error {
	if !t.ChangeFeed {
		return a.unfeedChanges(ctx, t)
	}
	have, err := readColumns(ctx, a.conn, t.table.Changes())
	if err != nil {
		return err
	}
	var ddl []string
	if len(have) == 0 {
		if ddl, err = a.gen.ChangesTable(t.table); err != nil {
			return err
		}
	} else if _, ok := have["__change_type"]; !ok {
		return t.changesError(fmt.Errorf("table %s is there already, and is no change feed", t.table.Changes()))
	}
	feed := sqlgen.ChangeFeed{Table: t.table, All: statementColumns(t.AllColumns())}
	adds, err := a.feedColumns(ctx, t, feed.All, have)
	if err != nil {
		return err
	}
	triggers, err := a.gen.ChangesTriggers(feed)
	if err != nil {
		return err
	}
	if err := a.execAll(ctx, append(append(ddl, adds...), triggers...)); err != nil {
		return fmt.Errorf("make change feed of %s: %w", t.Name, err)
	}
	return nil
}

// feedColumns adds the columns of the target that the feed lacks, with the types that
// they have in the target.
func (a *Applier) feedColumns(ctx context.Context, t *target, all []sqlgen.Column, have map[string]tableColumn) ([]string, error) {
	is, err := readColumns(ctx, a.conn, t.Name)
	if err != nil {
		return nil, err
	}
	var adds []string
	for _, c := range all {
		want, got := is[string(c.Name)].Type, have[string(c.Name)].Type
		switch {
		case got == "":
			adds = append(adds, fmt.Sprintf("ADD COLUMN %s %s", c.Name, want))
		case got != want && widens(got, want):
			adds = append(adds, fmt.Sprintf("ALTER COLUMN %s TYPE %s", c.Name, want))
		case got != want && !widens(want, got):
			return nil, t.changesError(fmt.Errorf("column %q of %s is %s, and that of the target is %s now", string(c.Name), t.table.Changes(), got, want))
		}
	}
	if len(adds) == 0 {
		return nil, nil
	}
	return []string{fmt.Sprintf("ALTER TABLE %s %s", t.table.Changes(), strings.Join(adds, ", "))}, nil
}

func (t *target) changesError(cause error) error {
	return &FlowError{
		Flow: t.flows[0].Name, Target: t.Name.String(), Err: cause,
		Hint: fmt.Sprintf("ALTER TABLE %s RENAME TO another name, or drop it: the feed begins anew", t.table.Changes()),
	}
}

// unfeedChanges removes the triggers where there are any; what they recorded stays.
func (a *Applier) unfeedChanges(ctx context.Context, t *target) error {
	var fed bool
	const query = `SELECT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass($1) AND tgfoid = to_regproc($2)::oid)`
	if err := a.conn.QueryRow(ctx, query, t.Name.String(), t.table.Recorder().String()).Scan(&fed); err != nil {
		return fmt.Errorf("look for a change feed of %s: %w", t.Name, err)
	}
	if !fed {
		return nil
	}
	sqls := make([]string, 0, 4)
	for _, name := range []string{"__changes_insert", "__changes_update", "__changes_delete"} {
		sqls = append(sqls, fmt.Sprintf("DROP TRIGGER IF EXISTS %s ON %s", schema.Ident(name), t.Name))
	}
	return a.execAll(ctx, append(sqls, fmt.Sprintf("DROP FUNCTION IF EXISTS %s()", t.table.Recorder())))
}
