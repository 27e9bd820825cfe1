package flowsql

import "fmt"

// columnList parses a, b or (a, b) or * [EXCEPT list].
func (p *parser) columnList(of string) (*ColumnList, bool) {
	l := &ColumnList{Pos: p.tok().Pos}
	if !p.tok().isOperator("*") {
		var ok bool
		l.Columns, ok = p.columns(of)
		return l, ok
	}
	p.i++
	l.All = true
	if !p.take("except") {
		if p.tok().Kind == Word && !p.startsClause(p.i) {
			if near := p.spelling([]string{"EXCEPT"}); near != "" {
				return nil, p.fail(p.tok().Pos, near, "expected EXCEPT, found %s", p.found())
			}
		}
		return l, true
	}
	var ok bool
	l.Columns, ok = p.columns("EXCEPT")
	return l, ok
}

// columns parses a, b or (a, b), no name twice.
func (p *parser) columns(of string) ([]Ident, bool) {
	inParens := p.takeOperator("(")
	if p.tok().isOperator(")") || !inParens && (p.atEnd() || p.startsClause(p.i) || p.startsList(p.i)) {
		return nil, p.fail(p.tok().Pos, "name at least one column", "empty list after %s", of)
	}
	var names []Ident
	seen := map[string]Pos{}
	for {
		name, ok := p.columnName(of)
		if !ok {
			return nil, false
		}
		p.once(seen, "column", name)
		names = append(names, name)
		if !p.takeOperator(",") {
			break
		}
	}
	if inParens && !p.takeOperator(")") {
		return nil, p.expected(", or )")
	}
	return names, true
}

func (p *parser) columnName(of string) (Ident, bool) {
	t := p.tok()
	if t.Kind == String {
		return Ident{}, p.fail(t.Pos, fmt.Sprintf("write %s without the quotes, or \"%s\"", cut(t.Text), cut(t.Text)),
			"expected a column after %s, found %s", of, p.found())
	}
	name, ok := p.ident("a column after " + of)
	if ok && p.tok().isOperator(".") {
		return name, p.fail(p.tok().Pos, "a column has one part; for a field of a composite use a temporary view", "unexpected .")
	}
	return name, ok
}

// Resolve returns the columns of all that the list means, in the order of the
// list or, after *, in that of all. A name that is not in all is an error with
// its place.
func (l *ColumnList) Resolve(all []string) ([]string, []*Error) {
	known, named := set(all), map[string]bool{}
	var errs []*Error
	var names []string
	for _, c := range l.Columns {
		if !known[c.Name] {
			errs = append(errs, unknownColumn(c, all))
			continue
		}
		named[c.Name] = true
		names = append(names, c.Name)
	}
	if !l.All {
		return names, errs
	}
	names = nil
	for _, name := range all {
		if !named[name] {
			names = append(names, name)
		}
	}
	return names, errs
}

func set(names []string) map[string]bool {
	s := make(map[string]bool, len(names))
	for _, n := range names {
		s[n] = true
	}
	return s
}

func unknownColumn(c Ident, all []string) *Error {
	e := &Error{Pos: c.Pos, Msg: fmt.Sprintf("no column %s", c)}
	if near := Nearest(c.Name, all); near != "" {
		e.Hint = fmt.Sprintf("did you mean %s?", Ident{Name: near})
	}
	return e
}
