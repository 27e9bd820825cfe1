package feed

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/schema/catalog"
	"github.com/autocdc/autocdc/snapshot/query"
)

// Target runs queries on the target: those that read files, and those that read no
// table of a source.
type Target struct {
	dsn  string
	fold bool
	conn *pgx.Conn // nil until it is needed
}

// NewTarget connects to nothing yet. fold has the names of columns in files read
// without regard to case.
func NewTarget(dsn string, fold bool) *Target { return &Target{dsn: dsn, fold: fold} }

func (t *Target) open(ctx context.Context) (err error) {
	if t.conn != nil && !t.conn.IsClosed() {
		return nil
	}
	if t.conn, err = catalog.Connect(ctx, t.dsn); err != nil {
		t.conn = nil
		return err
	}
	_, err = t.conn.Exec(ctx, "SET search_path = public; SET default_transaction_read_only = on")
	return err
}

// Names implements Place: what the flow files call a source is none here.
func (t *Target) Names(*query.Query) []query.Edit { return nil }

// Begin implements Place. Each query on the target sees its own moment.
func (t *Target) Begin(ctx context.Context) (now time.Time, err error) {
	if err := t.open(ctx); err != nil {
		return now, err
	}
	err = t.conn.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&now)
	return now, err
}

// End implements Place.
func (t *Target) End() {}

// Close implements Place.
func (t *Target) Close() error {
	if t.conn == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return t.conn.Close(ctx)
}

// Describe implements Place.
func (t *Target) Describe(ctx context.Context, q Rendered) ([]Column, error) {
	if err := t.open(ctx); err != nil {
		return nil, err
	}
	q, err := t.withFiles(ctx, q, t.shape)
	if err != nil {
		return nil, err
	}
	d, err := describe(ctx, t.conn, q.SQL())
	return slices.DeleteFunc(d.columns, func(c Column) bool { return isMetadata(c.Name) }), err
}

// First implements Place.
func (t *Target) First(ctx context.Context, q Rendered, n int) ([][]*string, error) {
	if err := t.open(ctx); err != nil {
		return nil, err
	}
	q, err := t.withFiles(ctx, q, t.shape)
	if err != nil {
		return nil, err
	}
	return first(ctx, t.conn, q.SQL(), n)
}

// Literal implements Place.
func (t *Target) Literal(text *string, own string) string { return literal(text, own) }

// Row implements Place.
func (t *Target) Row(list string, exists bool) string { return row(list, exists) }

// Fill implements Place.
func (t *Target) Fill(ctx context.Context, q Rendered, stage Stage) (int64, error) {
	if err := t.open(ctx); err != nil {
		return 0, err
	}
	if q.Plain() {
		return t.pass(ctx, q, stage)
	}
	loaded, err := t.withFiles(ctx, q, func(ctx context.Context, q Rendered, i int) (string, error) {
		return t.load(ctx, q, i, stage)
	})
	if err != nil {
		return 0, err
	}
	return stage.Insert(ctx, chosen(loaded.SQL(), stage.Columns()))
}
