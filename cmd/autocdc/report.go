package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc"
)

// report prints an error as people and scripts expect it and returns the exit
// code that belongs to it.
func report(w io.Writer, err error) int {
	var done *printed
	var faults *autocdc.FaultsError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &done):
	case errors.As(err, &faults):
		printFaults(w, err, faults)
	default:
		printError(w, err)
	}
	return exitCode(err)
}

// exitCode is 2 where the caller or a flow file is to blame, otherwise 1.
func exitCode(err error) int {
	var wrong *wrongUse
	var faults *autocdc.FaultsError
	var dsn *pgconn.ParseConfigError
	var name *autocdc.NameError
	if errors.As(err, &wrong) || errors.As(err, &dsn) || errors.As(err, &name) || errors.As(err, &faults) && faults.InFiles() {
		return exitUsage
	}
	return exitFailed
}

// hintOf finds advice in an error.
func hintOf(err error) string {
	var wrong *wrongUse
	var hint *autocdc.HintError
	switch {
	case errors.As(err, &wrong):
		return wrong.hint
	case errors.As(err, &hint):
		return hint.Hint
	}
	return ""
}

func printError(w io.Writer, err error) {
	fmt.Fprintf(w, "autocdc: %s\n", strings.TrimSpace(err.Error()))
	if hint := hintOf(err); hint != "" {
		fmt.Fprintf(w, "hint: %s\n", hint)
	}
}

// printFaults prints each fault on a line that begins with its place, as editors
// understand it.
func printFaults(w io.Writer, err error, faults *autocdc.FaultsError) {
	what := strings.TrimSuffix(err.Error(), faults.Error())
	fmt.Fprintf(w, "autocdc: %s%s\n", what, count(len(faults.Faults), "fault"))
	for _, f := range faults.Faults {
		printFault(w, f)
	}
}

func printFault(w io.Writer, f autocdc.Fault) {
	line := f.Message
	if f.Located() {
		line = f.Pos.String() + ": " + line
	}
	fmt.Fprintln(w, line)
	if f.Hint != "" {
		fmt.Fprintln(w, "  hint: "+strings.ReplaceAll(f.Hint, "\n", "\n  "))
	}
}

// silent keeps the exit code of an error whose text has been printed already.
func silent(err error) error {
	if err == nil {
		return nil
	}
	return &printed{err}
}

// printed is such an error.
type printed struct{ err error }

func (e *printed) Error() string { return e.err.Error() }

// Unwrap keeps the exit code.
func (e *printed) Unwrap() error { return e.err }
