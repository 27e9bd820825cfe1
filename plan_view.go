package autocdc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/snapshot/query"
)

// views plans those of a flow over its table, and returns the rows of the last one as if
// it were a table. Where one has a fault, fewer come back than the flow has.
func (p *planner) views(ctx context.Context, d *flowDecl, table *sourceTable) (*sourceTable, []*merge.ViewQuery, error) {
	if len(d.views) == 0 || p.target == nil {
		return table, nil, nil
	}
	fp := &flowPlanner{faults: p.faults, decl: d, table: table}
	if !fp.kindOfTable() || !fp.stageable() {
		return nil, nil, nil
	}
	var list []*merge.ViewQuery
	over := tableRows(table)
	for _, v := range d.views {
		vp := &viewPlanner{planner: p, decl: v, feed: d.feed, over: over, what: fmt.Sprintf("view %q", v.name)}
		ok, err := vp.plan(ctx)
		if err != nil || !ok {
			return nil, list, err
		}
		list = append(list, vp.made)
		over = viewRows(vp.made)
	}
	return viewTable(table, list[len(list)-1]), list, nil
}

// rows are what a view reads: columns, and the source columns they are made of.
type rows struct {
	name    string
	columns []merge.Column
	of      map[string][]string
	plain   map[string]bool
}

func tableRows(t *sourceTable) *rows {
	r := &rows{name: t.rel.Name.Name, of: map[string][]string{}, plain: map[string]bool{}}
	for i, c := range t.rel.Columns {
		r.columns = append(r.columns, merge.Column{Name: c.Name, Type: t.raw[i], Collation: c.Collation})
		r.of[c.Name], r.plain[c.Name] = []string{c.Name}, true
	}
	return r
}

func viewRows(v *merge.ViewQuery) *rows {
	r := &rows{name: v.Name, of: map[string][]string{}, plain: map[string]bool{}}
	for _, o := range v.Outputs {
		r.columns = append(r.columns, o.Column)
		r.of[o.Name], r.plain[o.Name] = o.Of, o.Plain
	}
	return r
}

// sources are the source columns that some words mention, all for the row itself.
func (r *rows) sources(words []string, alias string) []string {
	if alias == "" {
		alias = r.name
	}
	var out []string
	for _, c := range r.columns {
		if slices.Contains(words, c.Name) || slices.Contains(words, alias) {
			out = append(out, r.of[c.Name]...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (r *rows) column(name string) int {
	return slices.IndexFunc(r.columns, func(c merge.Column) bool { return c.Name == name })
}

// viewPlanner plans one view.
type viewPlanner struct {
	*planner
	decl *viewDecl
	feed merge.Feed
	over *rows
	what string
	made *merge.ViewQuery
}

func (p *viewPlanner) plan(ctx context.Context) (ok bool, err error) {
	before := len(p.list)
	q := p.decl.query
	if err := p.aggregates(ctx, p.what, q); err != nil || len(p.list) > before {
		return false, err
	}
	p.made = &merge.ViewQuery{Query: *mergeQuery(q), Name: p.decl.name}
	columns, err := p.made.Describe(ctx, p.target, p.over.name, p.over.columns)
	var wrong *merge.QueryError
	if errors.As(err, &wrong) {
		p.add(queryPlace(q, wrong.Offset), wrong.Hint(), "%s: %v", p.what, wrong)
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("plan %s: %w", p.what, err)
	}
	if p.feed == merge.Changes {
		if err := p.oneToOne(ctx); err != nil {
			return false, err
		}
	}
	p.outputs(columns)
	return len(p.list) == before, nil
}

// outputs keeps the columns of the view; those that every row has anyway are not its own.
func (p *viewPlanner) outputs(columns []merge.Column) {
	items := p.items(len(columns))
	own := slices.DeleteFunc(slices.Clone(columns), func(c merge.Column) bool { return isPseudo(c.Name) })
	p.byName(p.what, p.decl.query, own)
	for i, c := range columns {
		if isPseudo(c.Name) {
			continue
		}
		o := merge.Output{Column: c}
		if i < len(items) {
			o = p.output(c, items[i])
		}
		p.made.Outputs = append(p.made.Outputs, o)
	}
	if p.feed == merge.Changes {
		p.filter()
	}
}

// items has an entry of the select list per column, none where the query is not simple.
func (p *viewPlanner) items(n int) []query.Item {
	projection := p.decl.query.Projection()
	if projection == nil {
		return nil
	}
	var items []query.Item
	for _, item := range projection.Items {
		if !item.Star {
			items = append(items, item)
			continue
		}
		for _, c := range p.over.columns {
			items = append(items, query.Item{Column: c.Name, Words: []string{c.Name}})
		}
		for _, name := range p.made.Rows {
			items = append(items, query.Item{Column: name})
		}
	}
	if len(items) != n {
		return nil
	}
	return items
}

func (p *viewPlanner) output(c merge.Column, item query.Item) merge.Output {
	of := p.over.sources(item.Words, p.decl.query.Projection().Alias)
	o := merge.Output{Column: c, Of: of}
	if at := p.over.column(item.Column); at >= 0 {
		o.Plain, o.Collation = p.over.plain[item.Column], p.over.columns[at].Collation
	}
	if len(of) > 1 {
		p.made.Needs = append(p.made.Needs, of...)
	}
	return o
}

// oneToOne refuses functions that make several rows of one: which of them an update or a
// delete takes away is not known.
func (p *viewPlanner) oneToOne(ctx context.Context) error {
	found, err := p.calls(ctx, p.decl.query, "proretset")
	for _, part := range found {
		p.add(part.Pos, "read a feed table with STREAM, or unnest in a view over the target",
			"%s is over CHANGES, and %s(…) makes several rows of one", p.what, bare(part.What))
	}
	return err
}

// filter makes the conditions on a row's columns a column of the view, so that a row that
// leaves it is deleted; those that name __ columns drop events.
func (p *viewPlanner) filter() {
	q := p.decl.query
	projection := q.Projection()
	var events, rows []string
	for _, c := range projection.Where {
		if slices.ContainsFunc(c.Words, isPseudo) {
			events = append(events, "("+c.SQL+"\n)")
			continue
		}
		rows = append(rows, "("+c.SQL+"\n)")
		p.made.Needs = append(p.made.Needs, p.over.sources(c.Words, projection.Alias)...)
	}
	if len(rows) == 0 {
		return
	}
	more, where := ", ("+strings.Join(rows, " AND ")+`) IS TRUE AS "__keeps"`, ""
	if len(events) > 0 {
		where = "WHERE " + strings.Join(events, " AND ")
	}
	p.made.SQL = q.Rewrite(projection, more, where)
	p.made.Start, p.made.End = p.made.Start+len(more), p.made.End+len(more)
	p.made.Keeps = true
}

// viewTable is a view as if it were a table: with the keys and the identity of the table
// under it, as far as it shows their columns.
func viewTable(base *sourceTable, v *merge.ViewQuery) *sourceTable {
	rel := *base.rel
	rel.Name, rel.Columns = schema.Name{Name: v.Name}, nil
	t := &sourceTable{rel: &rel, unsent: base.unsent, base: base}
	shown := map[string]string{} // source column → the view's
	for _, o := range v.Outputs {
		col := schema.Column{Name: o.Name, Type: o.Type, TypeMod: -1, Collation: o.Collation}
		note := ""
		if o.Plain {
			at := base.rel.Column(o.Of[0])
			col.NotNull, col.Identity = base.rel.Columns[at].NotNull, base.rel.Columns[at].Identity
			shown[o.Of[0]], note = o.Name, base.notes[at]
		}
		rel.Columns = append(rel.Columns, col)
		t.raw, t.notes = append(t.raw, o.Type), append(t.notes, note)
	}
	for _, k := range base.keys {
		if columns := renamed(k.columns, shown); columns != nil {
			k.columns = columns
			t.keys = append(t.keys, k)
		}
	}
	return t
}

// renamed gives columns their names in a view, nil if it lacks one.
func renamed(columns []string, shown map[string]string) []string {
	var out []string
	for _, c := range columns {
		if shown[c] == "" {
			return nil
		}
		out = append(out, shown[c])
	}
	return out
}
