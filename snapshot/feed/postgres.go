package feed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/schema/catalog"
	"github.com/autocdc/autocdc/snapshot"
	"github.com/autocdc/autocdc/snapshot/mysql"
	"github.com/autocdc/autocdc/snapshot/query"
)

// Postgres runs queries at a source, in a read-only transaction, so that a standby
// and a role that may do nothing but read are enough.
type Postgres struct {
	dsn   string
	types *catalog.TypeMap
	conn  *snapshot.Conn // nil until it is needed
	taken bool           // it has a snapshot
}

// NewPostgres connects to nothing yet. types says what types are on the target; nil
// where they need not be known.
func NewPostgres(dsn string, types *catalog.TypeMap) *Postgres {
	return &Postgres{dsn: dsn, types: types}
}

// Names implements Place: the source's name goes.
func (p *Postgres) Names(q *query.Query) []query.Edit { return withoutSource(q) }

func withoutSource(q *query.Query) []query.Edit {
	var edits []query.Edit
	for _, t := range q.Tables {
		if len(t.Parts) == 3 {
			edits = append(edits, t.WithoutSource())
		}
	}
	return edits
}

// Begin implements Place.
func (p *Postgres) Begin(ctx context.Context) (now time.Time, err error) {
	if err := p.At(ctx, ""); err != nil {
		return now, err
	}
	err = p.conn.Conn().QueryRow(ctx, "SELECT clock_timestamp()").Scan(&now)
	return now, err
}

// At takes an exported snapshot instead of one of its own, until End.
func (p *Postgres) At(ctx context.Context, exported string) (err error) {
	if p.conn != nil && !p.conn.Conn().IsClosed() {
		err = p.conn.Renew(ctx, exported)
	} else {
		p.conn, err = snapshot.Open(ctx, p.dsn, exported)
	}
	if err != nil {
		return errors.Join(err, p.Close())
	}
	p.taken = true
	// lets queries name tables without their schema
	_, err = p.conn.Conn().Exec(ctx, "SET search_path = public")
	return err
}

// ready takes a snapshot unless Begin did.
func (p *Postgres) ready(ctx context.Context) error {
	if p.taken {
		return nil
	}
	return p.At(ctx, "")
}

// End implements Place: an idle connection holds no snapshot.
func (p *Postgres) End() {
	p.taken = false
	if p.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if p.conn.Rest(ctx) != nil {
		_ = p.Close() // it is broken
	}
}

// Close implements Place.
func (p *Postgres) Close() error {
	if p.conn == nil {
		return nil
	}
	err := p.conn.Close()
	p.conn, p.taken = nil, false
	return err
}

// Describe implements Place.
func (p *Postgres) Describe(ctx context.Context, q Rendered) ([]Column, error) {
	if err := p.ready(ctx); err != nil {
		return nil, err
	}
	defer p.End() // an error spoils the transaction
	fields, err := describe(ctx, p.conn.Conn(), q.SQL())
	if err != nil || p.types == nil {
		return fields.columns, err
	}
	if err := p.types.Load(ctx, fields.types); err != nil {
		return nil, err
	}
	for i, t := range fields.types {
		if fields.columns[i].Type, _, err = p.types.Map(ctx, t.OID, t.Mod); err != nil {
			return nil, fmt.Errorf("column %q: %w", fields.columns[i].Name, err)
		}
	}
	return fields.columns, nil
}

// described are the columns of a query with their types as the server numbers them.
type described struct {
	columns []Column
	types   []catalog.Type
}

// describe prepares a query and names the types of its columns.
func describe(ctx context.Context, conn *pgx.Conn, sql string) (d described, err error) {
	desc, err := conn.PgConn().Prepare(ctx, "", sql, nil)
	if err != nil {
		return d, err
	}
	var oids []uint32
	var mods []int32
	for _, f := range desc.Fields {
		oids, mods = append(oids, f.DataTypeOID), append(mods, f.TypeModifier)
	}
	var owns []string
	const names = "SELECT COALESCE(array_agg(format_type(t, m) ORDER BY n), '{}') FROM unnest($1::oid[], $2::int[]) WITH ORDINALITY AS u (t, m, n)"
	if err := conn.QueryRow(ctx, names, oids, mods).Scan(&owns); err != nil {
		return d, fmt.Errorf("name types of columns: %w", err)
	}
	for i, f := range desc.Fields {
		d.columns = append(d.columns, Column{Column: snapshot.Column{Name: f.Name, Type: owns[i]}, Own: owns[i]})
		d.types = append(d.types, catalog.Type{OID: f.DataTypeOID, Mod: f.TypeModifier})
	}
	return d, nil
}

// First implements Place.
func (p *Postgres) First(ctx context.Context, q Rendered, n int) ([][]*string, error) {
	if err := p.ready(ctx); err != nil {
		return nil, err
	}
	defer p.End() // a version is asked for anew each time
	return first(ctx, p.conn.Conn(), q.SQL(), n)
}

func first(ctx context.Context, conn *pgx.Conn, sql string, n int) ([][]*string, error) {
	results := conn.PgConn().ExecParams(ctx, fmt.Sprintf("SELECT * FROM (%s\n) AS q LIMIT %d", sql, n), nil, nil, nil, nil)
	var rows [][]*string
	for results.NextRow() {
		var row []*string
		for _, v := range results.Values() {
			if v == nil {
				row = append(row, nil)
				continue
			}
			text := string(v)
			row = append(row, &text)
		}
		rows = append(rows, row)
	}
	_, err := results.Close()
	return rows, err
}

// Literal implements Place.
func (p *Postgres) Literal(text *string, own string) string { return literal(text, own) }

// Row implements Place.
func (p *Postgres) Row(list string, exists bool) string { return row(list, exists) }

func row(list string, exists bool) string {
	if exists {
		return "(SELECT " + list + ")"
	}
	return "(SELECT " + list + " WHERE false)"
}

func literal(text *string, own string) string {
	if text == nil {
		return fmt.Sprintf("CAST(NULL AS %s)", own)
	}
	return fmt.Sprintf("CAST(%s AS %s)", schema.Literal(*text), own)
}

// Fill implements Place.
func (p *Postgres) Fill(ctx context.Context, q Rendered, stage Stage) (int64, error) {
	if err := p.ready(ctx); err != nil {
		return 0, err
	}
	all := chosen(q.SQL(), stage.Columns())
	sql, rows, err := p.narrow(ctx, all, stage)
	if err != nil {
		return 0, err
	}
	n, err := p.copy(ctx, sql, stage)
	if sql != all {
		n = rows
	}
	return n, err
}

// narrow leaves out rows that the target has by their checksums, if the stage wants
// that, and counts all.
func (p *Postgres) narrow(ctx context.Context, sql string, stage Stage) (narrowed string, rows int64, err error) {
	checksums, err := stage.Checksums(ctx, "("+sql+"\n)")
	if err != nil || checksums == "" {
		return sql, 0, err
	}
	where, rows, err := stage.Differ(ctx, func(ctx context.Context, w io.Writer) error {
		_, err := p.conn.CopyTo(ctx, fmt.Sprintf("COPY (%s) TO STDOUT", checksums), w)
		return err
	})
	return fmt.Sprintf("SELECT * FROM (%s\n) AS q WHERE %s", sql, where), rows, err
}

func (p *Postgres) copy(ctx context.Context, sql string, stage Stage) (int64, error) {
	binary, err := p.binary(ctx, sql, stage)
	if err != nil {
		return 0, err
	}
	into, options := stage.Copy, ""
	if binary {
		into, options = stage.CopyBinary, " WITH (FORMAT binary)"
	}
	return into(ctx, func(ctx context.Context, w io.Writer) error {
		_, err := p.conn.CopyTo(ctx, fmt.Sprintf("COPY (%s) TO STDOUT%s", sql, options), w)
		return err
	})
}

// binary tells whether rows may come in COPY's binary format: of built-in types, the
// same at both ends, whose binary form says the same in all versions.
func (p *Postgres) binary(ctx context.Context, sql string, stage Stage) (bool, error) {
	types, err := stage.Types(ctx)
	if err != nil {
		return false, err
	}
	desc, err := p.conn.Conn().PgConn().Prepare(ctx, "", sql, nil)
	if err != nil || len(desc.Fields) != len(types) {
		return false, err
	}
	for i, f := range desc.Fields {
		if f.DataTypeOID != types[i] || !slices.Contains(binaryTypes(), types[i]) {
			return false, nil
		}
	}
	return true, nil
}

// binaryTypes are those whose binary form is an image of their value; COPY's text
// does for all others.
func binaryTypes() []uint32 {
	return []uint32{
		pgtype.BoolOID, pgtype.ByteaOID, pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID, pgtype.TextOID, pgtype.VarcharOID, pgtype.BPCharOID,
		pgtype.Float4OID, pgtype.Float8OID, pgtype.NumericOID, pgtype.DateOID, pgtype.TimeOID, pgtype.TimetzOID, pgtype.TimestampOID, pgtype.TimestamptzOID,
		pgtype.IntervalOID, pgtype.UUIDOID, pgtype.JSONOID, pgtype.JSONBOID, pgtype.BitOID, pgtype.VarbitOID,
	}
}

// chosen selects columns of a query.
func chosen(sql string, columns []string) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = "q." + schema.Ident(c).String()
	}
	return fmt.Sprintf("SELECT %s FROM (%s\n) AS q", strings.Join(names, ", "), sql)
}

// located gives an error of Postgres its place in the flow file.
func located(q *query.Query, r Rendered, err error) error {
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	e := &Error{Pos: q.Text.Pos, Err: err}
	var pg *pgconn.PgError
	var my *mysql.HintError
	if errors.As(err, &my) {
		e.Note = my.Hint
	}
	if errors.As(err, &pg) {
		e.Note = pg.Hint
		if pos, ok := q.Place(r.Edits, int(pg.Position)-1); ok {
			e.Pos = pos
		}
	}
	return e
}
