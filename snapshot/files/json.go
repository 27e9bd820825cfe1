package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/autocdc/autocdc/snapshot"
)

// The rows that tell which columns there are: so many, in at most so many bytes.
const (
	sampleRows  = 1000
	sampleBytes = 4 << 20
)

// jsonRows are the rows of a file of JSON objects, one a line (https://jsonlines.org).
type jsonRows struct {
	in     io.Closer
	lines  *window
	size   int // of the line that was read last, with its end
	number int64
	object object

	cols   []snapshot.Column
	places map[string]int
	fold   bool // columns in small letters take keys of any case
	kinds  []kind
	row    [][]byte
	set    []bool   // per column: the row has a value
	text   []byte   // what the values are made of, where they are not in the line
	sample [][]byte // lines that were read to learn the columns
	first  []int64  // their numbers
}

func openJSON(in io.ReadCloser, opts Options) (source, error) {
	text, err := decoded(in, opts.encoding)
	if err != nil {
		return nil, err
	}
	r := &jsonRows{in: in, lines: newWindow(text, windowSize, maxRecord), places: map[string]int{}, fold: opts.FoldNames}
	switch {
	case opts.Schema != nil:
		r.fold = true
		for _, c := range opts.Schema {
			r.add(c.Name, kindOfType(c.Type), c.Type)
		}
	case opts.learned != nil:
		for _, c := range opts.learned {
			r.add(c.Name, learnedKind(c.Type), c.Type)
		}
	default:
		return r, r.learn()
	}
	return r, nil
}

func (r *jsonRows) add(name string, k kind, pgType string) {
	r.places[name] = len(r.cols)
	r.cols = append(r.cols, snapshot.Column{Name: name, Type: pgType})
	r.kinds = append(r.kinds, k)
}

// learn reads the first rows for the names and kinds of their members, in the order
// in which they appear.
func (r *jsonRows) learn() error {
	bytesRead := 0
	for len(r.sample) < sampleRows && bytesRead < sampleBytes {
		line, err := r.readLine()
		if err != nil {
			return err
		}
		if line == nil {
			break
		}
		if err := r.parse(line); err != nil {
			return err
		}
		for _, m := range r.object.members {
			if at, ok := r.place(m.name); ok {
				r.kinds[at] = r.kinds[at].with(kindOf(m.value))
			} else {
				r.add(r.folded(m.name), kindOf(m.value), "")
			}
		}
		r.sample, r.first = append(r.sample, bytes.Clone(line)), append(r.first, r.number)
		bytesRead += len(line)
	}
	if len(r.sample) == 0 {
		return hinted("say which columns there are: schema => 'id bigint, name text'", "the file is empty: it has no columns")
	}
	for i, k := range r.kinds {
		r.cols[i].Type = k.postgresType()
	}
	return nil
}

func (r *jsonRows) folded(name []byte) string {
	if r.fold {
		return strings.ToLower(string(name))
	}
	return string(name)
}

func (r *jsonRows) columns() []snapshot.Column { return r.cols }
func (r *jsonRows) values() [][]byte           { return r.row }
func (r *jsonRows) line() int64                { return r.number }
func (r *jsonRows) Close() error               { return r.in.Close() }

func (r *jsonRows) next(context.Context) (bool, error) {
	line, err := r.nextLine()
	if line == nil || err != nil {
		return false, err
	}
	if err := r.parse(line); err != nil {
		return false, err
	}
	return true, r.take()
}

// nextLine gives the lines of the sample once more, then those behind it.
func (r *jsonRows) nextLine() ([]byte, error) {
	if len(r.sample) == 0 {
		return r.readLine()
	}
	line := r.sample[0]
	r.number = r.first[0]
	r.sample, r.first = r.sample[1:], r.first[1:]
	if len(r.sample) == 0 {
		r.sample, r.first = nil, nil
	}
	return line, nil
}

// readLine gives the next line that is not blank; nil at the end.
func (r *jsonRows) readLine() ([]byte, error) {
	for {
		line, err := r.anyLine()
		if line == nil || err != nil {
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}

// anyLine counts lines where they begin: an error is on the one that is next.
func (r *jsonRows) anyLine() ([]byte, error) {
	r.lines.skip(r.size)
	r.number++
	searched := 0
	r.size = 0
	for {
		data := r.lines.bytes()
		if i := bytes.IndexByte(data[searched:], '\n'); i >= 0 {
			r.size = searched + i + 1
			return data[:r.size], nil
		}
		searched = len(data)
		some, err := r.lines.more()
		if err != nil {
			return nil, err
		}
		if !some {
			r.size = searched
			if searched == 0 {
				return nil, nil
			}
			return r.lines.bytes(), nil
		}
	}
}

var errNoObject = errors.New("a line is not a JSON object")

// parse takes a line apart.
func (r *jsonRows) parse(line []byte) error {
	if !json.Valid(line) {
		var v any
		err := json.Unmarshal(line, &v)
		return &RowError{Value: string(line), Err: fmt.Errorf("not valid JSON: %w", err), Note: noteOfLine(line)}
	}
	if line[0] != '{' {
		return &RowError{Value: string(line), Err: errNoObject, Note: noteOfLine(line)}
	}
	return r.object.parse(line)
}

func noteOfLine(line []byte) string {
	if line[0] == '[' || len(line) == 1 && line[0] == '{' {
		return "files of JSON have one object on each line; jq -c '.[]' makes that of an array"
	}
	return ""
}

// take makes the values of the row.
func (r *jsonRows) take() error {
	r.row, r.text = r.row[:0], r.text[:0]
	for range r.cols {
		r.row = append(r.row, nil)
	}
	r.set = append(r.set[:0], make([]bool, len(r.cols))...)
	for _, m := range r.object.members {
		at, ok := r.place(m.name)
		if !ok {
			return &RowError{Err: fmt.Errorf("there is no column for the key %q", m.name), Note: fmt.Sprintf(
				"the first %d rows of the first file, or the option schema, say which columns there are", sampleRows)}
		}
		value, err := r.value(m.value, r.kinds[at])
		if err != nil {
			return &RowError{Column: string(m.name), Value: string(m.value), Err: err, Note: hintOf(err)}
		}
		if r.set[at] { // by a key that differs in case
			return &RowError{Err: errTwice(m.name)}
		}
		r.row[at], r.set[at] = value, true
	}
	return nil
}
