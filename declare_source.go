package autocdc

import (
	"slices"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
)

// source resolves what a flow reads; it reports a fault and returns false if
// that is not possible.
func (d *declarer) source(f *flowDecl) bool {
	switch from := f.cdc.From; from.Kind {
	case flowsql.Changes:
		f.feed = merge.Changes
	case flowsql.Stream:
		f.feed = merge.Stream
	case flowsql.Relation:
		if !d.isView(from.Name) {
			d.add(from.Pos, "write FROM CHANGES("+from.Name.String()+") or FROM STREAM("+from.Name.String()+")",
				"%s is not a view of this pipeline", from.Name)
			return false
		}
	case flowsql.Snapshot:
		f.feed = merge.Snapshot
		return d.snapshot(f)
	}
	n := f.cdc.From.Name
	if d.isView(n) {
		return d.overView(f, d.views[n.Parts[0].Name])
	}
	return d.sourceName(f, n)
}

// sourceName splits source.schema.table, and takes the only source where a name
// has fewer parts.
func (d *declarer) sourceName(f *flowDecl, n flowsql.Name) bool {
	switch len(n.Parts) {
	case 3:
		f.source = n.Parts[0].Name
		f.table = schema.Name{Schema: n.Parts[1].Name, Name: n.Parts[2].Name}
		return d.knownSource(n)
	case 2:
		f.table = schema.Name{Schema: n.Parts[0].Name, Name: n.Parts[1].Name}
	case 1:
		f.table = schema.Name{Schema: defaultSchema, Name: n.Parts[0].Name}
	}
	return d.onlySource(f, n)
}

func (d *declarer) knownSource(n flowsql.Name) bool {
	name := n.Parts[0].Name
	if slices.Contains(d.sources, name) {
		return true
	}
	hint := didYouMean(name, d.sources)
	if hint == "" {
		hint = "configure it with --source " + name + "=DSN or under sources: in the YAML; configured: " + orNone(d.sources)
	}
	d.add(n.Pos, hint, "unknown source %q", name)
	return false
}

func (d *declarer) onlySource(f *flowDecl, n flowsql.Name) bool {
	f.mayChain = f.table != schema.Name{} && d.out.tables[f.table] != nil
	if f.mayChain && len(d.sources) != 1 {
		f.source, f.chained = targetSource, true
		return true
	}
	switch len(d.sources) {
	case 1:
		f.source = d.sources[0]
		return true
	case 0:
		d.add(n.Pos, "configure one with --source NAME=DSN or under sources: in the YAML", "there is no source for %s", n)
		return false
	}
	hint := "write source.schema.table; the sources are " + listed(d.sources)
	if len(n.Parts) == 2 && slices.Contains(d.sources, n.Parts[0].Name) {
		hint = "write " + n.Parts[0].String() + ".public." + n.Parts[1].String()
	}
	d.add(n.Pos, hint, "%s does not say which of %d sources it is in", n, len(d.sources))
	return false
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return listed(names)
}
