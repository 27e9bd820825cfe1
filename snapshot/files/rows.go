package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/autocdc/autocdc/snapshot"
)

// source is the rows of one file.
type source interface {
	// columns are those of the file, in its own order.
	columns() []snapshot.Column
	// next goes to the next row; false at the end.
	next(ctx context.Context) (bool, error)
	// values are those of the row, until the next call of next.
	values() [][]byte
	// line is where the row begins, or where an error is; 0 if nowhere.
	line() int64
	io.Closer
}

// rows are those of several files, one after the other.
type rows struct {
	opts   Options
	files  []File // the rest, the current one first
	stores map[string]store
	cols   []snapshot.Column
	own    int // how many of cols come from the files

	current source // nil between files
	cancel  context.CancelFunc
	done    <-chan struct{} // of the context that is watched
	unhook  func() bool
	at      []int // per column of cols, its place in the current file
	meta    [][]byte
	row     [][]byte
	err     error
	closed  bool
}

// Open reads files one after the other. All must have the columns of the first, or
// those of Options.Schema, in any order; a file that lacks one or has another is an
// error when it is reached. Errors about a file are *RowError. Without files the
// columns are those of the schema.
func Open(ctx context.Context, list []File, opts Options) (snapshot.Rows, error) {
	if len(list) == 0 && opts.Schema == nil {
		return nil, hinted("say which columns there are: schema => 'id bigint, name text'", "read files: there is none to tell the columns by")
	}
	r := &rows{opts: opts, files: list, stores: map[string]store{}, cols: opts.Schema, own: len(opts.Schema)}
	if len(list) > 0 {
		if err := r.open(ctx); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	if opts.Metadata {
		r.cols = append(r.cols[:r.own:r.own], MetadataColumns...)
	}
	return r, nil
}

// Columns never change.
func (r *rows) Columns() []snapshot.Column { return r.cols }

// Values are valid until the next call of Next.
func (r *rows) Values() [][]byte { return r.row }

// Err is what ended the stream, nil at its end.
func (r *rows) Err() error { return r.err }

// Where is path:line; of a Parquet file the row.
func (r *rows) Where() string {
	if r.current == nil || len(r.files) == 0 {
		return "the end of the files"
	}
	return place(r.files[0].Path, r.current.line())
}

// Next goes to the next row, of the next file if need be.
func (r *rows) Next(ctx context.Context) bool {
	for r.err == nil && !r.closed && len(r.files) > 0 {
		if r.err = ctx.Err(); r.err != nil {
			return false
		}
		if r.current == nil {
			if r.err = r.open(ctx); r.err != nil {
				return false
			}
		}
		r.watch(ctx)
		some, err := r.current.next(ctx)
		switch {
		case err != nil:
			r.err = r.fault(ctx, err)
		case some:
			r.take()
			return true
		default:
			r.err = r.leave()
			r.files = r.files[1:]
		}
	}
	return false
}

// take puts the values in the order of the columns.
func (r *rows) take() {
	values := r.current.values()
	r.row = r.row[:0]
	for _, at := range r.at {
		r.row = append(r.row, values[at])
	}
	r.row = append(r.row, r.meta...)
}

// watch makes the end of ctx end what the current file waits for.
func (r *rows) watch(ctx context.Context) {
	if ctx.Done() == r.done {
		return
	}
	r.unwatch()
	r.done = ctx.Done()
	r.unhook = context.AfterFunc(ctx, r.cancel)
}

func (r *rows) unwatch() {
	if r.unhook != nil {
		r.unhook()
	}
	r.unhook, r.done = nil, nil
}

// leave closes the current file.
func (r *rows) leave() error {
	r.unwatch()
	var err error
	if r.current != nil {
		err = r.current.Close()
	}
	if r.cancel != nil {
		r.cancel()
	}
	r.current, r.cancel = nil, nil
	return err
}

// Close frees everything.
func (r *rows) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	errs := []error{r.leave()}
	for _, s := range r.stores {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// fault places an error in the current file.
func (r *rows) fault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("read %s: %w", r.files[0].Path, ctx.Err())
	}
	var known *RowError
	if !errors.As(err, &known) {
		known = &RowError{Err: bare(err)}
	}
	known.Path = r.files[0].Path
	if known.Line == 0 && r.current != nil {
		known.Line = r.current.line()
	}
	return known
}

// open opens the first of the files that are left. The context of the file has the
// values of ctx but ends with it only while it is watched.
func (r *rows) open(ctx context.Context) error {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	r.cancel = cancel
	r.watch(ctx)
	err := r.openFile(own, r.files[0])
	if err == nil {
		err = r.arrange()
	}
	if err != nil {
		err = r.fault(ctx, err)
		return errors.Join(err, r.leave())
	}
	if r.opts.Metadata {
		r.meta = r.files[0].metadata()
	}
	return nil
}

func (r *rows) openFile(ctx context.Context, f File) error {
	s, ok := r.stores[f.bucket]
	if !ok {
		var err error
		if s, err = openStore(ctx, f.bucket); err != nil {
			return err
		}
		r.stores[f.bucket] = s
	}
	opts := r.opts
	if opts.Schema == nil {
		opts.learned = r.cols[:r.own]
	}
	current, err := openSource(ctx, s, f, opts)
	if current != nil {
		r.current = current // also of an error: it knows the line
	}
	return err
}

// arrange finds the columns in the current file.
func (r *rows) arrange() error {
	have := r.current.columns()
	if r.cols == nil {
		r.cols = r.foldedColumns(have)
		r.own = len(r.cols)
	}
	places, err := match(r.cols[:r.own], have, r.opts)
	r.at = places
	return err
}

func (r *rows) foldedColumns(have []snapshot.Column) []snapshot.Column {
	all := append([]snapshot.Column(nil), have...)
	for i := range all {
		if r.opts.FoldNames {
			all[i].Name = strings.ToLower(all[i].Name)
		}
	}
	return all
}
