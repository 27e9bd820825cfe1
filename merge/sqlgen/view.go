package sqlgen

import (
	"fmt"

	"github.com/autocdc/autocdc/schema"
)

// View is a query that makes rows of each row of the flow, or of the view before it.
type View struct {
	Head, Tail string         // the query before and after the relation that stands for its feed
	Called     string         // the alias of that, unless the query gives it one
	Reads      []schema.Ident // the columns of that
	Rows       []string       // those of __op, __lsn, __commit_ts, __xid that the query mentions
	Number     int            // from 1
	Many       bool           // a row may become several, whose order must not depend on chance
	Keeps      bool           // the query tells whether the view shows the row
}

// Alias is what the view's rows are called within the statement.
func (v View) Alias() schema.Ident { return schema.Ident(fmt.Sprintf("__view_%d", v.Number)) }

// Values are the select list of the relation that stands for the view's feed: one row of
// what comes before.
func (v View) Values() []string {
	before := schema.Ident("__row")
	if v.Number > 1 {
		before = View{Number: v.Number - 1}.Alias()
	}
	var values []string
	for _, c := range v.Reads {
		values = append(values, before.String()+"."+c.String())
	}
	for _, r := range v.Rows {
		values = append(values, `"__row".`+schema.Ident(r).String())
	}
	return values
}

// viewValues are the columns of the last view, and those of rows.
func (f *Flow) viewValues(rows []string) []string {
	last := f.Views[len(f.Views)-1].Alias().String()
	var values []string
	for _, c := range f.RowColumns {
		values = append(values, last+"."+c.String())
	}
	for _, r := range rows {
		values = append(values, `"__row".`+schema.Ident(r).String())
	}
	return values
}

// ViewValues are the columns of the flow's rows, and what the raw stage has beside them.
func (f *Flow) ViewValues() []string {
	return f.viewValues([]string{"__op", "__lsn", "__commit_ts", "__xid", "__missing", "__n"})
}

// Keeping are the views that tell whether they show a row.
func (f *Flow) Keeping() []View {
	var list []View
	for _, v := range f.Views {
		if v.Keeps {
			list = append(list, v)
		}
	}
	return list
}

func (f *Flow) keeps() bool { return len(f.Keeping()) > 0 }

// Ordering orders the flow's rows as they came.
func (f *Flow) Ordering() []string {
	order := []string{f.Alias().String() + `."__n"`}
	if f.many() {
		order = append(order, f.Alias().String()+`."__place"`)
	}
	return order
}

// many says that a row may become several.
func (f *Flow) many() bool { return len(f.Places()) > 0 }

// Places are the views whose rows are numbered.
func (f *Flow) Places() []View {
	var list []View
	for _, v := range f.Views {
		if v.Many {
			list = append(list, v)
		}
	}
	return list
}
