package files

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/autocdc/autocdc/snapshot"
)

const schemaNote = `write it as in CREATE TABLE: schema => 'id bigint, name text, "Price" numeric(10,2)'`

var (
	// columnName is a name with or without quotes, as it begins a declaration.
	columnName = regexp.MustCompile("^(?:\"((?:[^\"]|\"\")+)\"|`([^`]+)`|([\\pL_][\\pL\\pN_$]*))\\s+(.*)$")
	// typeText is what the name of a type may be made of.
	typeText = regexp.MustCompile(`^[\pL_"][\pL\pN_$ ."(),\[\]-]*$`)
)

// parseSchema reads "id bigint, name text".
func parseSchema(text string) ([]snapshot.Column, error) {
	parts, err := splitColumns(text)
	if err != nil {
		return nil, err
	}
	var all []snapshot.Column
	seen := map[string]bool{}
	for _, part := range parts {
		d, err := parseColumn(strings.Join(strings.Fields(part), " "))
		if err != nil {
			return nil, err
		}
		if seen[d.Name] {
			return nil, fmt.Errorf("column %q is declared twice", d.Name)
		}
		seen[d.Name] = true
		all = append(all, d)
	}
	return all, nil
}

func parseColumn(part string) (snapshot.Column, error) {
	if part == "" {
		return snapshot.Column{}, hinted(schemaNote, "a column is missing")
	}
	m := columnName.FindStringSubmatch(part)
	if m == nil {
		return snapshot.Column{}, hinted(schemaNote, "%q is not a name and a type", shorten(part))
	}
	if !typeText.MatchString(m[4]) {
		return snapshot.Column{}, hinted(schemaNote, "%q is no type", shorten(m[4]))
	}
	d := snapshot.Column{Type: postgresType(m[4])}
	switch {
	case m[3] != "":
		d.Name = strings.ToLower(m[3]) // as Postgres folds it
	case m[2] != "":
		d.Name = m[2]
	default:
		d.Name = strings.ReplaceAll(m[1], `""`, `"`)
	}
	return d, nil
}

// postgresType knows the types of Spark's that have another name in Postgres.
func postgresType(t string) string {
	switch strings.ToLower(t) {
	case "string":
		return "text"
	case "double":
		return "double precision"
	case "binary":
		return "bytea"
	case "tinyint", "byte":
		return "smallint"
	case "long":
		return "bigint"
	}
	return t
}

// splitColumns splits at the commas that are in no quotes and no brackets.
func splitColumns(text string) ([]string, error) {
	var parts []string
	depth, from, quote := 0, 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '`':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	if quote != 0 || depth != 0 {
		return nil, errors.New("a quote or bracket is not closed")
	}
	return append(parts, text[from:]), nil
}
