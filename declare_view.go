package autocdc

import (
	"fmt"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/snapshot/query"
)

// viewDecl is a temporary view as declared.
type viewDecl struct {
	name  string
	pos   flowsql.Pos
	query *query.Query
	over  *viewDecl  // nil: over a table
	feed  merge.Feed // of the table; 0 where there is a fault

	resolving, resolved bool
}

// view takes note of a view; the views that it reads may come later.
func (d *declarer) view(s *flowsql.CreateView) {
	if first := d.views[s.Name.Name]; first != nil {
		d.add(s.Name.Pos, "", "view %q is declared twice, first at %s", s.Name.Name, first.pos)
		return
	}
	v := &viewDecl{name: s.Name.Name, pos: s.Name.Pos, query: &query.Query{Text: s.Query}}
	d.views[v.name] = v
	d.viewOrder = append(d.viewOrder, v)
}

func (d *declarer) hasView(name string) bool { return d.views[name] != nil }

func (d *declarer) isView(n flowsql.Name) bool {
	return len(n.Parts) == 1 && d.hasView(n.Parts[0].Name)
}

// resolveViews finds what each view reads.
func (d *declarer) resolveViews() {
	for _, v := range d.viewOrder {
		v.query = d.parsed(query.ParseFeeds(v.query.Text, d.hasView))
	}
	for _, v := range d.viewOrder {
		d.resolve(v)
	}
}

// resolve follows a view down to its table.
func (d *declarer) resolve(v *viewDecl) {
	if v.resolved {
		return
	}
	if v.resolving {
		d.add(v.pos, "", "view %q reads itself", v.name)
		return
	}
	v.resolving = true
	before := len(d.list)
	d.feedOf(v)
	if len(d.list) > before {
		v.feed = 0
	}
	v.resolving, v.resolved = false, true
}

func (d *declarer) feedOf(v *viewDecl) {
	what := fmt.Sprintf("view %q", v.name)
	if len(v.query.Feeds) == 0 {
		d.add(v.query.Text.Pos, "write SELECT … FROM CHANGES(table) or FROM STREAM(table); a query over tables or files belongs into SNAPSHOT (query)",
			"%s reads neither CHANGES nor STREAM", what)
		return
	}
	d.stateless(what, v.query)
	feed := v.query.Feeds[0]
	switch {
	case d.isView(feed.Name):
		v.over = d.views[feed.Name.Last().Name]
		d.resolve(v.over)
		v.feed = v.over.feed
		d.sameFeed(feed.Pos, sourceOfFeed(feed).Kind, v.over)
	case feed.Changes:
		v.feed = merge.Changes
	default:
		v.feed = merge.Stream
	}
	if v.feed == merge.Changes && v.query.Projection() == nil {
		d.add(v.query.Text.Pos, "leave the rest out, or read a feed table with STREAM",
			"%s is over CHANGES, and more than SELECT … FROM CHANGES(table) [WHERE …]: of a row that is deleted only the key is known", what)
	}
}

// sourceOfFeed is what a feed in a query would be as the FROM of a flow.
func sourceOfFeed(f query.Feed) flowsql.Source {
	s := flowsql.Source{Pos: f.Pos, Kind: flowsql.Stream, Name: f.Name}
	switch {
	case f.Changes:
		s.Kind = flowsql.Changes
	case f.Plain:
		s.Kind = flowsql.Relation
	}
	return s
}

// sameFeed refuses STREAM(view) where the view is over CHANGES, and the reverse.
func (d *declarer) sameFeed(pos flowsql.Pos, kind flowsql.SourceKind, v *viewDecl) {
	switch {
	case kind == flowsql.Stream && v.feed == merge.Changes:
		d.add(pos, "write FROM "+bare(v.name), "view %q is over CHANGES, and is read here as a STREAM", v.name)
	case kind == flowsql.Changes && v.feed == merge.Stream:
		d.add(pos, "write FROM "+bare(v.name), "view %q is over a STREAM, and is read here as CHANGES", v.name)
	}
}

// overView makes a flow one over the table that a view reads in the end.
func (d *declarer) overView(f *flowDecl, v *viewDecl) bool {
	if v.feed == 0 {
		return false // it has a fault of its own
	}
	d.sameFeed(f.cdc.From.Pos, f.cdc.From.Kind, v)
	f.feed = v.feed
	base := v
	for ; ; base = base.over {
		f.views = append([]*viewDecl{base}, f.views...)
		if base.over == nil {
			return d.sourceName(f, base.query.Feeds[0].Name)
		}
	}
}

// from is where the flow names the table that it reads.
func (d *flowDecl) from() flowsql.Name {
	if len(d.views) > 0 {
		return d.views[0].query.Feeds[0].Name
	}
	return d.cdc.From.Name
}
