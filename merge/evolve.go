package merge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
)

// evolve makes targets follow the shapes of source tables that a batch shows for
// the first time, before any of its rows is applied. What cannot be followed
// stops the flow before the transaction that shows it.
func (a *Applier) evolve(ctx context.Context, txs []batch.Tx) error {
	for i := range txs {
		for j := range txs[i].Changes {
			rel := txs[i].Changes[j].Rel
			for _, f := range a.byName[rel.Name] {
				if f.status != Streaming || f.maps[rel] != nil {
					continue
				}
				if err := a.follow(ctx, f, rel); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// follow brings one flow up to a relation's shape.
func (a *Applier) follow(ctx context.Context, f *flow, rel *schema.Relation) error {
	added, retyped := f.changes(rel)
	if len(added) == 0 && len(retyped) == 0 {
		f.mapping(rel)
		return nil
	}
	work := func() error {
		defer failpoint.Pass(failpoint.ShapeFollowed)
		return a.reshape(ctx, f, added, retyped)
	}
	var err error
	if a.spill != nil {
		err = work()
	} else {
		err = a.transact(ctx, work)
	}
	if err != nil {
		return &targetError{flows: []*flow{f}, step: fmt.Sprintf("follow new shape of %s", rel.Name), err: err}
	}
	a.cfg.Log.Info("source table changed its shape", "flow", f.Name, "table", rel.Name.String(), "added", columnNames(added), "retyped", columnNames(retyped))
	f.mapping(rel)
	return nil
}

func columnNames(columns []schema.Column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// changes compares a relation with the last known shape.
func (f *flow) changes(rel *schema.Relation) (added, retyped []schema.Column) {
	for _, c := range rel.Columns {
		at := f.rel.Column(c.Name)
		switch {
		case at < 0 && len(f.Views) > 0: // views see it from the next start on
		case at < 0 && f.Query != nil && !Staging(c.Name):
			added = append(added, c)
		case at < 0 && f.Query == nil && f.Follow && !slices.Contains(f.Except, c.Name) && !Reserved(c.Name):
			added = append(added, c)
		case at >= 0 && (f.rel.Columns[at].TypeOID != c.TypeOID || f.rel.Columns[at].TypeMod != c.TypeMod):
			retyped = append(retyped, c)
		}
	}
	return added, retyped
}

// reshape alters the target and replaces the flow's and the target's plans, which
// are immutable, by new ones.
func (a *Applier) reshape(ctx context.Context, f *flow, added, retyped []schema.Column) error {
	rel := *f.rel
	rel.Columns = slices.Clone(f.rel.Columns)
	plan := *f.Flow
	plan.RawTypes = slices.Clone(f.RawTypes)
	for _, c := range retyped {
		name, err := a.cfg.Types.TypeName(ctx, c.TypeOID, c.TypeMod)
		if err != nil {
			return err
		}
		if f.Query == nil {
			if err := a.retype(ctx, f, c.Name, name); err != nil {
				return err
			}
		}
		at := rel.Column(c.Name)
		rel.Columns[at], plan.RawTypes[at] = c, name
	}
	var columns []Column
	for _, c := range added {
		name, err := a.cfg.Types.TypeName(ctx, c.TypeOID, c.TypeMod)
		if err != nil {
			return err
		}
		if f.Query == nil {
			columns = append(columns, Column{Name: c.Name, Type: name})
		}
		rel.Columns = append(rel.Columns, c)
		plan.RawTypes = append(plan.RawTypes, name)
	}
	plan.Rel = &rel
	f.Flow, f.rel = &plan, &rel
	clear(f.maps)
	a.dropRaw(ctx, f)
	if f.Query != nil {
		plan.Columns = slices.Clone(f.Columns)
		var err error
		if columns, err = a.reappend(ctx, f); err != nil {
			return err
		}
	}
	return a.extend(ctx, f, columns)
}

// extend adds columns to the target's plan and to all flows that feed it.
func (a *Applier) extend(ctx context.Context, f *flow, columns []Column) error {
	t := f.target
	plan := *t.Target
	plan.Columns = slices.Clone(t.Target.Columns)
	for _, c := range columns {
		if plan.columnIndex(c.Name) < 0 {
			plan.Columns = append(plan.Columns, c)
		}
	}
	t.Target = &plan
	for _, other := range t.flows {
		other.widen(&plan, other == f)
	}
	old := t.table
	t.table = plan.table(t.id, a.state.schema)
	t.table.Several = old.Several
	if err := a.fitColumns(ctx, t, !t.direct); err != nil || !t.ChangeFeed {
		return err
	}
	return a.feedChanges(ctx, t)
}

// widen gives the flow's plan an entry for each of the target's columns.
func (f *flow) widen(t *Target, carries bool) {
	plan := *f.Flow
	plan.Target = t
	plan.Columns = slices.Clone(f.Columns)
	for _, c := range t.Columns[len(plan.Columns):] {
		source := ""
		if carries {
			source = c.Name
		}
		plan.Columns = append(plan.Columns, source)
	}
	f.Flow = &plan
	clear(f.maps)
}

// retype widens a column of the target, or says how a person can. One that holds
// every value of the new type stays: a history has values of the old one.
func (a *Applier) retype(ctx context.Context, f *flow, source, name string) error {
	for i, c := range f.target.Columns {
		if f.plainSource(f.Columns[i]) != source {
			continue
		}
		have, err := readColumns(ctx, a.conn, f.target.Name)
		if err != nil {
			return err
		}
		if have[c.Name].Type == name || widens(name, have[c.Name].Type) {
			return nil
		}
		if !widens(have[c.Name].Type, name) {
			return retypeError(f, c.Name, name, have[c.Name].Type)
		}
		return a.alterType(ctx, f.target, c.Name, name)
	}
	return nil
}

func retypeError(f *flow, column, now, has string) error {
	return &FlowError{
		Flow: f.Name, Target: f.target.Name.String(), Column: column,
		Err:  fmt.Errorf("the source column has become %s, the target's is %s", now, has),
		Hint: fmt.Sprintf("ALTER TABLE %s ALTER COLUMN %s TYPE %s; then start again", f.target.Name, schema.Ident(column), now),
	}
}

func (a *Applier) alterType(ctx context.Context, t *target, column, name string) error {
	tables := []schema.Name{t.Name}
	if !t.direct {
		tables = append(tables, t.table.Shadow())
	}
	if t.staged {
		tables = append(tables, t.table.Events())
	}
	if t.folds {
		tables = append(tables, t.table.Fold())
	}
	for _, table := range tables {
		sql := fmt.Sprintf("ALTER TABLE %s ALTER COLUMN %s TYPE %s", table, schema.Ident(column), name)
		if _, err := a.conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("widen column %q of %s: %w", column, table, err)
		}
	}
	if t.ChangeFeed {
		return a.feedChanges(ctx, t)
	}
	return nil
}

// dropRaw lets the raw stage be made anew in the new shape.
func (a *Applier) dropRaw(ctx context.Context, f *flow) {
	if !f.staged || a.spill != nil {
		return
	}
	if _, err := a.conn.Exec(ctx, "DROP TABLE "+f.statement(f.target.table, f.number).Raw().String()); err == nil {
		f.staged = false
	}
}
