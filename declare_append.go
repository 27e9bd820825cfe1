package autocdc

import (
	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/snapshot/query"
)

// appends declares a flow of INSERT INTO. Source, target and ONCE of it are those of
// a flow of AUTO CDC; what else that one has is empty.
func (d *declarer) appends(s *flowsql.CreateFlow, dialect flowsql.Dialect) {
	in := s.Insert
	before := len(d.list)
	q := d.parsed(query.ParseFeeds(in.Query))
	cdc := &flowsql.AutoCDC{Pos: in.Pos, Once: in.Once, Target: in.Target}
	cdc.From = flowsql.Source{Pos: in.Query.Pos, Kind: flowsql.Snapshot, Query: &in.Query}
	f := &flowDecl{name: s.Name.Name, pos: s.Name.Pos, cdc: cdc, appends: q}
	switch {
	case len(d.list) > before: // where a feed is misspelled, it is not missing
	case len(q.Feeds) > 0:
		cdc.From = flowsql.Source{Pos: q.Feeds[0].Pos, Kind: flowsql.Stream, Name: q.Feeds[0].Name}
		d.overFeed(f)
	default:
		d.overTables(f)
	}
	f.unsound = len(d.list) > before
	d.flow(f, in.Target, dialect)
}

// overTables refuses what only queries over snapshots with versions may do, and
// queries that have an end where the flow has none.
func (d *declarer) overTables(f *flowDecl) {
	if !f.cdc.Once {
		d.add(f.cdc.From.Pos, "write INSERT INTO ONCE …, or read a feed with STREAM(table)",
			"flow %q inserts the rows of a query that reads no STREAM: they would come again and again", f.name)
	}
	d.noParameters(f)
	for _, u := range f.appends.Uses {
		d.add(u.Pos, "AUTO CDC … FROM SNAPSHOT (query) WITH VERSION (query) has versions", "%s() is not for INSERT INTO", u.Function)
	}
}

// overFeed refuses what would not mean the same whatever rows come together.
func (d *declarer) overFeed(f *flowDecl) {
	q := f.appends
	d.noParameters(f)
	for i, feed := range q.Feeds {
		switch {
		case feed.Changes:
			d.add(feed.Pos, "follow changes with AUTO CDC INTO target FROM CHANGES(table) KEYS (column, …); STREAM(table) gives the inserted rows of a table",
				"CHANGES is not for INSERT INTO: a change may update or delete a row, and here rows are only inserted")
			return
		case i > 0:
			d.add(feed.Pos, "write a flow for each: several may insert into one target", "a query can read one STREAM only")
			return
		}
	}
	for _, t := range q.Tables {
		n := flowsql.Name{Pos: t.Pos, Parts: t.Parts}
		d.add(t.Pos, "insert the feed's rows as they are, and join them with "+n.String()+" in a view over the target",
			"the query reads %s beside STREAM: what it holds when a batch is applied depends on chance", n)
	}
	for _, files := range q.Files {
		d.add(files.Pos, "read files with INSERT INTO ONCE and a query without STREAM", "the query reads files beside STREAM")
	}
	for _, u := range q.Uses {
		d.add(u.Pos, "", "%s() is not for INSERT INTO", u.Function)
	}
	for _, part := range q.PerBatch() {
		if !part.Call {
			d.perBatch(f, part, part.What)
		}
	}
}

// perBatch reports a part of a query that depends on which rows come together.
func (f *faults) perBatch(d *flowDecl, part query.Part, what string) {
	f.add(part.Pos, "leave it out, and put it into a view over the target", "flow %q: %s would see the rows of one batch of the STREAM, and which those are depends on chance", d.name, what)
}

func (d *declarer) noParameters(f *flowDecl) {
	for _, t := range f.appends.Text.Tokens {
		if t.Kind == flowsql.Param {
			d.add(t.Pos, "", "flow %q: the query has a parameter, %s, which nothing gives a value", f.name, t.Text)
			return
		}
	}
}
