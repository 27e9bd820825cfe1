package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/autocdc/autocdc/snapshot"
)

// source reads the rows of one file.
type source interface {
	columns() []snapshot.Column
	// next returns io.EOF behind the last row. The values hold until the next call.
	next() ([][]byte, error)
	line() int // where the row begins
	io.Closer
}

// RowError is a fault at a place of a file.
type RowError struct {
	Path string
	Line int
	Err  error
	Note string
}

func (e *RowError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err) }

// Unwrap returns the cause.
func (e *RowError) Unwrap() error { return e.Err }

// Hint says what helps.
func (e *RowError) Hint() string { return e.Note }

// Open reads files one after the other. All must have the columns of the first, in
// any order; with Options.Schema those. ctx is for the whole reading.
func Open(ctx context.Context, list []File, opts Options) (snapshot.Rows, error) {
	if len(list) == 0 {
		return nil, errors.New("read files: there is none")
	}
	r := &rows{ctx: ctx, files: list, opts: opts}
	if err := r.open(); err != nil {
		return nil, err
	}
	r.names = r.current.columns()
	r.all = r.names
	if opts.Metadata {
		r.all = slices.Concat(r.names, MetadataColumns)
	}
	return r, r.arrange()
}

// rows implements snapshot.Rows.
type rows struct {
	ctx     context.Context //nolint:containedctx // files are opened while rows are read
	files   []File          // the current one and those after it
	opts    Options
	current source // nil at the end
	names   []snapshot.Column
	all     []snapshot.Column
	at      []int // per column of names, its place in the current file
	values  [][]byte
	err     error
}

func (r *rows) Columns() []snapshot.Column { return r.all }
func (r *rows) Values() [][]byte           { return r.values }
func (r *rows) Err() error                 { return r.err }

func (r *rows) Where() string {
	if r.current == nil {
		return "behind the last row"
	}
	return fmt.Sprintf("%s:%d", r.files[0].Path, r.current.line())
}

func (r *rows) Close() error {
	if r.current == nil {
		return nil
	}
	err := r.current.Close()
	r.current = nil
	return err
}

// Next goes to the next row, of the next file if need be.
func (r *rows) Next(ctx context.Context) bool {
	for r.current != nil && r.err == nil {
		if r.err = ctx.Err(); r.err != nil {
			return false
		}
		values, err := r.current.next()
		switch {
		case errors.Is(err, io.EOF):
			r.err = r.nextFile()
		case err != nil:
			r.err = r.placed(err)
		default:
			r.take(values)
			return true
		}
	}
	return false
}

func (r *rows) take(values [][]byte) {
	r.values = r.values[:0]
	for _, at := range r.at {
		r.values = append(r.values, values[at])
	}
	if r.opts.Metadata {
		f := r.files[0]
		r.values = append(r.values, []byte(f.Path), []byte(f.Name), strconv.AppendInt(nil, f.Size, 10),
			[]byte(f.ModTime.Format("2006-01-02 15:04:05.999999-07")))
	}
}

func (r *rows) placed(err error) error {
	if known, ok := errors.AsType[*RowError](err); ok {
		known.Path = r.files[0].Path
		return known
	}
	return fmt.Errorf("read %s near line %d: %w", r.files[0].Path, r.current.line(), err)
}

func (r *rows) nextFile() error {
	err := r.Close()
	if r.files = r.files[1:]; err != nil || len(r.files) == 0 {
		return err
	}
	if err := r.open(); err != nil {
		return err
	}
	return r.arrange()
}

// open opens the first of the files that are left.
func (r *rows) open() error {
	f := r.files[0]
	var err error
	if r.current, err = open(r.ctx, f, r.opts); err != nil {
		r.current = nil
		if known, ok := errors.AsType[*RowError](err); ok {
			known.Path = f.Path
			return known
		}
		return fmt.Errorf("read %s: %w", f.Path, bare(err))
	}
	return nil
}

// arrange finds the columns in the current file.
func (r *rows) arrange() error {
	have := r.current.columns()
	var missing, extra []string
	r.at = r.at[:0]
	for _, want := range r.names {
		at := slices.IndexFunc(have, func(c snapshot.Column) bool { return c.Name == want.Name })
		if at < 0 {
			missing = append(missing, want.Name)
		}
		r.at = append(r.at, at)
	}
	for _, c := range have {
		if !slices.ContainsFunc(r.names, func(want snapshot.Column) bool { return want.Name == c.Name }) {
			extra = append(extra, c.Name)
		}
	}
	var what []string
	if len(missing) > 0 {
		what = append(what, "it lacks "+strings.Join(missing, ", "))
	}
	if len(extra) > 0 {
		what = append(what, "it has "+strings.Join(extra, ", ")+" besides")
	}
	if len(what) == 0 {
		return nil
	}
	err := &HintError{
		fmt.Errorf("read %s: its columns are not those that were expected: %s", r.files[0].Path, strings.Join(what, "; ")),
		"files of one snapshot have the same columns; read others in a flow of their own, or leave them out with a condition on _metadata.file_name",
	}
	return errors.Join(err, r.Close())
}

// open opens one file in its format.
func open(ctx context.Context, f File, opts Options) (source, error) {
	name, packing := unpacked(f.Name, opts.Compression)
	format := opts.Format
	if format == "" {
		if format = formatOf(name); format == "" {
			return nil, &HintError{errors.New("its name does not say which format it has"), "add format => 'csv', 'json' or 'parquet'"}
		}
	}
	if format == "parquet" {
		return openParquet(ctx, f)
	}
	text, err := openText(ctx, f, packing, opts.Encoding)
	if err != nil {
		return nil, err
	}
	var s source
	if format == "json" {
		s, err = newJSON(text, opts)
	} else {
		s, err = newCSV(text, opts)
	}
	if err != nil {
		return nil, errors.Join(err, text.Close())
	}
	return s, nil
}

func formatOf(name string) string {
	switch name = strings.ToLower(name); {
	case strings.HasSuffix(name, ".csv"), strings.HasSuffix(name, ".tsv"), strings.HasSuffix(name, ".txt"):
		return "csv"
	case strings.HasSuffix(name, ".json"), strings.HasSuffix(name, ".jsonl"), strings.HasSuffix(name, ".ndjson"):
		return "json"
	case strings.HasSuffix(name, ".parquet"):
		return "parquet"
	}
	return ""
}
