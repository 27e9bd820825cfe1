package config

import (
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/autocdc/autocdc/config/flowsql"
)

// scalar returns a single value, its variables expanded; ok is false after a
// fault.
func (r *reader) scalar(key string, at *token.Token, n ast.Node) (value string, ok bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return r.expand(n.Value, n.GetToken())
	case *ast.LiteralNode:
		return r.expand(n.Value.Value, n.GetToken())
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	case *ast.NullNode:
		r.fail(at, "", "%s has no value", key)
		return "", false
	}
	r.fail(n.GetToken(), "", "%s: expected a single value, found %s", key, kind(n))
	return "", false
}

// expand replaces each ${NAME} by the variable's value; $${ stands for ${.
// Values are put in after the YAML was parsed, so that no character of theirs
// means anything to it.
func (r *reader) expand(s string, at *token.Token) (string, bool) {
	var out strings.Builder
	ok := true
	for rest := s; ; {
		before, tail, found := strings.Cut(rest, "${")
		out.WriteString(before)
		if !found {
			return out.String(), ok
		}
		if strings.HasSuffix(before, "$") {
			out.WriteString("{")
			rest = tail
			continue
		}
		name, after, closed := strings.Cut(tail, "}")
		pos := r.inside(at, s[:len(s)-len(tail)-len("${")])
		value, set := r.variable(pos, name, closed)
		out.WriteString(value)
		ok = ok && set
		if !closed {
			return out.String(), false
		}
		rest = after
	}
}

func (r *reader) variable(pos flowsql.Pos, name string, closed bool) (string, bool) {
	switch {
	case !closed:
		r.failAt(pos, "write ${NAME}, or $${ for the characters themselves", "unclosed ${")
		return "", false
	case !isVariable(name):
		r.failAt(pos, "write ${NAME}, or $${ for the characters themselves", "invalid name of an environment variable after ${")
		return "", false
	}
	value, set := r.env(name)
	if !set {
		r.failAt(pos, "", "environment variable %s is not set", name)
	}
	return value, set
}

func isVariable(name string) bool {
	for i, c := range name {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// inside returns the place after prefix in a value; for one of several lines that
// of the value.
func (r *reader) inside(t *token.Token, prefix string) flowsql.Pos {
	pos := r.pos(t)
	if t.Type == token.LiteralType || t.Type == token.FoldedType || strings.Contains(prefix, "\n") {
		return pos
	}
	if t.Type == token.DoubleQuoteType || t.Type == token.SingleQuoteType {
		pos.Column++
	}
	pos.Column += utf8.RuneCountInString(prefix)
	return pos
}
