package sqlgen

import (
	"slices"
	"strings"

	"github.com/autocdc/autocdc/schema"
)

// Append returns the statement that inserts what a flow's query makes of its staged
// rows. spilled says that they are of one source transaction, whose end is parameter
// $1 if WantsEnd.
func (g *Generator) Append(f *Flow, spilled bool) (string, error) {
	return g.r.verbatim("append", projection{f, spilled && f.WantsEnd()})
}

// WantsEnd says that the query, or a view, mentions the end of the source transaction.
func (f *Flow) WantsEnd() bool {
	return slices.Contains(f.Rows, "__lsn") || slices.ContainsFunc(f.Views, func(v View) bool { return slices.Contains(v.Rows, "__lsn") })
}

// Given are the target's columns that the query gives.
func (f *Flow) Given() []schema.Ident {
	var names []schema.Ident
	for _, s := range f.Sources {
		if s != "" {
			names = append(names, schema.Ident(s))
		}
	}
	return names
}

// Called is the alias of the relation, unless the query gives it one.
func (f *Flow) Called() string {
	if f.Named {
		return ""
	}
	return " AS " + f.Alias().String()
}

// FeedValues are the source's columns, and those that rows have beside them as far as
// they are mentioned.
func (f *Flow) FeedValues(spilled bool) []string {
	if len(f.Views) > 0 {
		return f.viewValues(f.Rows)
	}
	var values []string
	for _, c := range f.RawColumns {
		values = append(values, c.String())
	}
	for _, name := range f.Rows {
		quoted := schema.Ident(name).String()
		if name == "__lsn" && spilled {
			quoted = "$1::pg_lsn AS " + quoted
		}
		values = append(values, quoted)
	}
	return values
}

// NoFeed is the relation that stands for the feed, with no rows in it and nothing
// that must have been made.
func (f *Flow) NoFeed() string {
	types := map[string]string{"__op": "text", "__lsn": "pg_lsn", "__commit_ts": "timestamptz", "__xid": "bigint"}
	var columns []string
	for _, c := range f.RawColumns {
		columns = append(columns, "CAST(NULL AS "+c.Type+") AS "+c.String())
	}
	for _, name := range f.Rows {
		columns = append(columns, "CAST(NULL AS "+types[name]+") AS "+schema.Ident(name).String())
	}
	return "(SELECT " + strings.Join(columns, ", ") + " LIMIT 0)" + f.Called()
}
