package autocdc

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/snapshot/query"
)

// append plans a flow that inserts what a query makes of a feed.
func (p *planner) append(ctx context.Context, d *flowDecl, table *sourceTable) (*carried, error) {
	fp := &flowPlanner{faults: p.faults, decl: d, table: table}
	if p.target == nil || !fp.kindOfTable() || !fp.stageable() {
		return nil, nil
	}
	before := len(p.list)
	if err := p.aggregates(ctx, fmt.Sprintf("flow %q", d.name), d.appends); err != nil || len(p.list) > before {
		return nil, err
	}
	_, views, err := p.views(ctx, d, table)
	if err != nil || len(views) < len(d.views) {
		return nil, err
	}
	f := &merge.Flow{
		Name: d.name, Source: d.source, Feed: d.feed, Rel: table.rel, RawTypes: table.raw, Once: d.cdc.Once, Follow: true, Query: mergeQuery(d.appends),
		Views: views,
	}
	columns, err := f.Describe(ctx, p.target)
	var wrong *merge.QueryError
	if errors.As(err, &wrong) {
		p.add(queryPlace(d.appends, wrong.Offset), wrong.Hint(), "flow %q: %v", d.name, wrong)
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("plan flow %q: %w", d.name, err)
	}
	p.byName(fmt.Sprintf("flow %q", d.name), d.appends, columns)
	return &carried{decl: d, flow: f, columns: columns}, nil
}

func mergeQuery(of *query.Query) *merge.Query {
	feed := of.Feeds[0]
	q := &merge.Query{SQL: of.Text.SQL, Named: feed.Named}
	q.Start, q.End = feed.Span()
	for _, c := range pseudo() {
		if of.Mentions(c.Name) {
			q.Rows = append(q.Rows, c.Name)
		}
	}
	return q
}

// queryPlace is that of an offset in the query, in bytes, or of the query.
func queryPlace(q *query.Query, offset int) flowsql.Pos {
	if pos, ok := q.At(offset); ok {
		return pos
	}
	return q.Text.Pos
}

// stageable refuses source columns with names that the stage has for others.
func (p *flowPlanner) stageable() bool {
	p.rowNames()
	ok := true
	for _, c := range p.table.rel.Columns {
		if merge.Staging(c.Name) {
			ok = false
		}
		if merge.Staging(c.Name) && !isPseudo(c.Name) {
			p.add(p.decl.from().Pos, "rename it at the source", "column %q of %s has a name that is needed for staging its rows", c.Name, p.table.rel.Name)
		}
	}
	return ok
}

// aggregates refuses functions over the rows of a batch. Which functions those are
// the target's catalog knows.
func (p *planner) aggregates(ctx context.Context, what string, q *query.Query) error {
	found, err := p.calls(ctx, q, `prokind IN ('a', 'w')`)
	for _, part := range found {
		p.perBatch(what, part)
	}
	return err
}

// calls are the calls in a query of functions that the target's catalog knows only as
// such of a kind.
func (p *planner) calls(ctx context.Context, q *query.Query, kind string) ([]query.Part, error) {
	parts := slices.DeleteFunc(q.PerBatch(), func(part query.Part) bool { return !part.Call })
	var called []string
	for _, part := range parts {
		called = append(called, part.What)
	}
	rows, err := p.target.Query(ctx, `SELECT proname::text FROM pg_proc WHERE proname = ANY ($1) GROUP BY proname HAVING bool_and(`+kind+`)`, called)
	if err != nil {
		return nil, fmt.Errorf("look for functions: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("look for functions: %w", err)
	}
	return slices.DeleteFunc(parts, func(part query.Part) bool { return !slices.Contains(found, part.What) }), nil
}

// byName reports columns of a query that nothing can be matched with.
func (p *planner) byName(what string, q *query.Query, columns []merge.Column) {
	pos := q.Text.Pos
	if len(columns) == 0 {
		p.add(pos, "", "%s: the query gives no columns", what)
	}
	for i, c := range columns {
		twice := slices.ContainsFunc(columns[:i], func(o merge.Column) bool { return o.Name == c.Name })
		switch {
		case c.Name == "?column?":
			p.add(pos, "give it one with AS: columns are matched by name", "%s: column %d of the query has no name", what, i+1)
		case twice && isPseudo(c.Name):
			p.add(pos, "name the columns instead of *, which gives "+c.Name+" as well where the query mentions it", "%s: two columns of the query are named %q", what, c.Name)
		case twice:
			p.add(pos, "give one of them another name with AS", "%s: two columns of the query are named %q", what, c.Name)
		}
	}
}

// appendTarget makes a target out of flows that insert.
func (p *targetPlanner) appendTarget() *merge.Target {
	first := p.flows[0]
	for _, c := range p.flows[1:] {
		if (c.decl.appends == nil) != (first.decl.appends == nil) {
			p.add(c.decl.pos, "declare a target for each", "flows %q and %q cannot feed one target, %s: one inserts rows, the other keeps them by their keys",
				first.decl.name, c.decl.name, p.name)
		}
	}
	p.target = &merge.Target{Name: p.name, Kind: merge.Append, Keys: []string{}, InOrder: true, Comment: p.comment()}
	p.columns()
	for _, c := range p.flows {
		c.flow.Target = p.target
		c.flow.Columns = p.fill(c)
		c.flow.Expectations = p.expectations(c)
		c.flow.Follow = c.flow.Follow && (p.stmt == nil || len(p.stmt.Columns) == 0)
	}
	return p.target
}

// lacks reports a column that a query gives and the target's definition lacks.
func (p *targetPlanner) lacks(c carried, col merge.Column) {
	p.add(queryPlace(c.decl.appends, -1), "add "+bare(col.Name)+" "+col.Type+" to the column definitions of "+shown(p.name)+", or leave it out of the query",
		"flow %q gives the column %q, which the definition of %s does not have", c.decl.name, col.Name, p.name)
}
