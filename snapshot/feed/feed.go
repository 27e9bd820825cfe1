package feed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/snapshot"
	"github.com/autocdc/autocdc/snapshot/query"
)

// Config is what a feed is made from.
type Config struct {
	Query   *query.Query
	Version *query.Query // nil: the clock tells the version
	Place   Place        // where the queries run; closed with the feed
}

// Column is a column of a query: its type on the target, and what a CAST at the
// place takes for it.
type Column struct {
	snapshot.Column
	Own string
}

// Place is where queries run. It is for one goroutine.
type Place interface {
	// Describe lets the place tell the columns of a query without running it.
	Describe(ctx context.Context, q Rendered) ([]Column, error)
	// First runs a query and returns its first rows as texts, at most n.
	First(ctx context.Context, q Rendered, n int) ([][]*string, error)
	// Literal writes a value, nil for null, so that it has the type.
	Literal(text *string, own string) string
	// Row is a relation of one row, or none, with a select list.
	Row(list string, exists bool) string
	// Begin takes a snapshot and returns the place's clock; what follows sees it
	// until End.
	Begin(ctx context.Context) (time.Time, error)
	End()
	// Fill brings the rows of a query into a stage.
	Fill(ctx context.Context, q Rendered, stage Stage) (int64, error)
	// Names are the edits that make a query's names right for the place.
	Names(q *query.Query) []query.Edit
	Close() error
}

// Rendered is a query with the edits that make it ready.
type Rendered struct {
	*query.Query
	Edits []query.Edit
}

// SQL is the text to run.
func (r Rendered) SQL() string { return r.Replace(r.Edits) }

// Stage takes the rows of a snapshot on the target.
type Stage interface {
	// Columns are those that it wants, in order.
	Columns() []string
	// Copy takes rows in COPY's text format.
	Copy(ctx context.Context, read func(ctx context.Context, w io.Writer) error) (int64, error)
	// Types are those of the columns by OID, and CopyBinary is Copy for rows whose
	// types are the same.
	Types(ctx context.Context) ([]uint32, error)
	CopyBinary(ctx context.Context, read func(ctx context.Context, w io.Writer) error) (int64, error)
	// Checksums is the query for checksums of a relation, empty if all rows have to
	// come. Differ takes its rows; it returns the condition on the rows that have to,
	// and how many there are.
	Checksums(ctx context.Context, relation string) (string, error)
	Differ(ctx context.Context, read func(ctx context.Context, w io.Writer) error) (where string, rows int64, err error)
	// Insert takes the rows of a query that runs on the target.
	Insert(ctx context.Context, sql string) (int64, error)
	// Load makes a temporary table for Insert to read from, and fills it.
	Load(ctx context.Context, name string, columns []snapshot.Column, read func(ctx context.Context, w io.Writer) error) (int64, error)
}

// Feed brings the snapshots of one flow. It is for one goroutine.
type Feed struct {
	cfg    Config
	name   string   // of the version's column
	fields []Column // of the version; nil until described
	isRow  bool     // it has several fields
}

// New makes a feed; it runs nothing yet.
func New(cfg Config) *Feed {
	f := &Feed{cfg: cfg}
	if cfg.Version == nil {
		return f
	}
	f.name = cfg.Version.ColumnName()
	if s := cfg.Version.Struct(); s != nil {
		f.name, f.isRow = s.Name, true
	}
	return f
}

// Close closes the place.
func (f *Feed) Close() error { return f.cfg.Place.Close() }

// Error is a fault of a query, with its place in the flow file.
type Error struct {
	Pos  flowsql.Pos
	Err  error
	Note string // a hint
}

func (e *Error) Error() string {
	var pg *pgconn.PgError
	if errors.As(e.Err, &pg) {
		return strings.Replace(e.Err.Error(), pg.Error(), pg.Message, 1)
	}
	return e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Hint says what helps.
func (e *Error) Hint() string { return e.Note }

func fault(q *query.Query, hint, format string, args ...any) error {
	return &Error{Pos: q.Text.Pos, Err: fmt.Errorf(format, args...), Note: hint}
}

// Version is the version of a snapshot.
type Version struct {
	Text   string    // in the type of the target's sequence
	fields []*string // of the version query
}

// Columns describes the snapshot query.
func (f *Feed) Columns(ctx context.Context) ([]snapshot.Column, error) {
	var none []*string
	if f.cfg.Version != nil {
		none = make([]*string, len(f.fields))
	}
	r := f.render(f.cfg.Query, query.Current, none, true)
	found, err := f.cfg.Place.Describe(ctx, r)
	if err != nil {
		return nil, located(f.cfg.Query, r, err)
	}
	var columns []snapshot.Column
	seen := map[string]bool{}
	for _, c := range found {
		if seen[c.Name] {
			return nil, fault(f.cfg.Query, "give one of them another name with AS", "two columns of the query are named %q", c.Name)
		}
		seen[c.Name] = true
		columns = append(columns, c.Column)
	}
	return columns, nil
}

// Fill brings the rows of the snapshot with a version into a stage.
func (f *Feed) Fill(ctx context.Context, v *Version, stage Stage) (int64, error) {
	r := f.render(f.cfg.Query, query.Current, v.fields, true)
	n, err := f.cfg.Place.Fill(ctx, r, stage)
	if err != nil {
		return 0, located(f.cfg.Query, r, err)
	}
	return n, nil
}
