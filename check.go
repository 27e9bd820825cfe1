package autocdc

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
)

// Check plans the pipeline and compares it with everything it will need: keys and
// identities, settings and privileges of the sources, their slots, and the
// target's tables, types and expressions. It changes nothing. It returns the plan,
// with warnings, or a *FaultsError with all faults.
func (p *Pipeline) Check(ctx context.Context) (*Plan, error) { return p.check(ctx, false) }

// check can pass over definitions that differ from the deployed ones.
func (p *Pipeline) check(ctx context.Context, redefines bool) (*Plan, error) {
	c := &checker{planner: planner{Pipeline: p.withDefaults(), faults: &faults{}}, redefines: redefines}
	defer c.close()
	plan, err := c.plan(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.state(ctx); err != nil {
		return nil, err
	}
	if err := c.flows(ctx, plan); err != nil {
		return nil, err
	}
	plan.Warnings, plan.Notes = sorted(c.warnings), sorted(c.remarks)
	return plan, c.err()
}

// checker goes on where the planner ends.
type checker struct {
	planner
	redefines bool            // what is deployed may differ
	copied    map[string]bool // flows whose rows have been read
}

// flows lets the merge check what it would do; flows with faults of their own are
// left out, since more would only follow from those.
func (c *checker) flows(ctx context.Context, plan *Plan) error {
	if c.target == nil {
		return nil
	}
	if err := c.schemas(ctx, plan); err != nil {
		return err
	}
	var sound []*merge.Flow
	for _, f := range plan.Flows {
		if !c.bad[f.Target.Name] {
			sound = append(sound, f)
		}
	}
	found, err := merge.Check(ctx, c.target, c.MetadataSchema, sound)
	if err != nil {
		return fmt.Errorf("check target: %w", err)
	}
	for _, f := range found {
		if f.Redefined && c.redefines {
			if d := plan.decls[f.Flow]; d != nil {
				plan.redefined[d.target] = true
			}
			continue
		}
		d := plan.decls[f.Flow]
		if d == nil {
			c.add(flowsql.Pos{}, f.Hint, "%s", f.Message)
			continue
		}
		if d.snapshot != nil { // it has no such clause
			f.Message = strings.Replace(f.Message, "SEQUENCE BY", "the type of the version", 1)
		}
		if f.Clause == "EXPECT" {
			c.add(place(c.decl.tables[d.target].Expectations[f.Index].Condition, f.Offset), f.Hint, "flow %q: CONSTRAINT %s: %s",
				f.Flow, c.decl.tables[d.target].Expectations[f.Index].Name, f.Message)
			continue
		}
		c.add(clausePlace(d, f), f.Hint, "flow %q: %s", f.Flow, f.Message)
	}
	return nil
}

// schemas reports targets in schemas that the role may not even look into.
func (c *checker) schemas(ctx context.Context, plan *Plan) error {
	rows, err := c.target.Query(ctx, "SELECT nspname::text, current_user::text FROM pg_namespace WHERE NOT has_schema_privilege(oid, 'USAGE')")
	if err != nil {
		return fmt.Errorf("read privileges on target: %w", err)
	}
	var name, role string
	closed := map[string]bool{}
	if _, err := pgx.ForEachRow(rows, []any{&name, &role}, func() error { closed[name] = true; return nil }); err != nil {
		return fmt.Errorf("read privileges on target: %w", err)
	}
	for _, f := range plan.Flows {
		if s := f.Target.Name.Schema; closed[s] {
			c.bad[f.Target.Name] = true
			c.add(plan.decls[f.Name].cdc.Target.Pos, fmt.Sprintf("GRANT USAGE, CREATE ON SCHEMA %s TO %s;", schema.Ident(s), schema.Ident(role)),
				"role %s may not use schema %s of the target", schema.Ident(role), schema.Ident(s))
		}
	}
	return nil
}

// clausePlace finds the place in the flow file that a fault of the merge is about.
func clausePlace(d *flowDecl, f merge.Fault) flowsql.Pos {
	cdc := d.cdc
	text := func(t *flowsql.Text) flowsql.Pos {
		if t == nil {
			return d.pos
		}
		return place(*t, runes(t.SQL, f.Offset))
	}
	switch f.Clause {
	case "INSERT INTO":
		return queryPlace(d.appends, f.Offset)
	case "SEQUENCE BY", "SYSTEM SEQUENCE BY":
		s := cdc.SequenceBy
		if f.Clause != "SEQUENCE BY" {
			s = cdc.SystemSequenceBy
		}
		if s == nil {
			return d.pos
		}
		if f.Index >= 0 && f.Index < len(s.Fields) {
			return text(&s.Fields[f.Index])
		}
		return s.Pos
	case "APPLY AS DELETE WHEN":
		return text(cdc.DeleteWhen)
	case "APPLY AS TRUNCATE WHEN":
		return text(cdc.TruncateWhen)
	}
	return listPlace(d, f)
}

func listPlace(d *flowDecl, f merge.Fault) flowsql.Pos {
	cdc := d.cdc
	ident := func(ids []flowsql.Ident, otherwise flowsql.Pos) flowsql.Pos {
		if f.Index >= 0 && f.Index < len(ids) {
			return ids[f.Index].Pos
		}
		return otherwise
	}
	switch {
	case f.Clause == "KEYS":
		return ident(cdc.Keys, d.pos)
	case f.Clause == "COLUMNS" && cdc.Columns != nil && !cdc.Columns.All:
		return ident(cdc.Columns.Columns, cdc.Columns.Pos)
	case f.Clause == "COLUMNS TO UPDATE" && cdc.ColumnsToUpdate != nil:
		return cdc.ColumnsToUpdate.Pos
	case f.Clause == "TRACK HISTORY ON" && cdc.TrackHistory != nil:
		return cdc.TrackHistory.Pos
	case f.Clause == "target" && cdc.Target.Pos.Line > 0:
		return cdc.Target.Pos
	}
	return d.pos
}

// runes turns an offset in bytes into one in characters; -1 stays.
func runes(text string, offset int) int {
	if offset < 0 || offset > len(text) {
		return -1
	}
	return len([]rune(text[:offset]))
}

// state compares what the target remembers with the sources.
func (c *checker) state(ctx context.Context) error {
	known, err := c.remembered(ctx)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(slices.Values(c.sourceNames())) {
		src := c.sources[name]
		if src == nil || src.conn == nil {
			continue
		}
		if err := c.source(ctx, src, known[name]); err != nil {
			return fmt.Errorf("check source %q: %w", name, err)
		}
		if err := c.nulls(ctx, src); err != nil {
			return fmt.Errorf("check rows of source %q: %w", name, err)
		}
	}
	return nil
}

// remembered reads the state if there is any; none is made.
func (c *checker) remembered(ctx context.Context) (known map[string]*merge.SourceState, err error) {
	if c.target == nil {
		return nil, nil
	}
	state, err := merge.ReadState(ctx, c.Target, c.MetadataSchema)
	if err != nil || state == nil {
		return nil, err
	}
	defer state.Close()
	if c.copied, err = copied(ctx, state, c.Name); err != nil {
		return nil, err
	}
	known = map[string]*merge.SourceState{}
	for _, name := range c.sourceNames() {
		if known[name], err = state.Source(ctx, c.Name, name); err != nil {
			return nil, fmt.Errorf("read state of source %q: %w", name, err)
		}
	}
	return known, nil
}

// SQL returns the DDL and the statements that a run would use for a flow, for
// people to read.
func SQL(flow *merge.Flow) (ddl, statements []string, err error) { return merge.SQL(flow) }
