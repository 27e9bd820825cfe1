package autocdc

import (
	"slices"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/snapshot/query"
)

// defaultSchema is that of names without one, as the search_path of a new
// database has it; connections have an empty one.
const defaultSchema = "public"

// declaration is what the flow files say, with names resolved but not yet
// compared with any catalog.
type declaration struct {
	tables map[schema.Name]*flowsql.CreateTable
	order  []schema.Name // of tables
	flows  []*flowDecl
}

// flowDecl is one flow as declared.
type flowDecl struct {
	name   string
	pos    flowsql.Pos
	cdc    *flowsql.AutoCDC
	source string // name of the source; empty: the target, for snapshots
	table  schema.Name
	views  []*viewDecl // over the table, one over the other
	// chained says that the table is a target of other flows, mayChain that a target has
	// its name.
	chained, mayChain bool
	target            schema.Name
	feed              merge.Feed
	opts              options

	appends *query.Query // of INSERT INTO; nil for AUTO CDC
	unsound bool         // the query has faults

	snapshot *snapshotDecl // where feed is merge.Snapshot
	// positioned says that the version of a snapshot is its place among the changes
	// of the same source, which the target follows, too.
	positioned bool
	fold       bool // names of columns in files are read without regard to case
}

// declarer turns statements into a declaration.
type declarer struct {
	*faults
	sources   []string
	views     map[string]*viewDecl
	viewOrder []*viewDecl
	out       *declaration
}

func declare(files []*flowsql.File, sources []string, f *faults) *declaration {
	d := &declarer{faults: f, sources: sources, views: map[string]*viewDecl{}}
	d.out = &declaration{tables: map[schema.Name]*flowsql.CreateTable{}}
	d.tables(files)
	d.resolveViews()
	d.flows(files)
	d.unfed()
	return d.out
}

// tables comes first, since a flow may precede its target's statement.
func (d *declarer) tables(files []*flowsql.File) {
	for _, file := range files {
		for _, s := range file.Statements {
			switch s := s.(type) {
			case *flowsql.CreateTable:
				d.table(s, file.Dialect)
			case *flowsql.CreateView:
				d.view(s)
			}
		}
	}
}

func (d *declarer) table(s *flowsql.CreateTable, dialect flowsql.Dialect) {
	name, ok := d.targetName(s.Target, dialect)
	if !ok {
		return
	}
	if first := d.out.tables[name]; first != nil {
		d.add(s.Target.Pos, "", "target %s is declared twice, first at %s", name, first.Pos)
		return
	}
	d.out.tables[name] = s
	d.out.order = append(d.out.order, name)
}

func (d *declarer) flows(files []*flowsql.File) {
	for _, file := range files {
		for _, s := range file.Statements {
			switch s := s.(type) {
			case *flowsql.CreateTable:
				if s.Flow != nil {
					d.flow(&flowDecl{name: s.Target.Last().Name, pos: s.Pos, cdc: s.Flow}, s.Target, file.Dialect)
				}
			case *flowsql.CreateFlow:
				if s.Insert != nil {
					d.appends(s, file.Dialect)
					continue
				}
				d.flow(&flowDecl{name: s.Name.Name, pos: s.Name.Pos, cdc: s.CDC}, s.CDC.Target, file.Dialect)
			}
		}
	}
}

func (d *declarer) flow(f *flowDecl, target flowsql.Name, dialect flowsql.Dialect) {
	f.opts, f.fold = d.options(f.cdc), dialect == flowsql.Spark
	if i := slices.IndexFunc(d.out.flows, func(o *flowDecl) bool { return o.name == f.name }); i >= 0 {
		d.add(f.pos, "give one of them another name", "flow %q is declared twice, first at %s", f.name, d.out.flows[i].pos)
	}
	sourceKnown := d.source(f)
	var ok bool
	if f.target, ok = d.targetName(target, dialect); ok {
		d.declared(f, target.Pos)
	}
	if ok && sourceKnown && !f.unsound {
		d.out.flows = append(d.out.flows, f)
	}
}

// declared reports a flow into a table that no statement declares.
func (d *declarer) declared(f *flowDecl, pos flowsql.Pos) {
	if d.out.tables[f.target] != nil {
		return
	}
	hint := "add CREATE STREAMING TABLE " + shown(f.target) + "; before the flow"
	if near := didYouMean(f.target.Name, d.tableNames()); near != "" {
		hint = near + " Or " + hint
	}
	d.add(pos, hint, "no CREATE STREAMING TABLE declares the target %s of flow %q", f.target, f.name)
}

func (d *declarer) tableNames() []string {
	names := make([]string, len(d.out.order))
	for i, n := range d.out.order {
		names[i] = n.Name
	}
	return names
}

// unfed warns of declared tables that nothing flows into.
func (d *declarer) unfed() {
	if len(d.out.order)+len(d.out.flows)+len(d.list) == 0 {
		d.warn(flowsql.Pos{}, "init writes flows of tables that need something first as comments", "the flow files declare no flow")
	}
	for _, name := range d.out.order {
		fed := slices.ContainsFunc(d.out.flows, func(f *flowDecl) bool { return f.target == name })
		if s := d.out.tables[name]; !fed && s.Flow == nil && len(d.list) == 0 {
			d.warn(s.Target.Pos, "", "no flow feeds the target %s; it is not made", name)
		}
	}
}

func (d *declarer) targetName(n flowsql.Name, dialect flowsql.Dialect) (schema.Name, bool) {
	parts := n.Parts
	if len(parts) == 3 && dialect == flowsql.Spark {
		parts = parts[1:] // the catalog
	}
	switch len(parts) {
	case 1:
		return schema.Name{Schema: defaultSchema, Name: parts[0].Name}, true
	case 2:
		return schema.Name{Schema: parts[0].Name, Name: parts[1].Name}, true
	}
	d.add(n.Pos, "write schema.table; the target's database is set in the configuration",
		"the target %s has three parts", n)
	return schema.Name{}, false
}

// shown gives a name as a user would write it: quoted only where it must be.
func shown(n schema.Name) string {
	if n.Schema == "" {
		return bare(n.Name)
	}
	return bare(n.Schema) + "." + bare(n.Name)
}
