package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Module is the import path of the root package.
const Module = "github.com/autocdc/autocdc"

// Root is the package path of the root package in this package's terms, where
// every other path is relative to the root.
const Root = "."

// File is one parsed Go file.
type File struct {
	Path string // relative to the root
	Fset *token.FileSet
	AST  *ast.File
}

// Package is the path of the file's package.
func (f File) Package() string { return path.Dir(f.Path) }

// IsTest says whether only the tests of the package see the file.
func (f File) IsTest() bool { return strings.HasSuffix(f.Path, "_test.go") }

// Lines is the number of lines from one position to another, both included.
func (f File) Lines(from, to token.Pos) int {
	return f.Fset.Position(to).Line - f.Fset.Position(from).Line + 1
}

// At is file:line of a position.
func (f File) At(pos token.Pos) string {
	return f.Path + ":" + strconv.Itoa(f.Fset.Position(pos).Line)
}

// Imports are the packages of this module that the file imports.
func (f File) Imports() []string {
	var ours []string
	for _, spec := range f.AST.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the compiler's to complain about
		}
		if name == Module {
			ours = append(ours, Root)
		} else if rest, ok := strings.CutPrefix(name, Module+"/"); ok {
			ours = append(ours, rest)
		}
	}
	return ours
}

// Load parses every Go file under dir but those that the go tool ignores.
func Load(dir string) ([]File, error) {
	var files []File
	fset := token.NewFileSet()
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != dir && ignored(e.Name()):
			return filepath.SkipDir
		case e.IsDir() || filepath.Ext(name) != ".go":
			return nil
		}
		f, err := parseFile(fset, dir, name)
		if err == nil {
			files = append(files, f)
		}
		return err
	})
	return files, err
}

func ignored(dir string) bool {
	return dir == "testdata" || dir == "vendor" || strings.HasPrefix(dir, ".") || strings.HasPrefix(dir, "_")
}

func parseFile(fset *token.FileSet, dir, name string) (File, error) {
	rel, err := filepath.Rel(dir, name)
	if err != nil {
		return File{}, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return File{}, err
	}
	rel = filepath.ToSlash(rel)
	parsed, err := parser.ParseFile(fset, rel, text, parser.ParseComments)
	return File{Path: rel, Fset: fset, AST: parsed}, err
}
