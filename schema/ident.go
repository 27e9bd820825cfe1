// Package schema holds the names, types and relations of Postgres objects as
// plain values. It promises that formatting a name quotes it, so that SQL built
// with %s is safe. It opens no connection; schema/catalog does.
package schema

import "strings"

// Ident is one SQL identifier, unquoted. Its String method quotes it, so that
// fmt's %s and %v give text that is safe in a statement.
type Ident string

// String returns the identifier in double quotes, inner quotes doubled.
func (i Ident) String() string {
	return `"` + strings.ReplaceAll(string(i), `"`, `""`) + `"`
}

// Name is a schema-qualified name. Both parts are unquoted; an empty Schema
// means an unqualified name.
type Name struct {
	Schema string
	Name   string
}

// String returns the quoted, qualified form.
func (n Name) String() string {
	if n.Schema == "" {
		return Ident(n.Name).String()
	}
	return Ident(n.Schema).String() + "." + Ident(n.Name).String()
}

// Idents converts raw names to identifiers.
func Idents(names []string) []Ident {
	ids := make([]Ident, len(names))
	for i, n := range names {
		ids[i] = Ident(n)
	}
	return ids
}

// Literal returns s as a SQL string literal that means the same whatever
// standard_conforming_strings says.
func Literal(s string) string {
	q := "'" + strings.ReplaceAll(s, "'", "''") + "'"
	if !strings.Contains(s, `\`) {
		return q
	}
	return " E" + strings.ReplaceAll(q, `\`, `\\`)
}
