package feed

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/schema/catalog"
	"github.com/autocdc/autocdc/snapshot/query"
)

// Target runs queries on the target: those that read files, and those that read no
// table of a source.
type Target struct {
	dsn  string
	conn *pgx.Conn // nil until it is needed
}

// NewTarget connects to nothing yet.
func NewTarget(dsn string) *Target { return &Target{dsn: dsn} }

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
func (t *Target) Describe(ctx context.Context, sql string) ([]Column, error) {
	if err := t.open(ctx); err != nil {
		return nil, err
	}
	d, err := describe(ctx, t.conn, sql)
	return d.columns, err
}

// First implements Place.
func (t *Target) First(ctx context.Context, sql string, n int) ([][]*string, error) {
	if err := t.open(ctx); err != nil {
		return nil, err
	}
	return first(ctx, t.conn, sql, n)
}

// Literal implements Place.
func (t *Target) Literal(text *string, own string) string { return literal(text, own) }

// Row implements Place.
func (t *Target) Row(list string, exists bool) string { return row(list, exists) }

// Fill implements Place.
func (t *Target) Fill(ctx context.Context, q Rendered, stage Stage) (int64, error) {
	return stage.Insert(ctx, chosen(q.SQL(), stage.Columns()))
}
