package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/autocdc/autocdc/snapshot"
)

// sample is how many rows of a file tell which columns it has.
const sample = 1000

// jsonLines reads one object a line, https://jsonlines.org.
type jsonLines struct {
	in     *text
	opts   Options
	cols   []snapshot.Column
	ahead  []record // read for the sample
	lines  int
	start  int
	values [][]byte
}

// record is a line: its members in order.
type record struct {
	line    int
	members []member
}

type member struct {
	name string
	raw  json.RawMessage
}

func newJSON(in *text, opts Options) (*jsonLines, error) {
	j := &jsonLines{in: in, opts: opts, cols: opts.Schema}
	if opts.Schema != nil {
		return j, nil
	}
	for len(j.ahead) < sample {
		o, err := j.read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		j.ahead = append(j.ahead, o)
		j.learn(o)
	}
	if len(j.cols) == 0 {
		return nil, &RowError{Line: 1, Err: errors.New("the file has no rows to tell its columns by"), Note: "add schema => 'name type, …'"}
	}
	return j, nil
}

// learn takes over names and types of a row.
func (j *jsonLines) learn(o record) {
	for _, m := range o.members {
		typ := typeOfJSON(m.raw)
		at := slices.IndexFunc(j.cols, func(c snapshot.Column) bool { return c.Name == m.name })
		switch {
		case at < 0:
			j.cols = append(j.cols, snapshot.Column{Name: m.name, Type: first(typ, "text")})
			if typ == "" {
				j.cols[len(j.cols)-1].Type = ""
			}
		case typ == "" || j.cols[at].Type == typ:
		case j.cols[at].Type == "":
			j.cols[at].Type = typ
		case j.cols[at].Type == "jsonb" || typ == "jsonb":
			j.cols[at].Type = "jsonb"
		default:
			j.cols[at].Type = "text"
		}
	}
}

// typeOfJSON is empty for null.
func typeOfJSON(raw json.RawMessage) string {
	switch raw[0] {
	case 'n':
		return ""
	case 't', 'f':
		return "boolean"
	case '"':
		return "text"
	case '{', '[':
		return "jsonb"
	}
	return "numeric"
}

func (j *jsonLines) columns() []snapshot.Column {
	cols := slices.Clone(j.cols)
	for i := range cols {
		cols[i].Type = first(cols[i].Type, "text")
	}
	return cols
}

func (j *jsonLines) line() int    { return j.start }
func (j *jsonLines) Close() error { return j.in.Close() }

func (j *jsonLines) next() ([][]byte, error) {
	var o record
	var err error
	if len(j.ahead) > 0 {
		o, j.ahead = j.ahead[0], j.ahead[1:]
	} else if o, err = j.read(); err != nil {
		return nil, err
	}
	j.start = o.line
	j.values = append(j.values[:0], make([][]byte, len(j.cols))...)
	for _, m := range o.members {
		at := slices.IndexFunc(j.cols, func(c snapshot.Column) bool { return c.Name == m.name })
		if at < 0 {
			return nil, &RowError{
				Line: o.line, Err: fmt.Errorf("the row has %q, which the first %d rows do not have", m.name, sample),
				Note: "name all columns with schema => 'name type, …'",
			}
		}
		if j.values[at], err = valueOf(m.raw, j.cols[at].Type); err != nil {
			return nil, &RowError{Line: o.line, Err: fmt.Errorf("column %q: %w", m.name, err)}
		}
	}
	return j.values, nil
}

// valueOf gives strings without their quotes, unless the column is JSON itself.
func valueOf(raw json.RawMessage, typ string) ([]byte, error) {
	if raw[0] == 'n' {
		return nil, nil
	}
	if raw[0] != '"' || strings.HasPrefix(typ, "json") {
		return raw, nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	return []byte(s), validText([]byte(s))
}

// read reads the next line that is not empty.
func (j *jsonLines) read() (record, error) {
	for {
		line, err := j.in.ReadBytes('\n')
		if len(line) > 0 {
			j.lines++
		}
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 {
			return j.parse(trimmed)
		}
		if err != nil {
			return record{}, err
		}
	}
}

func (j *jsonLines) parse(line []byte) (record, error) {
	o := record{line: j.lines}
	fail := func(err error) (record, error) {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF // of the line, not of the file
		}
		return o, &RowError{Line: j.lines, Err: fmt.Errorf("no JSON object: %w", err), Note: "the format is one object a line"}
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	if t, err := dec.Token(); err != nil {
		return fail(err)
	} else if t != json.Delim('{') {
		return fail(fmt.Errorf("it begins with %v", t))
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return fail(err)
		}
		m := member{name: key.(string)}
		if j.opts.FoldNames {
			m.name = strings.ToLower(m.name)
		}
		if err := dec.Decode(&m.raw); err != nil {
			return fail(err)
		}
		if slices.ContainsFunc(o.members, func(other member) bool { return other.name == m.name }) {
			return fail(fmt.Errorf("%q is there twice", m.name))
		}
		o.members = append(o.members, m)
	}
	if _, err := dec.Token(); err != nil {
		return fail(err)
	}
	if dec.More() {
		return fail(errors.New("something follows it"))
	}
	return o, nil
}
