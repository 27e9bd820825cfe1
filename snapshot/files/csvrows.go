package files

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/autocdc/autocdc/snapshot"
)

// csvRows are the rows of one CSV file.
type csvRows struct {
	in     io.Closer
	scan   *scanner
	cols   []snapshot.Column
	row    [][]byte
	failed int64 // line of an error that is not where the record begins
}

func openCSV(in io.ReadCloser, f File, opts Options) (source, error) {
	text, err := decoded(in, opts.encoding)
	if err != nil {
		return nil, err
	}
	format, _ := splitExtension(f.Name)
	r := &csvRows{in: in, scan: newScanner(newWindow(text, windowSize, maxRecord), opts.csv.filled(format))}
	if opts.noHeader {
		err = r.headless(opts)
	} else {
		err = r.header()
	}
	r.scan.single = len(r.cols) == 1
	return r, err
}

// header takes the names of the columns from the first record.
func (r *csvRows) header() error {
	some, err := r.scan.next()
	switch {
	case err != nil:
		return r.fault(err)
	case !some:
		return hinted("a file without rows still has a header; header => false reads files that have none", "the file is empty: it has no header")
	}
	seen := map[string]int{}
	for i, name := range r.scan.values(nil) {
		first, twice := seen[string(name)]
		switch {
		case len(name) == 0:
			return hinted("name it, or read files without names by header => false", "the header has no name for column %d", i+1)
		case twice:
			return fmt.Errorf("the header names %q twice, columns %d and %d", name, first, i+1)
		}
		seen[string(name)] = i + 1
		r.cols = append(r.cols, snapshot.Column{Name: string(name), Type: "text"})
	}
	return nil
}

// headless takes the columns from the schema or, unnamed, from the first record,
// which stays to be read.
func (r *csvRows) headless(opts Options) error {
	if opts.Schema != nil {
		r.cols = opts.Schema
		return nil
	}
	some, err := r.scan.next()
	switch {
	case err != nil:
		return r.fault(err)
	case !some:
		return hinted("say which columns there are: schema => 'id bigint, name text'", "the file is empty: it has no columns")
	}
	for i := range r.scan.fields {
		r.cols = append(r.cols, snapshot.Column{Name: fmt.Sprintf("_c%d", i), Type: "text"})
	}
	r.scan.again()
	return nil
}

func (r *csvRows) columns() []snapshot.Column { return r.cols }
func (r *csvRows) values() [][]byte           { return r.row }
func (r *csvRows) Close() error               { return r.in.Close() }

func (r *csvRows) line() int64 {
	if r.failed > 0 {
		return r.failed
	}
	return r.scan.line
}

func (r *csvRows) next(context.Context) (bool, error) {
	some, err := r.scan.next()
	if err != nil {
		return false, r.fault(err)
	}
	if some && len(r.scan.fields) != len(r.cols) {
		return false, fmt.Errorf("the row has %d fields, where the header has %d", len(r.scan.fields), len(r.cols))
	}
	r.row = r.scan.values(r.row[:0])
	return some, nil
}

// fault says of an error what the scanner knows: an open quote is where it opens,
// what cannot be read is on the last line that was read.
func (r *csvRows) fault(err error) error {
	quoting := errors.Is(err, errOpenQuote) || errors.Is(err, errAfterQuote)
	r.failed = r.scan.line + r.scan.openLines
	if !quoting {
		r.failed = r.scan.line + r.scan.lines
		return err
	}
	if c := r.scan.column; c < len(r.cols) {
		return &RowError{Column: r.cols[c].Name, Err: err}
	}
	return err
}
