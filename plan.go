package autocdc

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/snapshot/feed"
)

// Plan is a pipeline that has been compared with the catalogs of its sources.
type Plan struct {
	Flows    []*merge.Flow
	Targets  []*merge.Target
	Warnings []Fault
	Notes    []Fault // what differs between source and target, as it has to

	types  map[string]merge.TypeNamer
	decls  map[string]*flowDecl
	depth  int // the longest chain of targets that read one another
	depths map[schema.Name]int
	// unmade are targets that other flows read and that are not there yet.
	unmade []schema.Name
	// redefined are targets whose deployed definition differs.
	redefined map[schema.Name]bool
}

// of returns the flows that read the changes of a source.
func (p *Plan) of(source string) []*merge.Flow {
	return slices.DeleteFunc(slices.Clone(p.Flows), func(f *merge.Flow) bool { return f.Source != source || f.Feed == merge.Snapshot })
}

// snapshots returns the flows that read snapshots.
func (p *Plan) snapshots() []*merge.Flow {
	return slices.DeleteFunc(slices.Clone(p.Flows), func(f *merge.Flow) bool { return f.Feed != merge.Snapshot })
}

// planner holds what a plan is made from.
type planner struct {
	*Pipeline
	*faults
	target  *pgx.Conn // nil if it cannot be reached
	sources map[string]*sourceCatalog
	decl    *declaration
	bad     map[schema.Name]bool // targets with faults
	places  map[string]feed.Place
	deepest int // chain of targets that read one another
	depths  map[schema.Name]int
}

// connectTarget opens the target; a failure is a fault like others.
func (p *planner) connectTarget(ctx context.Context) error {
	conn, err := merge.Connect(ctx, p.Target)
	if err != nil {
		return p.unreachable(ctx, err, p.Target, "")
	}
	p.target = conn
	return nil
}

// unreachable turns a failed connection into a fault, unless it is ctx that ended.
func (p *planner) unreachable(ctx context.Context, err error, dsn, what string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	err = connectError(err, dsn)
	if what != "" {
		what += ": "
	}
	p.add(flowsql.Pos{}, connectHint(err), "%s%v", what, err)
	return nil
}

func (p *planner) close() {
	if p.target != nil {
		closeConn(p.target)
	}
	for _, s := range p.sources {
		s.close()
	}
	for _, place := range p.places {
		_ = place.Close() // nothing was written
	}
}

// plan reads all catalogs and compares; faults are collected, an error is
// returned only where nothing more can be found out.
func (p *planner) plan(ctx context.Context) (*Plan, error) {
	if err := p.connectTarget(ctx); err != nil {
		return nil, err
	}
	p.decl = declare(p.Files, p.sourceNames(), p.faults)
	if err := p.readSources(ctx); err != nil {
		return nil, err
	}
	p.bad = map[schema.Name]bool{}
	plan := &Plan{types: map[string]merge.TypeNamer{}, decls: map[string]*flowDecl{}, redefined: map[schema.Name]bool{}}
	for name, s := range p.sources {
		if s.types != nil {
			plan.types[name] = s.types
		}
	}
	return plan, p.fill(ctx, plan)
}

// fill plans flow by flow, then target by target.
func (p *planner) fill(ctx context.Context, plan *Plan) error {
	for _, name := range p.targetsByDepth() {
		before := len(p.list)
		t := &targetPlanner{faults: p.faults, name: name, stmt: p.decl.tables[name]}
		for _, d := range p.decl.flows {
			if d.target != name {
				continue
			}
			c, err := p.flow(ctx, d, plan)
			if err != nil {
				return err
			}
			if c != nil {
				plan.decls[d.name] = d
				plan.Flows = append(plan.Flows, c.flow)
				t.flows = append(t.flows, *c)
			}
		}
		if len(t.flows) > 0 {
			plan.Targets = append(plan.Targets, t.plan())
		}
		p.bad[name] = p.bad[name] || len(p.list) > before
	}
	plan.depth, plan.depths = p.deepest, p.depths
	return nil
}

// flow compares one flow with its source; nil if its table is not known.
func (p *planner) flow(ctx context.Context, d *flowDecl, plan *Plan) (*carried, error) {
	if d.feed == merge.Snapshot {
		return p.snapshot(ctx, d)
	}
	if p.isMySQL(d.source) {
		hint := "read it with SNAPSHOT (SELECT … FROM " + d.source + ".database.table)"
		if d.appends != nil {
			hint = "read it once: INSERT INTO ONCE … SELECT … FROM " + d.source + ".database.table"
		}
		p.add(d.cdc.From.Pos, hint, "source %q is a MySQL server: only Postgres gives a stream of changes", d.source)
		return nil, nil
	}
	src := p.sources[d.source]
	if src == nil || src.conn == nil {
		return nil, nil
	}
	table := src.table(d.table)
	if d.chained {
		if table = p.targetTable(d.table, plan); table == nil {
			return nil, nil
		}
	}
	if table == nil {
		p.add(d.from().Pos, src.hint(d.table), "source %q has no table %s", d.source, shown(d.table))
		return nil, nil
	}
	if d.appends != nil {
		p.notes(d, table)
		return p.append(ctx, d, table)
	}
	rows, views, err := p.views(ctx, d, table)
	if err != nil || len(views) < len(d.views) {
		return nil, err
	}
	fp := &flowPlanner{faults: p.faults, decl: d, table: rows}
	c := &carried{decl: d, rows: tableRows(table)}
	if len(views) > 0 {
		c.rows = viewRows(views[len(views)-1])
	}
	c.flow, c.columns = fp.plan()
	c.flow.Views = views
	c.flow.Follow = c.flow.Follow && len(views) == 0 // views see new columns from the next start on
	p.notes(d, table)
	t := &typer{faults: p.faults, conn: p.target}
	return c, t.sequences(ctx, c, rows)
}

// notes tells of columns whose types change on the way.
func (p *planner) notes(d *flowDecl, table *sourceTable) {
	for i, note := range table.notes {
		if note != "" {
			p.remarks = append(p.remarks, Fault{
				Pos: d.from().Pos, Message: fmt.Sprintf("column %s of %s: %s", bare(table.rel.Columns[i].Name), table.rel.Name, note),
			})
		}
	}
}
