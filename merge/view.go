package merge

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/merge/sqlgen"
	"github.com/autocdc/autocdc/schema"
)

// ViewQuery is a query that makes other rows of each row of a flow: of those that the source
// gives, or of those that the view before it makes.
type ViewQuery struct {
	Query
	Name    string   // of the relation that it makes
	Outputs []Output // what it makes, without __op, __lsn, __commit_ts, __xid
	// Keeps says that the query gives a column __keeps as well: false for a row of
	// CHANGES that the view does not show, so that its key is deleted.
	Keeps bool
	// Needs are the source columns that must have been sent to compute what the view
	// makes of several, or whether it shows the row.
	Needs []string
}

// Output is a column of a view.
type Output struct {
	Column
	// Of are the source columns that it is made of; Plain says that it is the only one
	// of them as it is.
	Of    []string
	Plain bool
}

// Describe lets the target tell the columns that a view gives over those of the rows
// before it. A *QueryError is the query's own fault.
func (v *ViewQuery) Describe(ctx context.Context, conn *pgx.Conn, over string, columns []Column) ([]Column, error) {
	return v.Query.describe(ctx, conn, noRows(over, columns, v.Query))
}

// noRows is the relation that stands for the feed of a query, with no rows in it.
func noRows(name string, columns []Column, q Query) string {
	f := &sqlgen.Flow{Relation: name, Named: q.Named, Rows: q.Rows}
	for _, c := range columns {
		f.RawColumns = append(f.RawColumns, sqlgen.Column{Name: schema.Ident(c.Name), Type: c.Type})
	}
	return f.NoFeed()
}

// last is the view whose rows are the flow's, nil if those are the source's.
func (f *Flow) last() *ViewQuery {
	if len(f.Views) == 0 {
		return nil
	}
	return f.Views[len(f.Views)-1]
}

// rowColumns are the columns of the flow's rows, with their types on the target.
func (f *Flow) rowColumns() []Column {
	var columns []Column
	if v := f.last(); v != nil {
		return v.columns()
	}
	for i, c := range f.Rel.Columns {
		columns = append(columns, Column{Name: c.Name, Type: f.RawTypes[i], Collation: c.Collation})
	}
	return columns
}

func (v *ViewQuery) columns() []Column {
	columns := make([]Column, len(v.Outputs))
	for i, o := range v.Outputs {
		columns[i] = o.Column
	}
	return columns
}

// relation is what the flow's rows are called in expressions.
func (f *Flow) relation() string {
	if v := f.last(); v != nil {
		return v.Name
	}
	return f.Rel.Name.Name
}

// plainSource is the source column whose value a column of the flow's rows has, empty
// if it is made otherwise.
func (f *Flow) plainSource(column string) string {
	if o := f.output(column); o != nil {
		if !o.Plain {
			return ""
		}
		return o.Of[0]
	}
	if f.last() != nil {
		return ""
	}
	return column
}

// madeOf is the source column that decides whether an update carries a column of the
// flow's rows, empty if none alone does.
func (f *Flow) madeOf(column string) string {
	if o := f.output(column); o != nil && len(o.Of) == 1 {
		return o.Of[0]
	}
	return f.plainSource(column)
}

// output is a column of the last view.
func (f *Flow) output(column string) *Output {
	v := f.last()
	if v == nil {
		return nil
	}
	at := slices.IndexFunc(v.Outputs, func(o Output) bool { return o.Name == column })
	if at < 0 {
		return nil
	}
	return &v.Outputs[at]
}

// views are those of the flow as the statements see them.
func (f *Flow) views() []sqlgen.View {
	var list []sqlgen.View
	over, columns := f.Rel.Name.Name, (&Flow{Rel: f.Rel, RawTypes: f.RawTypes}).rowColumns()
	for i, v := range f.Views {
		s := sqlgen.View{Head: v.SQL[:v.Start], Tail: v.SQL[v.End:], Rows: v.Rows, Keeps: v.Keeps, Number: i + 1, Many: f.Feed == Stream}
		if !v.Named {
			s.Called = " AS " + schema.Ident(over).String()
		}
		for _, c := range columns {
			s.Reads = append(s.Reads, schema.Ident(c.Name))
		}
		list = append(list, s)
		over, columns = v.Name, v.columns()
	}
	return list
}

// errUnsent says that a row came without a value that a view needs.
var errUnsent = errors.New("a view needs the value of a column that the update did not change, and that was not sent because it is stored apart (TOAST)")

// computable makes sure that rows bring what views compute from several columns. What is
// made of one column that was not sent is as it was.
func (f *flow) computable(rows []rawRow) error {
	needs := f.needs()
	for i := range rows {
		for _, at := range needs {
			if rows[i].op == batch.Delete || rows[i].op == batch.Truncate || rows[i].values[at].Kind != batch.Unchanged {
				continue
			}
			return &FlowError{
				Flow: f.Name, Target: f.target.Name.String(), Position: rows[i].tx.EndLSN, Column: f.rel.Columns[at].Name, Err: errUnsent,
				Hint: fmt.Sprintf("ALTER TABLE %s REPLICA IDENTITY FULL; then autocdc refresh %s --full", f.Rel.Name, typed(f.target.Name)),
			}
		}
	}
	return nil
}

// needs are the places of source columns that must have been sent.
func (f *flow) needs() []int {
	var places []int
	for _, v := range f.Views {
		for _, name := range v.Needs {
			if at := f.rel.Column(name); at >= 0 && !slices.Contains(places, at) {
				places = append(places, at)
			}
		}
	}
	return places
}
