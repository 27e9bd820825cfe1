package flowsql

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Error is one fault of a flow file. Hint says what to write instead and may be
// empty; it is not part of Error's text.
type Error struct {
	Pos  Pos
	Msg  string
	Hint string
}

// Error returns file:line:column: message.
func (e *Error) Error() string { return e.Pos.String() + ": " + e.Msg }

// ErrorList is every fault of a file, in the order of their places.
type ErrorList []*Error

// Error returns the faults, one a line.
func (l ErrorList) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes the single faults visible to errors.As.
func (l ErrorList) Unwrap() []error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errs
}

// Sort puts the faults of one file in the order of their places.
func (l ErrorList) Sort() {
	slices.SortStableFunc(l, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
}

// asError returns nil for an empty list, so that no typed nil escapes.
func (l ErrorList) asError() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

func (l *ErrorList) add(pos Pos, hint, format string, args ...any) {
	*l = append(*l, &Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Hint: hint})
}
