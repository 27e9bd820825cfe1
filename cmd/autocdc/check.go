package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/autocdc/autocdc"
)

type checkCmd struct {
	Flows []string `arg:"" optional:"" name:"flows" help:"Flow files; patterns are expanded. Default: those of the configuration."`
	SQL   bool     `name:"sql" help:"Print the DDL and the statements that run would use."`
	JSON  bool     `name:"json" help:"Print faults, warnings and flows as JSON on standard output."`
	settings
}

// Run implements the command.
func (c *checkCmd) Run(ctx context.Context, out output) error {
	pipeline, err := c.pipeline(c.Flows, asArguments, out.err)
	var plan *autocdc.Plan
	if err == nil {
		plan, err = pipeline.Check(ctx)
	}
	if err != nil {
		err = fmt.Errorf("check: %w", err)
	}
	if c.JSON {
		return errors.Join(writeJSON(out.out, checkResult(plan, err)), silent(err))
	}
	if err != nil {
		return err
	}
	for _, f := range plan.Notes {
		printNote(out.err, "note", f)
	}
	for _, f := range plan.Warnings {
		printNote(out.err, "warning", f)
	}
	if c.SQL {
		return printSQL(out.out, plan)
	}
	fmt.Fprintf(out.out, "ok: %s into %s\n", count(len(plan.Flows), "flow"), count(len(plan.Targets), "target"))
	return nil
}

// count gives a number of things in English.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

func printNote(w io.Writer, level string, f autocdc.Fault) {
	f.Message = level + ": " + f.Message
	printFault(w, f)
}

// printSQL prints each flow's DDL and statements, ready to read or run.
func printSQL(w io.Writer, plan *autocdc.Plan) error {
	for _, f := range plan.Flows {
		ddl, statements, err := autocdc.SQL(f)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "-- flow %s: definitions\n%s\n\n-- flow %s: statements of a batch\n%s\n\n",
			f.Name, script(ddl), f.Name, script(statements))
	}
	return nil
}

func script(statements []string) string {
	var b strings.Builder
	for _, s := range statements {
		b.WriteString(strings.TrimRight(strings.TrimSpace(s), ";") + ";\n")
	}
	return b.String()
}

// result is what check --json prints.
type result struct {
	OK       bool    `json:"ok"`
	Flows    []flow  `json:"flows"`
	Faults   []fault `json:"faults"`
	Warnings []fault `json:"warnings"`
	Notes    []fault `json:"notes"`
}

type flow struct {
	Name   string   `json:"name"`
	Source string   `json:"source"`
	Table  string   `json:"table"`
	Target string   `json:"target"`
	Kind   string   `json:"kind"`
	Keys   []string `json:"keys"`
}

type fault struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func checkResult(plan *autocdc.Plan, err error) result {
	r := result{OK: err == nil, Flows: []flow{}, Faults: jsonFaults(faultsOf(err)), Warnings: []fault{}, Notes: []fault{}}
	if plan == nil || err != nil {
		return r
	}
	r.Warnings, r.Notes = jsonFaults(plan.Warnings), jsonFaults(plan.Notes)
	for _, f := range plan.Flows {
		r.Flows = append(r.Flows, flow{f.Name, f.Source, f.Rel.Name.String(), f.Target.Name.String(), f.Target.Kind.String(), f.Target.Keys})
	}
	return r
}

// faultsOf makes any error a list of faults.
func faultsOf(err error) []autocdc.Fault {
	var faults *autocdc.FaultsError
	var hint *autocdc.HintError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &faults):
		return faults.Faults
	case errors.As(err, &hint):
		return []autocdc.Fault{{Message: err.Error(), Hint: hint.Hint}}
	}
	return []autocdc.Fault{{Message: err.Error()}}
}

func jsonFaults(faults []autocdc.Fault) []fault {
	out := []fault{}
	for _, f := range faults {
		out = append(out, fault{f.Pos.File, f.Pos.Line, f.Pos.Column, f.Message, f.Hint})
	}
	return out
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
