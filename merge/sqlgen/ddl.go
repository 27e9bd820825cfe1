package sqlgen

import (
	"fmt"

	"github.com/autocdc/autocdc/schema"
)

// Create returns the statements that make the target: the composite types of
// STRUCT sequences, the table, its comment.
func (g *Generator) Create(t *Table) ([]string, error) {
	ddl, err := g.types(t)
	if err != nil {
		return nil, err
	}
	name := "target"
	if t.Kind == Append {
		name = "append_target"
	}
	table, err := g.Statement(name, t, Variant{})
	if err != nil {
		return nil, err
	}
	ddl = append(ddl, table)
	if t.Comment != "" {
		ddl = append(ddl, fmt.Sprintf("COMMENT ON TABLE %s IS %s", t.Target, schema.Literal(t.Comment)))
	}
	return ddl, nil
}

func (g *Generator) types(t *Table) ([]string, error) {
	var ddl []string
	for _, s := range []struct {
		fields []Field
		suffix string
	}{{t.Sequence, "__sequence"}, {t.System, "__system_sequence"}} {
		if len(s.fields) < 2 {
			continue
		}
		sql, err := g.r.render("sequence_type", struct {
			Name   schema.Name
			Fields []Field
		}{t.CompositeName(s.suffix), s.fields})
		if err != nil {
			return nil, err
		}
		ddl = append(ddl, sql)
	}
	return ddl, nil
}

// Memory returns the statements that make the target's shadow and floor.
func (g *Generator) Memory(t *Table) ([]string, error) {
	return g.statements(t, "shadow", "shadow_key", "shadow_age", "floor", "floor_key")
}

// EventTables returns the statements that make the temporary tables that every
// batch needs.
func (g *Generator) EventTables(t *Table) ([]string, error) {
	ddl, err := g.statements(t, "events_table", "events_order")
	if err != nil || t.Kind != SCD2 {
		return ddl, err
	}
	return g.stepTables(t, ddl, t.Step(), t.Run())
}

// FoldTables returns the statements that make the temporary tables for late keys.
func (g *Generator) FoldTables(t *Table) ([]string, error) {
	names := []string{"late_table", "fold_table", "fold_key"}
	if t.Kind == Bitemporal {
		names = append(names, "known_table", "epoch_table", "belief_table", "island_table")
	}
	ddl, err := g.statements(t, names...)
	if err != nil {
		return nil, err
	}
	return g.stepTables(t, ddl, t.FoldStep(), t.FoldRun())
}

func (g *Generator) stepTables(t *Table, ddl []string, step, run schema.Name) ([]string, error) {
	for _, table := range []struct {
		template string
		name     schema.Name
	}{{"step_table", step}, {"run_table", run}} {
		sql, err := g.r.render(table.template, data{Table: t, Name: table.name})
		if err != nil {
			return nil, err
		}
		ddl = append(ddl, sql)
	}
	return ddl, nil
}

func (g *Generator) statements(t *Table, names ...string) ([]string, error) {
	var sqls []string
	for _, n := range names {
		sql, err := g.Statement(n, t, Variant{})
		if err != nil {
			return nil, err
		}
		sqls = append(sqls, sql)
	}
	return sqls, nil
}

// Raw returns the statement that makes a flow's raw stage.
func (g *Generator) Raw(f *Flow) (string, error) { return g.r.verbatim("raw_table", f) }

// Project returns the statement that turns a flow's staged rows into events.
func (g *Generator) Project(f *Flow, spilled bool) (string, error) {
	return g.r.verbatim("project", projection{f, spilled})
}

// Faults returns the query for the first staged row with a null key or sequence.
func (g *Generator) Faults(f *Flow, spilled bool) (string, error) {
	return g.r.verbatim("faults", projection{f, spilled})
}

type projection struct {
	*Flow
	Spilled bool
}
