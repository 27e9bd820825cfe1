package feed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/snapshot"
	"github.com/autocdc/autocdc/snapshot/files"
	"github.com/autocdc/autocdc/snapshot/query"
)

// metadata are what _metadata tells of a file, and how files calls it.
var metadata = map[string]string{
	"file_path": "__file_path", "file_name": "__file_name", "file_size": "__file_size", "file_modification_time": "__file_modification_time",
}

func isMetadata(column string) bool {
	return slices.ContainsFunc(files.MetadataColumns, func(c snapshot.Column) bool { return c.Name == column })
}

// withFiles puts relations in the place of read_files and list_files; read makes
// that of the first.
func (t *Target) withFiles(ctx context.Context, q Rendered, read func(ctx context.Context, q Rendered, i int) (string, error)) (Rendered, error) {
	edits := slices.Clone(q.Edits)
	for _, m := range q.Meta {
		column := metadata[m.Name]
		if column == "" {
			return q, &Error{Pos: m.Pos, Err: fmt.Errorf("_metadata has no %s", m.Name), Note: "it has file_name, file_path, file_size and file_modification_time"}
		}
		edits = append(edits, m.As(column))
	}
	q = Rendered{q.Query, edits}
	for i, f := range q.Files {
		var relation string
		var err error
		if f.List {
			relation, err = t.list(ctx, f)
		} else {
			relation, err = read(ctx, q, i)
		}
		if err != nil {
			return q, at(f, err)
		}
		edits = append(edits, f.As(relation))
	}
	return Rendered{q.Query, edits}, nil
}

// at gives an error the place of a call.
func at(f query.Files, err error) error {
	e := &Error{Pos: f.Pos, Err: err}
	var hint interface{ Hint() string }
	if errors.As(err, &hint) {
		e.Note = hint.Hint()
	}
	return e
}

// list is the relation of list_files.
func (t *Target) list(ctx context.Context, f query.Files) (string, error) {
	found, err := files.List(ctx, f.Location)
	if err != nil {
		return "", err
	}
	return relation(found, "path", "name", "size", "modification_time"), nil
}

// relation has a row for each file.
func relation(found []files.File, path, name, size, modified string) string {
	columns := make([][]string, 4)
	for _, f := range found {
		columns[0] = append(columns[0], schema.Literal(f.Path))
		columns[1] = append(columns[1], schema.Literal(f.Name))
		columns[2] = append(columns[2], strconv.FormatInt(f.Size, 10))
		columns[3] = append(columns[3], schema.Literal(f.ModTime.Format("2006-01-02 15:04:05.999999-07")))
	}
	arrays := make([]string, 4)
	for i, typ := range []string{"text", "text", "bigint", "timestamptz"} {
		arrays[i] = fmt.Sprintf("CAST(ARRAY[%s] AS %s[])", strings.Join(columns[i], ", "), typ)
	}
	return fmt.Sprintf("(SELECT * FROM unnest(%s) AS f (%s, %s, %s, %s))", strings.Join(arrays, ", "), path, name, size, modified)
}

func (t *Target) options(q Rendered, i int) files.Options {
	opts, _ := files.Parse(q.Files[i].Options) // its faults have been reported
	opts.Metadata, opts.FoldNames = len(q.Meta) > 0, t.fold
	return opts
}

// shape is an empty relation with the columns of the newest file.
func (t *Target) shape(ctx context.Context, q Rendered, i int) (string, error) {
	columns, err := t.columnsOf(ctx, q, i)
	if err != nil {
		return "", err
	}
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = fmt.Sprintf("CAST(NULL AS %s) AS %s", c.Type, schema.Ident(c.Name))
	}
	return row(strings.Join(list, ", "), false), nil
}

func (t *Target) columnsOf(ctx context.Context, q Rendered, i int) ([]snapshot.Column, error) {
	opts := t.options(q, i)
	found, err := files.List(ctx, q.Files[i].Location)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		if opts.Schema == nil {
			return nil, &files.HintError{Err: fmt.Errorf("%q has no files yet to tell the columns by", q.Files[i].Location), Note: "add schema => 'name type, …'"}
		}
		return slices.Concat(opts.Schema, files.MetadataColumns[:map[bool]int{true: 4}[opts.Metadata]]), nil
	}
	newest := slices.MaxFunc(found, func(a, b files.File) int { return a.ModTime.Compare(b.ModTime) })
	rows, err := files.Open(ctx, []files.File{newest}, opts)
	if err != nil {
		return nil, err
	}
	return rows.Columns(), rows.Close()
}

// chosenFiles are those that the conditions on _metadata let through.
func (t *Target) chosenFiles(ctx context.Context, q Rendered, i int) ([]files.File, error) {
	f := q.Files[i]
	found, err := files.List(ctx, f.Location)
	if err != nil {
		return nil, err
	}
	for _, c := range f.Pruning {
		if found, err = t.prune(ctx, q, f, c, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// prune drops files for which a condition is not true. One that needs more than
// _metadata is left to the query.
func (t *Target) prune(ctx context.Context, q Rendered, f query.Files, c query.Condition, found []files.File) ([]files.File, error) {
	if len(found) == 0 {
		return found, nil
	}
	sql := fmt.Sprintf("SELECT __file_path FROM %s AS %s WHERE %s", relation(found, "__file_path", "__file_name", "__file_size", "__file_modification_time"),
		f.Qualifier, q.Part(c, q.Edits))
	rows, err := first(ctx, t.conn, sql, len(found))
	var pg *pgconn.PgError
	if errors.As(err, &pg) && slices.Contains([]string{"42703", "42P01", "42702"}, pg.Code) {
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(f files.File) bool {
		return !slices.ContainsFunc(rows, func(r []*string) bool { return *r[0] == f.Path })
	}), nil
}

// load reads files into a temporary table.
func (t *Target) load(ctx context.Context, q Rendered, i int, stage Stage) (string, error) {
	chosen, err := t.chosenFiles(ctx, q, i)
	if err != nil {
		return "", err
	}
	if len(chosen) == 0 {
		return t.shape(ctx, q, i)
	}
	opts := t.options(q, i)
	rows, err := files.Open(ctx, chosen, opts)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	name, columns := fmt.Sprintf("read_files_%d", i+1), rows.Columns()
	_, err = stage.Load(ctx, name, columns, func(ctx context.Context, w io.Writer) error {
		_, err := snapshot.WriteText(ctx, rows, upTo(len(columns)), w)
		return err
	})
	return "pg_temp." + name, found(ctx, chosen, opts, err)
}

func upTo(n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	return at
}

// pass brings the rows of files into the stage as they are.
func (t *Target) pass(ctx context.Context, q Rendered, stage Stage) (int64, error) {
	ready, err := t.withFiles(ctx, q, func(context.Context, Rendered, int) (string, error) { return "", nil })
	if err != nil {
		return 0, err
	}
	ready.Edits = ready.Edits[:len(ready.Edits)-1]
	chosen, err := t.chosenFiles(ctx, ready, 0)
	if err != nil {
		return 0, at(q.Files[0], err)
	}
	if len(chosen) == 0 {
		return 0, nil
	}
	opts := t.options(q, 0)
	opts.Metadata = false
	rows, err := files.Open(ctx, chosen, opts)
	if err != nil {
		return 0, at(q.Files[0], err)
	}
	defer rows.Close()
	places, err := find(q.Query, rows.Columns(), stage.Columns())
	if err != nil {
		return 0, err
	}
	n, err := stage.Copy(ctx, func(ctx context.Context, w io.Writer) error {
		_, err := snapshot.WriteText(ctx, rows, places, w)
		return err
	})
	if err = found(ctx, chosen, opts, err); err != nil {
		return 0, at(q.Files[0], err)
	}
	return n, nil
}

// copyLine is how Postgres says which row of a COPY it refused.
var copyLine = regexp.MustCompile(`^COPY [^,]+, line (\d+)(?:, column (.+?)(?:: .*)?)?$`)

// found adds to an error of Postgres in which file and line the row is.
func found(ctx context.Context, list []files.File, opts files.Options, err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return err
	}
	m := copyLine.FindStringSubmatch(pg.Where)
	if m == nil {
		return err
	}
	n, _ := strconv.Atoi(m[1])
	where := fmt.Sprintf("row %d", n)
	if rows, err := files.Open(ctx, list, opts); err == nil {
		for range n {
			rows.Next(ctx)
		}
		where = rows.Where()
		_ = rows.Close()
	}
	if m[2] != "" {
		where += ", column " + m[2]
	}
	return &files.HintError{Err: fmt.Errorf("%s: %w", where, err), Note: "correct the file, or give the column another type with schema => '…' or in CREATE STREAMING TABLE"}
}
