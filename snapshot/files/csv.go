package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/autocdc/autocdc/snapshot"
)

// csv reads comma-separated values, https://www.rfc-editor.org/rfc/rfc4180, and
// what else Postgres takes for them: an empty value without quotes is null, one with
// quotes is not.
type csv struct {
	in     *text
	opts   Options
	cols   []snapshot.Column
	lines  int // read so far
	start  int // line on which the record begins
	raw    []byte
	out    []byte  // values of the record without their quotes
	fields []field // of the record
	values [][]byte
}

// field is a stretch of csv.out.
type field struct {
	start, end int
	quoted     bool
}

var errQuote = errors.New("a quote that opens is not closed")

func newCSV(in *text, opts Options) (*csv, error) {
	c := &csv{in: in, opts: opts}
	if c.opts.Delimiter == 0 {
		c.opts.Delimiter = ','
	}
	if c.opts.Quote == 0 {
		c.opts.Quote = '"'
	}
	if c.opts.Escape == 0 {
		c.opts.Escape = c.opts.Quote
	}
	if opts.NoHeader {
		return c, c.withoutHeader()
	}
	return c, c.header()
}

// header reads the names of the columns.
func (c *csv) header() error {
	if err := c.record(); errors.Is(err, io.EOF) {
		return &RowError{Line: 1, Err: errors.New("the file is empty: it has no header"), Note: "add header => false if its columns have no names"}
	} else if err != nil {
		return err
	}
	seen := map[string]bool{}
	for i, f := range c.fields {
		name := string(c.out[f.start:f.end])
		if c.opts.FoldNames {
			name = strings.ToLower(name)
		}
		switch {
		case name == "":
			return &RowError{Line: c.start, Err: fmt.Errorf("column %d of the header has no name", i+1), Note: "add header => false if the first line is no header"}
		case seen[name]:
			return &RowError{Line: c.start, Err: fmt.Errorf("the header names %q twice", name)}
		}
		seen[name] = true
		c.cols = append(c.cols, snapshot.Column{Name: name, Type: c.typeOf(name)})
	}
	return nil
}

// typeOf is the type that the schema gives a column.
func (c *csv) typeOf(name string) string {
	for _, s := range c.opts.Schema {
		if s.Name == name {
			return s.Type
		}
	}
	return "text"
}

// withoutHeader takes the columns of the schema, or numbers those of the first line.
func (c *csv) withoutHeader() error {
	if c.opts.Schema != nil {
		c.cols = c.opts.Schema
		return nil
	}
	line, err := c.in.Peek(1)
	if len(line) == 0 {
		return &RowError{Line: 1, Err: errors.New("the file is empty: it has no columns"), Note: "add schema => 'name type, …'"}
	}
	_ = err
	return &RowError{Line: 1, Err: errors.New("its columns have no names"), Note: "add schema => 'name type, …', or header => true"}
}

func (c *csv) columns() []snapshot.Column { return c.cols }
func (c *csv) line() int                  { return c.start }
func (c *csv) Close() error               { return c.in.Close() }

func (c *csv) next() ([][]byte, error) {
	if err := c.record(); err != nil {
		return nil, err
	}
	if len(c.fields) != len(c.cols) {
		return nil, &RowError{Line: c.start, Err: fmt.Errorf("the row has %d values, there are %d columns", len(c.fields), len(c.cols))}
	}
	if err := validText(c.out); err != nil {
		return nil, &RowError{Line: c.start, Err: err, Note: "add encoding => 'latin1', or what the file is written in"}
	}
	c.values = c.values[:0]
	for _, f := range c.fields {
		c.values = append(c.values, c.value(f))
	}
	return c.values, nil
}

// value is nil for null.
func (c *csv) value(f field) []byte {
	v := c.out[f.start:f.end:f.end]
	if f.quoted {
		return v
	}
	if c.opts.Null != nil {
		if string(v) == *c.opts.Null {
			return nil
		}
		return v
	}
	if len(v) == 0 {
		return nil
	}
	return v
}

// record reads the fields of the next record; empty lines are none, where there
// are several columns.
func (c *csv) record() error {
	for {
		c.raw, c.out, c.fields = c.raw[:0], c.out[:0], c.fields[:0]
		c.start = c.lines + 1
		if err := c.more(); err != nil {
			return err
		}
		if line := trimEnd(c.raw); len(line) > 0 || len(c.cols) == 1 {
			return c.split()
		}
	}
}

// more appends the next line, with its end, to the record.
func (c *csv) more() error {
	for {
		part, err := c.in.ReadSlice('\n')
		c.raw = append(c.raw, part...)
		switch {
		case err == nil:
			c.lines++
			return nil
		case errors.Is(err, io.EOF) && len(part) > 0:
			c.lines++
			return nil // the last line has no end
		case err.Error() != "bufio: buffer full":
			return err
		}
	}
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
}

// split divides the record.
func (c *csv) split() error {
	at := 0
	for {
		next, last, err := c.field(at)
		if err != nil {
			return err
		}
		if last {
			return nil
		}
		at = next
	}
}

// field reads the value that begins at a byte of the record and returns where the
// next one begins.
func (c *csv) field(at int) (next int, last bool, err error) {
	if at < len(c.raw) && c.raw[at] == c.opts.Quote {
		return c.quotedField(at + 1)
	}
	rest := trimEnd(c.raw)[min(at, len(trimEnd(c.raw))):]
	start := len(c.out)
	end := bytes.IndexByte(rest, c.opts.Delimiter)
	if last = end < 0; last {
		end = len(rest)
	}
	c.out = append(c.out, rest[:end]...)
	c.fields = append(c.fields, field{start, len(c.out), false})
	return at + end + 1, last, nil
}

func (c *csv) quotedField(at int) (next int, last bool, err error) {
	start := len(c.out)
	for {
		if at >= len(c.raw) {
			if err := c.more(); errors.Is(err, io.EOF) {
				return 0, false, &RowError{Line: c.start, Err: errQuote}
			} else if err != nil {
				return 0, false, err
			}
		}
		b := c.raw[at]
		switch {
		case b == c.opts.Escape && b != c.opts.Quote && at+1 < len(c.raw):
			c.out = append(c.out, c.raw[at+1])
			at += 2
		case b == c.opts.Quote && c.opts.Escape == c.opts.Quote && at+1 < len(c.raw) && c.raw[at+1] == b:
			c.out = append(c.out, b)
			at += 2
		case b == c.opts.Quote:
			c.fields = append(c.fields, field{start, len(c.out), true})
			return c.behindQuote(at + 1)
		default:
			n := c.plain(c.raw[at:])
			c.out = append(c.out, c.raw[at:at+n]...)
			at += n
		}
	}
}

// plain counts the bytes before the next quote or escape, at least one.
func (c *csv) plain(rest []byte) int {
	n := bytes.IndexByte(rest[1:], c.opts.Quote)
	if c.opts.Escape != c.opts.Quote {
		if m := bytes.IndexByte(rest[1:], c.opts.Escape); m >= 0 && (n < 0 || m < n) {
			n = m
		}
	}
	if n < 0 {
		return len(rest)
	}
	return n + 1
}

// behindQuote wants a delimiter or the end of the record.
func (c *csv) behindQuote(at int) (next int, last bool, err error) {
	switch rest := c.raw[at:]; {
	case len(trimEnd(rest)) == 0:
		return at, true, nil
	case rest[0] == c.opts.Delimiter:
		return at + 1, false, nil
	}
	return 0, false, &RowError{Line: c.start, Err: fmt.Errorf("behind the quote that closes column %d comes %q", len(c.fields), clip(trimEnd(c.raw[at:])))}
}

func clip(b []byte) string {
	if len(b) > 20 {
		return string(b[:20]) + "…"
	}
	return string(b)
}
