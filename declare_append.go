package autocdc

import (
	"fmt"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/snapshot/query"
)

// appends declares a flow of INSERT INTO. Source, target and ONCE of it are those of
// a flow of AUTO CDC; what else that one has is empty.
func (d *declarer) appends(s *flowsql.CreateFlow, dialect flowsql.Dialect) {
	in := s.Insert
	before := len(d.list)
	q := d.parsed(query.ParseFeeds(in.Query, d.hasView))
	cdc := &flowsql.AutoCDC{Pos: in.Pos, Once: in.Once, Target: in.Target}
	cdc.From = flowsql.Source{Pos: in.Query.Pos, Kind: flowsql.Snapshot, Query: &in.Query}
	f := &flowDecl{name: s.Name.Name, pos: s.Name.Pos, cdc: cdc, appends: q}
	switch {
	case len(d.list) > before: // where a feed is misspelled, it is not missing
	case len(q.Feeds) > 0:
		cdc.From = sourceOfFeed(q.Feeds[0])
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
	d.noParameters(fmt.Sprintf("flow %q", f.name), f.appends)
	for _, u := range f.appends.Uses {
		d.add(u.Pos, "AUTO CDC … FROM SNAPSHOT (query) WITH VERSION (query) has versions", "%s() is not for INSERT INTO", u.Function)
	}
}

// overFeed refuses what would not mean the same whatever rows come together.
func (d *declarer) overFeed(f *flowDecl) {
	feed := f.appends.Feeds[0]
	if feed.Changes || d.isView(feed.Name) && d.views[feed.Name.Last().Name].feed == merge.Changes {
		d.add(feed.Pos, "follow changes with AUTO CDC INTO target FROM CHANGES(table) KEYS (column, …); STREAM(table) gives the inserted rows of a table",
			"CHANGES is not for INSERT INTO: a change may update or delete a row, and here rows are only inserted")
		return
	}
	d.stateless(fmt.Sprintf("flow %q", f.name), f.appends)
}

// stateless refuses what would not mean the same whatever rows come together.
func (d *declarer) stateless(what string, q *query.Query) {
	d.noParameters(what, q)
	if len(q.Feeds) > 1 {
		d.add(q.Feeds[1].Pos, "write a flow for each: several may feed one target", "%s: a query can read one STREAM only", what)
		return
	}
	for _, t := range q.Tables {
		n := flowsql.Name{Pos: t.Pos, Parts: t.Parts}
		d.add(t.Pos, "bring the feed's rows as they are, and join them with "+n.String()+" in a view over the target",
			"%s: the query reads %s beside STREAM: what it holds when a batch is applied depends on chance", what, n)
	}
	for _, files := range q.Files {
		d.add(files.Pos, "read files with INSERT INTO ONCE and a query without STREAM, or with SNAPSHOT", "%s: the query reads files beside STREAM", what)
	}
	for _, u := range q.Uses {
		d.add(u.Pos, "AUTO CDC … FROM SNAPSHOT (query) WITH VERSION (query) has versions", "%s: %s() has no meaning here", what, u.Function)
	}
	for _, part := range q.PerBatch() {
		if !part.Call {
			d.perBatch(what, part)
		}
	}
}

// perBatch reports a part of a query that depends on which rows come together.
func (f *faults) perBatch(what string, part query.Part) {
	called := part.What
	if part.Call {
		called = bare(called) + "(…)"
	}
	f.add(part.Pos, "leave it out, and put it into a view over the target", "%s: %s would see the rows of one batch of the STREAM, and which those are depends on chance", what, called)
}

func (d *declarer) noParameters(what string, q *query.Query) {
	for _, t := range q.Text.Tokens {
		if t.Kind == flowsql.Param {
			d.add(t.Pos, "", "%s: the query has a parameter, %s, which nothing gives a value", what, t.Text)
			return
		}
	}
}
