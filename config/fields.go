package config

import (
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// config reads the whole file. The pipeline's name comes before the sources
// wherever it stands, since both together name the slots.
func (r *reader) config(c *Config, body ast.Node) {
	var sources ast.Node
	r.mapping("keys and values", body, map[string]field{
		"pipeline":            func(at *token.Token, v ast.Node) { r.pipeline(c, at, v) },
		"flows":               func(at *token.Token, v ast.Node) { r.flows(c, at, v) },
		"sources":             func(_ *token.Token, v ast.Node) { sources = v },
		"target":              func(at *token.Token, v ast.Node) { c.Target = r.dsn("target", at, v) },
		"late_arrival_window": func(at *token.Token, v ast.Node) { r.window(c, at, v) },
		"metadata_schema":     func(at *token.Token, v ast.Node) { r.metadata(c, at, v) },
	})
	if sources != nil {
		r.sources(c, sources)
	}
}

func (r *reader) pipeline(c *Config, at *token.Token, v ast.Node) {
	s, ok := r.scalar("pipeline", at, v)
	switch {
	case !ok:
	case !isName(s):
		r.fail(v.GetToken(), nameRule, "invalid pipeline name %q", s)
	default:
		c.Pipeline = s
	}
}

func (r *reader) metadata(c *Config, at *token.Token, v ast.Node) {
	s, ok := r.scalar("metadata_schema", at, v)
	switch {
	case !ok:
	case s == "" || len(s) > nameMax || strings.HasPrefix(s, "pg_") || strings.ContainsRune(s, 0):
		r.fail(v.GetToken(), "a schema's name has 1 to 63 bytes and does not begin with pg_", "invalid metadata_schema %q", s)
	default:
		c.MetadataSchema = s
	}
}

func (r *reader) window(c *Config, at *token.Token, v ast.Node) {
	s, ok := r.scalar("late_arrival_window", at, v)
	if !ok {
		return
	}
	w, err := ParseWindow(s)
	if err != nil {
		r.fail(v.GetToken(), "", "invalid late_arrival_window %q: %s", s, err)
		return
	}
	c.LateArrivalWindow = w
}

func (r *reader) sources(c *Config, n ast.Node) {
	r.entries("sources by name", n, func(name string, at *token.Token, v ast.Node) {
		if err := c.checkSource(name); err != nil {
			r.fail(at, "", "%s", err)
		}
		c.Sources[name] = r.dsn("source "+name, at, v)
	})
}

// dsn reads {dsn: …}. What stands there instead is not shown, it may be a
// connection string.
func (r *reader) dsn(of string, at *token.Token, n ast.Node) DSN {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
	default:
		r.fail(n.GetToken(), `write {dsn: "postgres://…"}`, "%s: expected a mapping, found %s", of, kind(n))
		return ""
	}
	found := false
	var dsn DSN
	r.mapping("dsn", n, map[string]field{"dsn": func(at *token.Token, v ast.Node) {
		found = true
		s, ok := r.scalar("dsn", at, v)
		if dsn = DSN(s); ok && strings.TrimSpace(s) == "" {
			r.fail(v.GetToken(), "", "empty dsn")
		}
	}})
	if !found {
		r.fail(at, `write {dsn: "postgres://…"}`, "%s has no dsn", of)
	}
	return dsn
}

// flows reads the patterns of the flow files, a list or one.
func (r *reader) flows(c *Config, at *token.Token, n ast.Node) {
	patterns := []ast.Node{n}
	if list, ok := n.(*ast.SequenceNode); ok {
		patterns = list.Values
	}
	seen := map[string]bool{}
	for _, p := range patterns {
		s, ok := r.scalar("flows", at, p)
		if !ok {
			continue
		}
		paths, err := glob(filepath.Dir(r.path), s)
		if err != nil {
			r.fail(p.GetToken(), "", "%s", err)
		}
		for _, path := range paths {
			if !seen[path] {
				c.Flows = append(c.Flows, path)
			}
			seen[path] = true
		}
	}
}
