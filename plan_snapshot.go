package autocdc

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/schema/catalog"
	"github.com/autocdc/autocdc/snapshot"
	"github.com/autocdc/autocdc/snapshot/feed"
)

// newFeed readies the queries of a flow that reads snapshots.
func (d *flowDecl) newFeed(place feed.Place) *feed.Feed {
	return feed.New(feed.Config{Query: d.snapshot.query, Version: d.snapshot.version, Place: place})
}

// place is where the queries of a flow run. Types are described only where they
// have to be mapped to the target's.
func (p *Pipeline) place(d *flowDecl, types *catalog.TypeMap) feed.Place {
	dsn := p.dsn(d.source)
	switch {
	case dsn == "":
		return feed.NewTarget(p.Target, d.fold)
	case feed.IsMySQL(dsn):
		return feed.NewMySQL(dsn)
	}
	return feed.NewPostgres(dsn, types)
}

// dsn is that of a source, empty if there is none of the name.
func (p *Pipeline) dsn(source string) string {
	for _, s := range p.Sources {
		if s.Name == source {
			return s.DSN
		}
	}
	return ""
}

func (p *Pipeline) isMySQL(source string) bool { return feed.IsMySQL(p.dsn(source)) }

// place is one for all flows of a source.
func (p *planner) place(d *flowDecl) feed.Place {
	key := fmt.Sprintf("%s %v", d.source, d.fold)
	if p.places == nil {
		p.places = map[string]feed.Place{}
	}
	if p.places[key] == nil {
		p.places[key] = p.Pipeline.place(d, catalog.NewTypeMap(p.dsn(d.source), p.Target))
	}
	return p.places[key]
}

// snapshot describes the queries of a flow, and plans it as if the query were a
// table.
func (p *planner) snapshot(ctx context.Context, d *flowDecl) (*carried, error) {
	if p.target == nil || !p.dialect(d) {
		return nil, nil
	}
	p.checksums(d)
	d.positioned = d.appends == nil && p.decl.positions(d)
	f := d.newFeed(p.place(d))
	fields, columns, err := describeFeed(ctx, f)
	if err != nil {
		return nil, p.unreadable(ctx, d, err)
	}
	fp := &flowPlanner{faults: p.faults, decl: d, table: queryTable(columns)}
	c := &carried{decl: d}
	c.flow, c.columns = fp.plan()
	if d.appends != nil {
		p.byName(fmt.Sprintf("flow %q", d.name), d.appends, c.columns)
		return c, nil
	}
	for _, field := range fields {
		c.sequence = append(c.sequence, merge.Column{Name: field.Name, Type: field.Type})
	}
	if d.positioned {
		c.sequence = []merge.Column{defaultColumn(d.cdc.StoredAs)}
	}
	return c, nil
}

// dialect refuses queries that are translated for another kind of server.
func (p *planner) dialect(d *flowDecl) bool {
	if !d.fold || !p.isMySQL(d.source) {
		return true
	}
	p.add(d.cdc.From.Pos, "put the flow into a file without SET dialect = 'spark', and write the query as MySQL does",
		"flow %q: a spark query is translated for Postgres, and source %q is MySQL", d.name, d.source)
	return false
}

// checksums refuses compare = 'checksum' where the source cannot take them.
func (p *planner) checksums(d *flowDecl) {
	if o := d.opts.checksum; o != nil && (p.dsn(d.source) == "" || p.isMySQL(d.source)) {
		p.add(o.Name.Pos, "leave the option out: all rows are compared then", "compare = 'checksum' is for queries on a Postgres source")
	}
}

func describeFeed(ctx context.Context, f *feed.Feed) (fields, columns []snapshot.Column, err error) {
	if fields, err = f.Fields(ctx); err != nil {
		return nil, nil, err
	}
	columns, err = f.Columns(ctx)
	return fields, columns, err
}

// unreadable makes a fault of what keeps a query from being described.
func (p *planner) unreadable(ctx context.Context, d *flowDecl, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	pos, hint := d.cdc.From.Pos, hintOf(err)
	var at *feed.Error
	if errors.As(err, &at) {
		pos = at.Pos
	}
	p.add(pos, hint, "flow %q: %v", d.name, err)
	return nil
}

// queryTable is a query as if it were a table.
func queryTable(columns []snapshot.Column) *sourceTable {
	t := &sourceTable{rel: &schema.Relation{Name: schema.Name{Name: "the query"}}}
	for _, c := range columns {
		t.rel.Columns = append(t.rel.Columns, schema.Column{Name: c.Name, Type: c.Type, TypeMod: -1})
		t.raw, t.notes = append(t.raw, c.Type), append(t.notes, "")
	}
	return t
}

// positions tells whether a flow without versions of its own shares its target with
// one that follows changes of the same source in their own order.
func (d *declaration) positions(f *flowDecl) bool {
	return f.snapshot.version == nil && slices.ContainsFunc(d.flows, func(o *flowDecl) bool {
		return o.target == f.target && o.source == f.source && o.feed == merge.Changes && (o.cdc.SequenceBy == nil || isDefault(o.cdc.SequenceBy, o.cdc.StoredAs)) &&
			o.cdc.StoredAs != flowsql.Bitemporal
	})
}
