package arch

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// The longest that a file and a function outside of tests may be, in lines.
const (
	MaxFile     = 400
	MaxFunction = 60
)

// Imports complains of imports that the table does not allow. Test files may
// also import the packages under test/ and cmd/embedpg.
func Imports(files []File, table Table) []string {
	var faults []string
	for _, f := range files {
		for _, to := range f.Imports() {
			ok, known := table.Allows(f.Package(), to)
			switch {
			case ok, f.IsTest() && (to == f.Package() || strings.HasPrefix(to, "test/") || to == "cmd/embedpg"):
			case !known:
				faults = append(faults, fmt.Sprintf("%s: package %s is not in the table of DESIGN.md", f.Path, f.Package()))
			default:
				faults = append(faults, fmt.Sprintf("%s: %s may not import %s", f.Path, f.Package(), to))
			}
		}
	}
	return faults
}

// Lengths complains of files and functions that are too long, save the ones in
// allowed ("path" or "path:Function").
func Lengths(files []File, allowed map[string]string) []string {
	var faults []string
	for _, f := range files {
		if f.IsTest() {
			continue
		}
		if n := f.Lines(f.AST.FileStart, f.AST.FileEnd); n > MaxFile && allowed[f.Path] == "" {
			faults = append(faults, fmt.Sprintf("%s: %d lines, at most %d", f.Path, n, MaxFile))
		}
		for _, d := range f.AST.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || allowed[f.Path+":"+fn.Name.Name] != "" {
				continue
			}
			if n := f.Lines(fn.Pos(), fn.End()); n > MaxFunction {
				faults = append(faults, fmt.Sprintf("%s: %s has %d lines, at most %d", f.At(fn.Pos()), fn.Name.Name, n, MaxFunction))
			}
		}
	}
	return faults
}

// forbiddenInTests are calls by their last two names; testing.TB has many names.
var forbiddenInTests = map[string]string{
	"time.Sleep": "poll a condition (pgtest.Eventually)",
	"t.Skip":     "a test that cannot run fails",
	"t.Skipf":    "a test that cannot run fails",
	"t.SkipNow":  "a test that cannot run fails",
	"b.Skip":     "a benchmark that cannot run fails",
	"b.Skipf":    "a benchmark that cannot run fails",
	"tb.Skip":    "a test that cannot run fails",
	"tb.Skipf":   "a test that cannot run fails",
}

// TestManners complains of sleeping and skipping in tests.
func TestManners(files []File) []string {
	var faults []string
	for _, f := range files {
		if !f.IsTest() {
			continue
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok {
					call := x.Name + "." + sel.Sel.Name
					if why := forbiddenInTests[call]; why != "" {
						faults = append(faults, fmt.Sprintf("%s: %s: %s", f.At(n.Pos()), call, why))
					}
				}
			}
			return true
		})
	}
	return faults
}

// Comments complains of packages without a package comment.
func Comments(files []File) []string {
	has := map[string]bool{}
	for _, f := range files {
		if !f.IsTest() {
			has[f.Package()] = has[f.Package()] || f.AST.Doc.Text() != ""
		}
	}
	var faults []string
	for _, pkg := range slices.Sorted(maps.Keys(has)) {
		if !has[pkg] {
			faults = append(faults, fmt.Sprintf("%s: no package comment", pkg))
		}
	}
	return faults
}
