package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/autocdc/autocdc/snapshot"
)

const (
	parquetBatch = 64 // rows read at a time
	// How much is read of a column at a time; a request to a bucket costs more.
	localBuffer  = 64 << 10
	bucketBuffer = 256 << 10
	minParquet   = 12 // magic bytes at both ends and a length
)

// parquetRows are the rows of a Parquet file. Of each column a page is in memory.
type parquetRows struct {
	in     *notingAt
	groups []parquet.RowGroup // the rest
	rows   parquet.Rows       // of the current group, nil between groups
	batch  []parquet.Row
	left   []parquet.Row // of the batch
	ended  bool          // the group, behind what is left

	cols   []snapshot.Column
	shapes []*shape
	leaves cursor
	row    [][]byte
	text   []byte
	number int64
}

func openParquet(ctx context.Context, s opener, f File, opts Options) (source, error) {
	in, err := s.openAt(ctx, f)
	if err != nil {
		return nil, err
	}
	r := &parquetRows{in: &notingAt{readerAt: in}, batch: make([]parquet.Row, parquetBatch)}
	if err := r.guarded(func() error { return r.open(f, opts) }); err != nil {
		_ = in.Close() // the error before is the one to tell
		return nil, r.explain(err)
	}
	return r, nil
}

func (r *parquetRows) open(f File, opts Options) error {
	if f.Size < minParquet {
		return hinted("write the file again", "it is too short for a Parquet file: %d bytes", f.Size)
	}
	buffer := localBuffer
	if f.bucket != "" {
		buffer = bucketBuffer
	}
	file, err := parquet.OpenFile(r.in, f.Size, &parquet.FileConfig{
		SkipPageIndex: true, SkipBloomFilters: true, OptimisticRead: f.bucket != "", ReadBufferSize: buffer, ReadMode: parquet.ReadModeSync,
	})
	if err != nil {
		return err
	}
	shapes := shapesOf(file)
	for _, s := range shapes {
		pgType, err := s.postgresType()
		if err != nil {
			return err
		}
		s.nanos = opts.declaresText(s.name)
		r.cols = append(r.cols, snapshot.Column{Name: s.name, Type: pgType})
	}
	if err := distinct(r.cols); err != nil {
		return err
	}
	r.groups, r.shapes = file.RowGroups(), shapes
	r.leaves = newCursor(file)
	return nil
}

func distinct(cols []snapshot.Column) error {
	seen := map[string]bool{}
	for _, c := range cols {
		if seen[c.Name] {
			return fmt.Errorf("two columns are named %q", c.Name)
		}
		seen[c.Name] = true
	}
	return nil
}

func (r *parquetRows) columns() []snapshot.Column { return r.cols }
func (r *parquetRows) values() [][]byte           { return r.row }
func (r *parquetRows) line() int64                { return r.number }

func (r *parquetRows) Close() error {
	var err error
	if r.rows != nil {
		err = r.rows.Close()
	}
	return errors.Join(err, r.in.Close())
}

func (r *parquetRows) next(context.Context) (bool, error) {
	r.number++
	some := true
	err := r.guarded(func() error {
		for len(r.left) == 0 && some {
			var err error
			if some, err = r.fill(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, r.explain(err)
	}
	if !some {
		return false, nil
	}
	row := r.left[0]
	r.left = r.left[1:]
	return true, r.take(row)
}

// fill reads the next batch, of the next group if need be.
func (r *parquetRows) fill() (bool, error) {
	if r.rows == nil {
		if len(r.groups) == 0 {
			return false, nil
		}
		r.rows, r.groups, r.ended = r.groups[0].Rows(), r.groups[1:], false
	}
	if r.ended {
		err := r.rows.Close()
		r.rows = nil
		return true, err
	}
	n, err := r.rows.ReadRows(r.batch)
	r.left = r.batch[:n]
	r.ended = errors.Is(err, io.EOF)
	switch {
	case err != nil && !r.ended:
		return false, err
	case n == 0 && !r.ended:
		return false, io.ErrNoProgress
	}
	return true, nil
}

func (r *parquetRows) take(row parquet.Row) error {
	r.leaves.set(row)
	r.row, r.text = r.row[:0], r.text[:0]
	for _, s := range r.shapes {
		start := len(r.text)
		text, null, err := s.value(r.text, &r.leaves)
		switch {
		case err != nil:
			return &RowError{Column: s.name, Err: err, Note: hintOf(err)}
		case null:
			r.row = append(r.row, nil)
		default:
			r.text = text
			r.row = append(r.row, text[start:len(text):len(text)])
		}
	}
	return nil
}

// guarded turns a panic of the library, which trusts some of what it reads, into an
// error.
func (r *parquetRows) guarded(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return do()
}

// explain tells data that is broken from a file that cannot be read.
func (r *parquetRows) explain(err error) error {
	var known *HintError
	switch {
	case r.in.err != nil:
		return r.in.err
	case errors.As(err, &known):
		return err
	}
	return fmt.Errorf("the Parquet data is broken: %w", err)
}

// notingAt remembers why reading failed.
type notingAt struct {
	readerAt
	err error
}

func (n *notingAt) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("an offset before the begin") // broken data, not a broken disk
	}
	m, err := n.readerAt.ReadAt(p, off)
	if err != nil && !errors.Is(err, io.EOF) {
		n.err = err
	}
	return m, err
}

// declaresText says whether the schema wants a column as text.
func (o Options) declaresText(name string) bool {
	at, _ := find(snapshot.Column{Name: name}, o.Schema, Options{FoldNames: true})
	return at >= 0 && slices.Contains([]string{"text", "varchar", "character varying"}, o.Schema[at].Type)
}
