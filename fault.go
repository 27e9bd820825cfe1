package autocdc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/autocdc/autocdc/config/flowsql"
)

// Fault is one thing that keeps a pipeline from running, or a warning about it.
// Pos is zero where no flow file is to blame.
type Fault struct {
	Pos     flowsql.Pos
	Message string
	Hint    string
}

// Located tells whether the fault is a place in a flow file.
func (f Fault) Located() bool { return f.Pos.Line > 0 }

// String gives the fault on one line, or two if it has a hint.
func (f Fault) String() string {
	s := f.Message
	if f.Located() {
		s = f.Pos.String() + ": " + s
	}
	if f.Hint != "" {
		s += "\n  hint: " + strings.ReplaceAll(f.Hint, "\n", "\n        ")
	}
	return s
}

// FaultsError carries every fault that was found, in the order of the files.
type FaultsError struct{ Faults []Fault }

// Error gives one fault a line, each followed by its hint.
func (e *FaultsError) Error() string {
	lines := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// InFiles tells whether a flow file is to blame for at least one of the faults.
func (e *FaultsError) InFiles() bool { return slices.ContainsFunc(e.Faults, Fault.Located) }

// HintError is an error with advice for the user.
type HintError struct {
	Err  error
	Hint string
}

func (e *HintError) Error() string { return e.Err.Error() }

// Unwrap returns the error without its hint.
func (e *HintError) Unwrap() error { return e.Err }

// faults collects what is wrong, what deserves a warning, and what people may want
// to know.
type faults struct{ list, warnings, remarks []Fault }

func (f *faults) add(pos flowsql.Pos, hint, format string, args ...any) {
	f.list = append(f.list, Fault{Pos: pos, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (f *faults) warn(pos flowsql.Pos, hint, format string, args ...any) {
	f.warnings = append(f.warnings, Fault{Pos: pos, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// err returns nil or *FaultsError, sorted by place, without duplicates; faults
// without a place come last.
func (f *faults) err() error {
	if len(f.list) == 0 {
		return nil
	}
	return &FaultsError{Faults: sorted(f.list)}
}

func sorted(list []Fault) []Fault {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Fault) int {
		switch {
		case a.Located() != b.Located() && a.Located():
			return -1
		case a.Located() != b.Located():
			return 1
		case a.Pos.File != b.Pos.File:
			return strings.Compare(a.Pos.File, b.Pos.File)
		case a.Pos.Line != b.Pos.Line:
			return a.Pos.Line - b.Pos.Line
		}
		return a.Pos.Column - b.Pos.Column
	})
	return slices.CompactFunc(list, func(a, b Fault) bool { return a == b })
}
