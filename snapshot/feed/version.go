package feed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/snapshot"
	"github.com/autocdc/autocdc/snapshot/query"
)

// candidates are the types that a version may have had until the query says which
// one it has.
var candidates = []string{
	"bigint", "integer", "text", "timestamp with time zone", "date", "timestamp without time zone", "numeric", "smallint", "uuid", "pg_lsn",
}

// Fields describes the version: one column, or the fields of a STRUCT. Without a
// version query it is the clock's.
func (f *Feed) Fields(ctx context.Context) ([]snapshot.Column, error) {
	if f.cfg.Version == nil {
		return []snapshot.Column{{Name: "version", Type: "timestamp with time zone"}}, nil
	}
	if f.fields == nil {
		var err error
		if f.fields, err = f.agree(ctx); err != nil {
			return nil, err
		}
	}
	out := make([]snapshot.Column, len(f.fields))
	for i, c := range f.fields {
		out[i] = c.Column
	}
	return out, nil
}

// agree assumes types of the last version until the query gives what was assumed.
func (f *Feed) agree(ctx context.Context) ([]Column, error) {
	if !f.cfg.Version.Is(query.Last) {
		return f.describe(ctx, nil)
	}
	var first error
	for _, candidate := range candidates {
		found, err := f.describe(ctx, []string{candidate})
		if err == nil && !slices.Equal(owns(found), []string{candidate}) {
			assumed := owns(found)
			if found, err = f.describe(ctx, assumed); err == nil && !slices.Equal(owns(found), assumed) {
				err = fault(f.cfg.Version, "cast the version to one type", "the version is of type %s if the last one was of type %s",
					strings.Join(owns(found), ", "), strings.Join(assumed, ", "))
			}
		}
		if err == nil {
			return found, nil
		}
		var pg *pgconn.PgError
		if !errors.As(err, &pg) && ctx.Err() != nil {
			return nil, err
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

func owns(columns []Column) []string {
	var out []string
	for _, c := range columns {
		out = append(out, c.Own)
	}
	return out
}

// describe describes the version query if the last version was of the given types;
// one stands for all fields.
func (f *Feed) describe(ctx context.Context, assumed []string) ([]Column, error) {
	width := 1
	if s := f.cfg.Version.Struct(); s != nil {
		width = len(s.Fields)
		f.fields = make([]Column, width)
		for i, field := range s.Fields {
			f.fields[i].Name = field.Name
		}
	} else {
		f.fields = []Column{{Column: snapshot.Column{Name: f.name}}}
	}
	for i := range f.fields {
		if len(assumed) > 0 {
			f.fields[i].Own = assumed[min(i, len(assumed)-1)]
		}
	}
	r := f.render(f.cfg.Version, query.Last, make([]*string, width), false)
	f.fields = nil
	found, err := f.cfg.Place.Describe(ctx, r)
	if err != nil {
		return nil, located(f.cfg.Version, r, err)
	}
	if len(found) != width {
		return nil, fault(f.cfg.Version, "select one column; STRUCT(a, b) makes one of several", "the version query has %d columns, a version is one", len(found))
	}
	return found, nil
}

// render readies a query: names for its place, versions as relations.
func (f *Feed) render(q *query.Query, function query.Function, values []*string, exists bool) Rendered {
	edits := f.cfg.Place.Names(q)
	if q == f.cfg.Version {
		if s := q.Struct(); s != nil {
			edits = append(edits, s.Columns())
		}
	}
	for _, u := range q.Uses {
		if u.Function == function && len(f.fields) > 0 {
			edits = append(edits, f.use(u, values, exists))
		}
	}
	return Rendered{q, edits}
}

// use puts a version in the place of a function.
func (f *Feed) use(u query.Use, values []*string, exists bool) query.Edit {
	list := make([]string, len(f.fields))
	for i, c := range f.fields {
		list[i] = f.cfg.Place.Literal(values[i], c.Own) + " AS " + flowsql.Ident{Name: c.Name}.String()
	}
	relation := f.cfg.Place.Row(strings.Join(list, ", "), exists)
	if f.isRow {
		name := flowsql.Ident{Name: f.name}.String()
		return u.As(relation, name, fmt.Sprintf("(SELECT %s FROM %s AS %s)", name, relation, name))
	}
	return u.As(relation, string(u.Function), relation)
}

// Next asks for the version after last, the text of the one before, or empty; nil
// if there is none. Without a version query it takes the snapshot now, and the
// clock's time is its version; otherwise Fill takes it.
func (f *Feed) Next(ctx context.Context, last string) (*Version, error) {
	if f.cfg.Version == nil {
		now, err := f.cfg.Place.Begin(ctx)
		if err != nil {
			return nil, err
		}
		return &Version{Text: after(now, last)}, nil
	}
	values, err := f.split(last)
	if err != nil {
		return nil, err
	}
	r := f.render(f.cfg.Version, query.Last, values, last != "")
	rows, err := f.cfg.Place.First(ctx, r, 2)
	switch {
	case err != nil:
		return nil, located(f.cfg.Version, r, err)
	case len(rows) == 0:
		return nil, nil
	case len(rows) > 1:
		return nil, fault(f.cfg.Version, "add ORDER BY … LIMIT 1, or an aggregate such as min()", "the version query gives more than one row")
	}
	return f.version(ctx, rows[0])
}

func (f *Feed) version(ctx context.Context, values []*string) (*Version, error) {
	if len(values) != len(f.fields) {
		return nil, fault(f.cfg.Version, "", "the version query has %d columns now, %d when the run began", len(values), len(f.fields))
	}
	for i, v := range values {
		if v == nil && len(values) == 1 {
			return nil, nil //nolint:nilnil // an aggregate over nothing: there is no version
		}
		if v == nil {
			return nil, fault(f.cfg.Version, "every field of a version needs a value: COALESCE it, or leave such rows out", "field %q of the version is null", f.fields[i].Name)
		}
	}
	if _, err := f.cfg.Place.Begin(ctx); err != nil {
		return nil, err
	}
	return &Version{Text: f.join(values), fields: values}, nil
}

// End lets go of the snapshot that Next took.
func (f *Feed) End() { f.cfg.Place.End() }

// join makes the target's text of a version: its value, or a row's of several.
func (f *Feed) join(values []*string) string {
	if !f.isRow {
		return *values[0]
	}
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = `"` + strings.NewReplacer(`"`, `""`, `\`, `\\`).Replace(*v) + `"`
	}
	return "(" + strings.Join(quoted, ",") + ")"
}

// split takes the target's text apart.
func (f *Feed) split(text string) ([]*string, error) {
	values := make([]*string, len(f.fields))
	if text == "" || !f.isRow {
		if text != "" {
			values[0] = &text
		}
		return values, nil
	}
	scanner := pgtype.NewCompositeTextScanner(pgtype.NewMap(), []byte(text))
	for i := range values {
		if !scanner.Next() {
			return nil, fmt.Errorf("read last version %s: it has %d fields, the version query gives %d", text, i, len(values))
		}
		field := string(scanner.Bytes())
		values[i] = &field
	}
	return values, scanner.Err()
}

// after is the clock's time, or the microsecond after the last version where the
// clock has not gone on.
func after(now time.Time, last string) string {
	const layout = "2006-01-02 15:04:05.999999-07"
	if before, err := time.Parse(layout, last); err == nil && !now.Truncate(time.Microsecond).After(before) {
		now = before.Add(time.Microsecond)
	}
	return now.UTC().Truncate(time.Microsecond).Format(layout)
}
