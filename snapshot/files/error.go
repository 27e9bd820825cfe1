package files

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode/utf8"
)

// HintError is a fault of a location or a file, with advice.
type HintError struct {
	Err  error
	Note string // the hint
}

// Error is the fault without the advice.
func (e *HintError) Error() string { return e.Err.Error() }

// Unwrap returns the fault.
func (e *HintError) Unwrap() error { return e.Err }

// Hint says what helps.
func (e *HintError) Hint() string { return e.Note }

func hinted(note, format string, args ...any) error {
	return &HintError{Err: fmt.Errorf(format, args...), Note: note}
}

// RowError is a fault within a file. Line is the line on which the record at fault
// begins, from 1, or of a Parquet file the row; 0 where the file as a whole is at
// fault. Column and Value are empty where they are not known.
type RowError struct {
	Path   string
	Line   int64
	Column string
	Value  string
	Err    error
	Note   string // the hint
}

// Error is like `read in/a.csv:17: column "age": value "x": cause`.
func (e *RowError) Error() string {
	var b strings.Builder
	b.WriteString("read " + place(e.Path, e.Line))
	if e.Column != "" {
		fmt.Fprintf(&b, ": column %q", e.Column)
	}
	if e.Value != "" {
		fmt.Fprintf(&b, ": value %q", shorten(e.Value))
	}
	b.WriteString(": " + e.Err.Error())
	return b.String()
}

// Unwrap returns the cause.
func (e *RowError) Unwrap() error { return e.Err }

// Hint says what helps, where something does.
func (e *RowError) Hint() string {
	var inner interface{ Hint() string }
	if e.Note == "" && errors.As(e.Err, &inner) {
		return inner.Hint()
	}
	return e.Note
}

// place is path:line.
func place(path string, line int64) string {
	if line == 0 {
		return path
	}
	return path + ":" + strconv.FormatInt(line, 10)
}

// longestShown is how much of a value an error shows.
const longestShown = 100

func shorten(s string) string {
	if len(s) <= longestShown {
		return s
	}
	cut := longestShown
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// bare leaves out what the message around says already: the path.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
