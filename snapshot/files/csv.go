package files

import (
	"bytes"
	"errors"
	"fmt"
)

// dialect is a form of CSV; zero values stand for the defaults.
type dialect struct {
	delimiter, quote, escape byte
	noQuote                  bool
	null                     string // what stands for null without quotes
}

// filled puts the defaults in: those of RFC 4180 and of COPY, and the tab for
// files named .tsv.
func (d dialect) filled(format string) dialect {
	if d.delimiter == 0 {
		d.delimiter = ','
		if format == "tsv" || format == "tab" {
			d.delimiter = '\t'
		}
	}
	if d.quote == 0 {
		d.quote = '"'
	}
	if d.escape == 0 {
		d.escape = d.quote
	}
	return d
}

// check refuses characters that would mean two things.
func (d dialect) check() error {
	f := d.filled("")
	switch {
	case d.noQuote || f.delimiter != f.quote && f.delimiter != f.escape:
		return nil
	case f.delimiter == f.quote:
		return fmt.Errorf("delimiter and quote are the same character, %q", f.quote)
	}
	return fmt.Errorf("delimiter and escape are the same character, %q", f.escape)
}

var (
	errOpenQuote  = errors.New("a quote is opened here and never closed")
	errAfterQuote = errors.New("text after the closing quote")
	errBareReturn = errors.New("a carriage return that ends no line")
)

// field is where a value is in the window; quoted ones are never null.
type field struct {
	start, end int
	quoted     bool
}

// scanner splits CSV into records. It follows RFC 4180 and, where that is silent,
// Postgres's COPY: lines end with \n or \r\n, a quote within a field that does not
// begin with one is a character like others, an escape that escapes nothing too.
type scanner struct {
	in        *window
	dialect   dialect
	ends      [256]bool // what ends a field without quotes
	single    bool      // of one column: an empty line is a record
	fields    []field
	size      int   // of the record, with the end of its line
	repeat    bool  // the record is to be given again
	line      int64 // on which the record begins
	lines     int64 // the record's own
	column    int   // the field that is being read, from 0
	openLines int64 // lines of the record before that field
}

func newScanner(in *window, d dialect) *scanner {
	s := &scanner{in: in, dialect: d, line: 1}
	s.ends[d.delimiter], s.ends['\n'], s.ends['\r'] = true, true, true
	return s
}

// next reads a record; false at the end of the file.
func (s *scanner) next() (bool, error) {
	if s.repeat {
		s.repeat = false
		return true, nil
	}
	for {
		s.in.skip(s.size)
		s.line += s.lines
		s.fields, s.size, s.lines = s.fields[:0], 0, 0
		if some, err := s.has(0); !some {
			return false, err
		}
		if err := s.record(); err != nil {
			return false, err
		}
		if s.single || len(s.fields) > 1 || s.fields[0].end > 0 || s.fields[0].quoted {
			return true, nil
		}
	}
}

// again makes next give the same record once more.
func (s *scanner) again() { s.repeat = true }

// has says whether the record's bytes reach to i.
func (s *scanner) has(i int) (bool, error) {
	for i >= len(s.in.bytes()) {
		if some, err := s.in.more(); !some {
			return false, err
		}
	}
	return true, nil
}

// record finds the fields up to the end of the line or of the file.
func (s *scanner) record() error {
	at := 0
	for {
		s.column, s.openLines = len(s.fields), s.lines
		end, err := s.field(at)
		if err != nil {
			return err
		}
		if at, err = s.separator(end); err != nil || at == s.size {
			return err
		}
	}
}

// separator goes over what follows a field that ends at i. If that is the end of
// the record it sets its size.
func (s *scanner) separator(i int) (int, error) {
	some, err := s.has(i)
	if !some {
		s.size, s.lines = i, s.lines+1
		return i, err
	}
	switch s.in.bytes()[i] {
	case s.dialect.delimiter:
		return i + 1, nil
	case '\r':
		if some, err = s.has(i + 1); err != nil {
			return 0, err
		}
		if some && s.in.bytes()[i+1] != '\n' {
			return 0, hinted("quote the field, or let lines end with a line feed", "%w", errBareReturn)
		}
		if some {
			i++
		}
	case '\n':
	default:
		return 0, hinted("a quote within quotes is written twice, or escaped: see the option escape", "%w", errAfterQuote)
	}
	s.size, s.lines = i+1, s.lines+1
	return i + 1, nil
}

// field adds the field that begins at i and returns where it ends.
func (s *scanner) field(i int) (int, error) {
	if some, err := s.has(i); err != nil {
		return 0, err
	} else if some && s.in.bytes()[i] == s.dialect.quote && !s.dialect.noQuote {
		return s.quoted(i)
	}
	start := i
	for {
		data := s.in.bytes()
		for i < len(data) && !s.ends[data[i]] {
			i++
		}
		if i < len(data) {
			break
		}
		if some, err := s.in.more(); err != nil {
			return 0, err
		} else if !some {
			break
		}
	}
	s.fields = append(s.fields, field{start, i, false})
	return i, nil
}

// quoted adds the field whose quote is at open. What was escaped is moved together
// in place: the record is read only once.
func (s *scanner) quoted(open int) (int, error) {
	read, write := open+1, open+1
	for {
		data := s.in.bytes()
		n, found := s.special(data[read:])
		if write < read {
			copy(data[write:], data[read:read+n])
		}
		s.lines += int64(bytes.Count(data[read:read+n], []byte{'\n'}))
		read, write = read+n, write+n
		if !found {
			if some, err := s.in.more(); err != nil {
				return 0, err
			} else if !some {
				return 0, errOpenQuote
			}
			continue
		}
		escaped, err := s.escaped(read)
		switch c := s.in.bytes(); {
		case err != nil:
			return 0, err
		case escaped:
			c[write] = c[read+1]
			read, write = read+2, write+1
		case c[read] == s.dialect.quote:
			s.fields = append(s.fields, field{open + 1, write, true})
			return read + 1, nil
		default:
			c[write] = c[read]
			read, write = read+1, write+1
		}
	}
}

// special finds the next quote or escape.
func (s *scanner) special(data []byte) (int, bool) {
	i := bytes.IndexByte(data, s.dialect.quote)
	if i < 0 {
		i = len(data)
	}
	if s.dialect.escape != s.dialect.quote {
		if j := bytes.IndexByte(data[:i], s.dialect.escape); j >= 0 {
			i = j
		}
	}
	return i, i < len(data)
}

// escaped says whether the character at i escapes the next one.
func (s *scanner) escaped(i int) (bool, error) {
	if s.in.bytes()[i] != s.dialect.escape {
		return false, nil
	}
	some, err := s.has(i + 1)
	if !some {
		return false, err
	}
	next := s.in.bytes()[i+1]
	return next == s.dialect.quote || next == s.dialect.escape, nil
}

// values appends the record's values; those that are the null string without quotes
// are nil.
func (s *scanner) values(to [][]byte) [][]byte {
	data := s.in.bytes()
	for _, f := range s.fields {
		v := data[f.start:f.end:f.end]
		if !f.quoted && len(v) == len(s.dialect.null) && string(v) == s.dialect.null {
			v = nil
		}
		to = append(to, v)
	}
	return to
}
