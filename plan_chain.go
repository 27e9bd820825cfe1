package autocdc

import (
	"context"
	"fmt"
	"slices"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
)

// targetSource is the name of the target's database where flows read targets of other
// flows in it: in the state, of its slot and its publications.
const targetSource = "target"

// chained finds the flows that read a target: those whose source has no such table, or
// that name no source, where the flow files declare a target of that name.
func (p *planner) chained() bool {
	any := false
	for _, d := range p.decl.flows {
		src := p.sources[d.source]
		if d.feed != merge.Snapshot && !d.chained && d.mayChain && src != nil && src.conn != nil && src.table(d.table) == nil {
			d.chained, d.source = true, targetSource
		}
		any = any || d.chained
	}
	return any
}

// readChain reads from the target's catalog what flows read there.
func (p *planner) readChain(ctx context.Context) error {
	if !p.chained() || p.target == nil {
		return nil
	}
	for _, src := range p.Sources {
		if src.Name == targetSource {
			d := p.decl.flows[slices.IndexFunc(p.decl.flows, func(d *flowDecl) bool { return d.chained })]
			p.add(d.from().Pos, "give the source another name", "flow %q reads a target, for which the name of the source %q is needed", d.name, targetSource)
			return nil
		}
	}
	src := Source{Name: targetSource, DSN: p.Target}
	p.Sources = append(slices.Clone(p.Sources), src)
	return p.readTables(ctx, src)
}

// targetsByDepth are the targets of the flows, those that others read before these.
func (p *planner) targetsByDepth() []schema.Name {
	var order []schema.Name
	p.depths = map[schema.Name]int{}
	for _, d := range p.decl.flows {
		if !slices.Contains(order, d.target) {
			order = append(order, d.target)
			p.depth(d.target, nil)
		}
	}
	slices.SortStableFunc(order, func(a, b schema.Name) int { return p.depths[a] - p.depths[b] })
	return order
}

// depth is how many targets lie before one, and refuses circles.
func (p *planner) depth(name schema.Name, path []schema.Name) int {
	if depth, ok := p.depths[name]; ok {
		return depth
	}
	depth := 0
	for _, d := range p.decl.flows {
		if d.target != name || !d.chained {
			continue
		}
		if slices.Contains(append(path, name), d.table) {
			p.add(d.from().Pos, "", "flow %q reads %s, which is filled from its own target %s", d.name, shown(d.table), shown(name))
			p.bad[name] = true
			continue
		}
		depth = max(depth, p.depth(d.table, append(slices.Clone(path), name))+1)
	}
	p.depths[name] = depth
	p.deepest = max(p.deepest, depth)
	return depth
}

// targetTable is a target that other flows read, as the catalog has it or as it will be.
func (p *planner) targetTable(name schema.Name, plan *Plan) *sourceTable {
	if src := p.sources[targetSource]; src != nil && src.conn != nil {
		if t := src.table(name); t != nil {
			return t
		}
	}
	i := slices.IndexFunc(plan.Targets, func(t *merge.Target) bool { return t.Name == name })
	if i < 0 || p.bad[name] {
		return nil // it has a fault of its own
	}
	plan.unmade = append(plan.unmade, name)
	return plannedTable(plan.Targets[i])
}

// plannedTable is a target as if it were in a catalog.
func plannedTable(t *merge.Target) *sourceTable {
	key := t.PrimaryKey()
	table := &sourceTable{rel: &schema.Relation{Name: t.Name, Kind: 'r', Replica: schema.IdentityDefault}}
	for _, c := range t.AllColumns() {
		isKey := slices.Contains(key, c.Name)
		table.rel.Columns = append(table.rel.Columns, schema.Column{Name: c.Name, Type: c.Type, TypeMod: -1, Collation: c.Collation, Identity: isKey, NotNull: isKey})
		table.raw, table.notes = append(table.raw, c.Type), append(table.notes, "")
	}
	if len(key) > 0 {
		table.keys = []catalogKey{{columns: key, primary: true}}
	}
	return table
}

// chain makes the targets that other flows read and that are not there yet, and plans
// again, over what is there then.
func (r *run) chain(ctx context.Context, plan *Plan) (*Plan, error) {
	if len(plan.unmade) > 0 {
		flows := plan.into(plan.unmade)
		_, err := r.keeper.use(ctx, func(state *merge.State) error {
			return merge.Deploy(ctx, merge.ApplierConfig{DSN: r.Target, State: state, Pipeline: r.Name, Flows: flows, Log: r.Log})
		})
		if err != nil {
			return nil, fmt.Errorf("make targets that other flows read: %w", err)
		}
		if plan, err = r.Check(ctx); err != nil {
			return nil, err
		}
	}
	r.follow(plan)
	return plan, nil
}

// follow makes the target a source where flows read it.
func (r *run) follow(plan *Plan) {
	if plan.depth > 0 {
		r.Sources = r.allSources()
	}
}

// allSources are the sources, and the target as it is one where flows read it.
func (p *Pipeline) allSources() []Source {
	if slices.Contains(p.sourceNames(), targetSource) {
		return p.Sources
	}
	return append(slices.Clone(p.Sources), Source{Name: targetSource, DSN: p.Target})
}

// links brings what the others have brought through all links of the longest chain: what a
// link commits is for the next turn.
func (r *run) links(ctx context.Context, s *sourceRun, depth int) (err error) {
	for range depth {
		if err = s.loop(ctx); ctx.Err() != nil {
			break
		}
	}
	if err != nil {
		s.log.Error("source failed", "error", err)
	}
	return err
}

// refreshChain rebuilds those targets that are filled from others, link by link: what comes
// before may have another shape by then.
func (r *run) refreshChain(ctx context.Context, depth int, targets []schema.Name) error {
	for link := 1; link <= depth; link++ {
		plan, err := r.check(ctx, true)
		if err != nil {
			return err
		}
		at := slices.DeleteFunc(slices.Clone(targets), func(name schema.Name) bool { return plan.depths[name] != link })
		if err := r.refreshSource(ctx, plan, Source{Name: targetSource, DSN: r.Target}, at); err != nil {
			return err
		}
	}
	return nil
}
