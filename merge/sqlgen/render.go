package sqlgen

import (
	"embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/autocdc/autocdc/schema"
)

//go:embed sql/*.sql.tmpl
var files embed.FS

// renderer executes the statements' templates.
type renderer struct{ t *template.Template }

// newRenderer parses the templates.
func newRenderer() (*renderer, error) {
	t, err := template.New("sql").Funcs(funcs).ParseFS(files, "sql/*.sql.tmpl")
	if err != nil {
		return nil, fmt.Errorf("parse statement templates: %w", err)
	}
	return &renderer{t: t}, nil
}

// render gives a statement without the blank lines that template actions leave.
func (r *renderer) render(name string, data any) (string, error) {
	sql, err := r.verbatim(name, data)
	return tidy(sql), err
}

// verbatim gives a statement that holds a user's text, which must stay as it is.
func (r *renderer) verbatim(name string, data any) (string, error) {
	var b strings.Builder
	if err := r.t.ExecuteTemplate(&b, name, data); err != nil {
		return "", fmt.Errorf("render statement %s: %w", name, err)
	}
	return b.String(), nil
}

// tidy drops the blank lines that template actions leave.
func tidy(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		if line = strings.TrimRight(line, " \n"); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n") + "\n"
}

var funcs = template.FuncMap{
	"cols":  func(alias string, list any) string { return each(list, ", ", prefix(alias)+"%[1]s") },
	"nulls": func(list any) string { return each(list, ", ", "NULL") },
	"equal": equal,
	"row":   func(alias string, list any) string { return "ROW(" + each(list, ", ", prefix(alias)+"%[1]s") + ")" },
	"set":   func(alias string, list any) string { return each(list, ", ", "%[1]s = "+prefix(alias)+"%[1]s") },
	"desc":  func(alias string, list any) string { return each(list, ", ", prefix(alias)+"%[1]s DESC") },
	"lit":   schema.Literal,
	"missing": func(alias string, index int) string {
		return fmt.Sprintf("COALESCE(get_bit(%s.__missing, %d), 0) = 1", alias, index)
	},
	"anyNull": func(alias string, list any) string { return each(list, " OR ", prefix(alias)+"%[1]s IS NULL") },
	"inc":     func(i int) int { return i + 1 },
}

func prefix(alias string) string {
	if alias == "" {
		return ""
	}
	return alias + "."
}

func equal(a, b string, list any) string {
	return each(list, " AND ", a+".%[1]s = "+b+".%[1]s")
}

func each(list any, sep, format string) string {
	var names []string
	switch l := list.(type) {
	case []schema.Ident:
		for _, n := range l {
			names = append(names, n.String())
		}
	case []Column:
		for _, c := range l {
			names = append(names, c.String())
		}
	}
	for i, n := range names {
		// the name goes in as a value, never as a format: a % in it is harmless
		names[i] = strings.ReplaceAll(format, "%[1]s", n)
	}
	return strings.Join(names, sep)
}
