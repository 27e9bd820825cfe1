package autocdc

import (
	"slices"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/snapshot/files"
	"github.com/autocdc/autocdc/snapshot/query"
)

// snapshotDecl is what a flow that reads snapshots has beside others.
type snapshotDecl struct {
	query   *query.Query
	version *query.Query // nil: the clock tells the version
}

// snapshot takes the queries apart and finds where they run.
func (d *declarer) snapshot(f *flowDecl) bool {
	before := len(d.list)
	from := f.cdc.From
	s := &snapshotDecl{query: f.appends}
	if s.query == nil {
		s.query = d.parsed(query.Parse(*from.Query))
	}
	queries := []*query.Query{s.query}
	if from.Version != nil {
		s.version = d.parsed(query.Parse(*from.Version))
		queries = append(queries, s.version)
	}
	f.snapshot = s
	if f.appends == nil {
		d.versions(f)
	}
	ok := len(d.list) == before
	d.wholeRows(f)
	return d.place(f, queries) && ok
}

// parsed reports the faults of a query.
func (d *declarer) parsed(q *query.Query, errs flowsql.ErrorList) *query.Query {
	for _, f := range q.Files {
		_, faults := files.Parse(f.Options)
		if f.List && len(f.Options) > 0 {
			faults = flowsql.ErrorList{{Pos: f.Options[0].Name.Pos, Msg: "list_files has no options"}}
		}
		errs = append(errs, faults...)
	}
	for _, e := range errs {
		d.add(e.Pos, e.Hint, "%s", e.Msg)
	}
	return q
}

// versions reports functions where they mean nothing.
func (d *declarer) versions(f *flowDecl) {
	s := f.snapshot
	for _, u := range s.query.Uses {
		switch {
		case u.Function == query.Last:
			d.add(u.Pos, "current_snapshot_version() is the one that the snapshot query reads", "last_snapshot_version() is for the version query")
		case s.version == nil:
			d.add(u.Pos, "add WITH VERSION (query)", "flow %q has no version query for current_snapshot_version()", f.name)
		}
	}
	if s.version == nil {
		return
	}
	for _, u := range s.version.Uses {
		if u.Function == query.Current {
			d.add(u.Pos, "last_snapshot_version() is the one that the version query reads", "current_snapshot_version() is for the snapshot query")
		}
	}
}

// wholeRows refuses the clauses that need events: a snapshot is rows.
func (d *declarer) wholeRows(f *flowDecl) {
	c := f.cdc
	const hint = "a snapshot is all rows there are: leave it out, and shape the rows in the query"
	refuse := func(given bool, pos flowsql.Pos, clause string) {
		if given {
			d.add(pos, hint, "%s is not for SNAPSHOT", clause)
		}
	}
	if c.SequenceBy != nil {
		d.add(c.SequenceBy.Pos, "the version orders snapshots: WITH VERSION (query) after SNAPSHOT (query)", "SEQUENCE BY is not for SNAPSHOT")
	}
	if c.SystemSequenceBy != nil {
		refuse(true, c.SystemSequenceBy.Pos, "SYSTEM SEQUENCE BY")
	}
	if c.DeleteWhen != nil {
		refuse(true, c.DeleteWhen.Pos, "APPLY AS DELETE WHEN")
	}
	if c.TruncateWhen != nil {
		refuse(true, c.TruncateWhen.Pos, "APPLY AS TRUNCATE WHEN")
	}
	if c.IgnoreNull != nil {
		refuse(true, c.IgnoreNull.Pos, "IGNORE NULL UPDATES")
	}
	if c.ColumnsToUpdate != nil {
		refuse(true, c.ColumnsToUpdate.Pos, "COLUMNS TO UPDATE")
	}
	if c.StoredAs == flowsql.Bitemporal {
		d.add(c.StoredAsPos, "a snapshot says nothing of when its rows were known: use SCD TYPE 2", "SNAPSHOT cannot feed a BITEMPORAL target")
	}
}

// place finds the source whose tables the queries read; without any they run on the
// target.
func (d *declarer) place(f *flowDecl, queries []*query.Query) bool {
	var tables []query.Table
	var files *query.Files
	for _, q := range queries {
		tables = append(tables, q.Tables...)
		if len(q.Files) > 0 {
			files = &q.Files[0]
		}
	}
	if files != nil && len(tables) > 0 {
		d.add(tables[0].Pos, "read files in one flow and tables in another", "flow %q reads files and tables: they cannot be read by one query", f.name)
		return false
	}
	ok := true
	for i, t := range tables {
		source, known := d.sourceOf(t)
		ok = ok && known
		if known && i > 0 && source != f.source {
			d.add(t.Pos, "a snapshot is one query at one source", "flow %q reads tables of two sources, %q and %q", f.name, f.source, source)
			return false
		}
		f.source = source
	}
	return ok
}

// sourceOf is the source that a name means.
func (d *declarer) sourceOf(t query.Table) (string, bool) {
	n := flowsql.Name{Pos: t.Pos, Parts: t.Parts}
	if len(t.Parts) == 3 {
		return t.Parts[0].Name, d.knownSource(n)
	}
	if len(d.sources) == 0 {
		return "", true // a table of the target
	}
	probe := &flowDecl{}
	if len(d.sources) > 1 && !slices.Contains(d.sources, t.Parts[0].Name) {
		return "", d.onlySource(probe, n)
	}
	return d.sources[0], d.onlySource(probe, n)
}
