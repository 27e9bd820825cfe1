package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/autocdc/autocdc/config/flowsql"
)

// reader walks the syntax tree of one file and collects its faults.
type reader struct {
	path string
	env  func(string) (string, bool)
	errs flowsql.ErrorList
}

// parse fills c from the file's text.
func (c *Config) parse(src []byte, env func(string) (string, bool)) error {
	r := &reader{path: c.Path, env: env}
	file, err := parser.ParseBytes(src, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return asError(r.syntax(err))
	}
	for i, doc := range file.Docs {
		switch {
		case doc.Body == nil:
		case i > 0:
			r.fail(doc.Body.GetToken(), "", "a second document")
		default:
			r.config(c, doc.Body)
		}
	}
	return asError(r.errs)
}

// syntax turns an error of the YAML parser, whose text would quote the file,
// into one of ours.
func (r *reader) syntax(err error) flowsql.ErrorList {
	var y yaml.Error
	if !errors.As(err, &y) {
		r.fail(nil, "", "invalid YAML")
		return r.errs
	}
	msg := y.GetMessage()
	if strings.Contains(msg, "://") || strings.Contains(strings.ToLower(msg), "password") {
		msg = "syntax error"
	}
	r.fail(y.GetToken(), "", "invalid YAML: %s", msg)
	return r.errs
}

func (r *reader) fail(t *token.Token, hint, format string, args ...any) {
	r.failAt(r.pos(t), hint, format, args...)
}

func (r *reader) failAt(pos flowsql.Pos, hint, format string, args ...any) {
	r.errs = append(r.errs, &flowsql.Error{Pos: pos, Hint: hint, Msg: fmt.Sprintf(format, args...)})
}

func (r *reader) pos(t *token.Token) flowsql.Pos {
	if t == nil || t.Position == nil {
		return flowsql.Pos{File: r.path, Line: 1, Column: 1}
	}
	return flowsql.Pos{File: r.path, Line: max(1, t.Position.Line), Column: max(1, t.Position.Column)}
}

// field reads the value of one key; at is the key's place.
type field func(at *token.Token, value ast.Node)

// mapping reads a mapping whose keys are known.
func (r *reader) mapping(what string, n ast.Node, fields map[string]field) {
	known := slices.Sorted(maps.Keys(fields))
	r.entries(what, n, func(key string, at *token.Token, value ast.Node) {
		read, ok := fields[key]
		if !ok {
			r.fail(at, unknownHint(key, known), "unknown key %q", key)
			return
		}
		read(at, value)
	})
}

func unknownHint(key string, known []string) string {
	if near := flowsql.Nearest(key, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return "the keys here are " + strings.Join(known, ", ")
}

// entries calls read for each entry of a mapping, and reports keys that are
// there twice.
func (r *reader) entries(what string, n ast.Node, read func(key string, at *token.Token, value ast.Node)) {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		r.fail(n.GetToken(), "", "expected %s, found %s", what, kind(n))
		return
	}
	seen := map[string]flowsql.Pos{}
	for _, v := range values {
		at := v.Key.GetToken()
		if first, twice := seen[at.Value]; twice {
			r.fail(at, "", "key %q is there already at %s", at.Value, first)
			continue
		}
		seen[at.Value] = r.pos(at)
		read(at.Value, at, v.Value)
	}
}

// kind names a node for messages, without its contents.
func kind(n ast.Node) string {
	switch n.(type) {
	case *ast.NullNode:
		return "nothing"
	case *ast.SequenceNode:
		return "a list"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode, *ast.TagNode:
		return "an anchor, alias or tag, which this file cannot have"
	}
	return "a single value"
}
