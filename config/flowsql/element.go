package flowsql

import "strings"

// tableElements parses the parenthesis of CREATE STREAMING TABLE.
func (p *parser) tableElements(s *CreateTable) bool {
	open := p.tok()
	end, ok := p.group()
	if !ok {
		return false
	}
	if p.i == end {
		return p.fail(open.Pos, "leave the parentheses out, or name columns or constraints in them", "empty list of columns")
	}
	for p.i < end {
		if !p.element(s, end) {
			return false
		}
		if p.i < end && !p.needOperator(",") {
			return false
		}
		if p.i == end && p.toks[end-1].isOperator(",") {
			return p.expected("a column or CONSTRAINT after the comma")
		}
	}
	p.i = end + 1
	p.distinct(s)
	return true
}

func (p *parser) element(s *CreateTable, end int) bool {
	if p.at("constraint") {
		e, ok := p.expectation()
		s.Expectations = append(s.Expectations, e)
		return ok
	}
	c, ok := p.column(end)
	s.Columns = append(s.Columns, c)
	return ok
}

// distinct reports the columns and constraints that are there twice.
func (p *parser) distinct(s *CreateTable) {
	columns, constraints := map[string]Pos{}, map[string]Pos{}
	for _, c := range s.Columns {
		p.once(columns, "column", c.Name)
	}
	for _, e := range s.Expectations {
		p.once(constraints, "constraint", e.Name)
	}
}

// once notes a name and reports it if it was noted before.
func (p *parser) once(seen map[string]Pos, what string, name Ident) {
	if first, twice := seen[name.Name]; twice {
		p.fail(name.Pos, "", "%s %s is there already at %s", what, name, first)
		return
	}
	seen[name.Name] = name.Pos
}

// column parses a column definition: a name and a type, which goes up to the
// next comma.
func (p *parser) column(end int) (ColumnDef, bool) {
	name, ok := p.ident("the name of a column")
	if !ok {
		return ColumnDef{}, false
	}
	start := p.i
	for p.i < end && !p.tok().isOperator(",") {
		if p.refusedInColumn() {
			return ColumnDef{}, p.unexpected("a column has a name and a type only; for a condition write CONSTRAINT name EXPECT (…)")
		}
		if !p.skip() {
			return ColumnDef{}, false
		}
	}
	if p.toks[start].Kind != Word || p.i == start {
		p.i = start
		return ColumnDef{}, p.expected("the type of column " + name.String())
	}
	typ, ok := p.typeText(start, p.i)
	return ColumnDef{Name: name, Type: typ}, ok
}

func (p *parser) refusedInColumn() bool {
	t := p.tok()
	if t.Kind != Word || t.Quoted {
		return false
	}
	switch t.Text {
	case "not", "null", "primary", "default", "check", "references", "generated", "unique", "collate", "comment", "constraint", "mask":
		return true
	}
	return false
}

// expectation parses CONSTRAINT name EXPECT (condition) [ON VIOLATION action].
func (p *parser) expectation() (Expectation, bool) {
	p.take("constraint")
	name, ok := p.ident("the name of the constraint")
	if !ok {
		return Expectation{}, false
	}
	e := Expectation{Name: name}
	if !p.take("expect") {
		return e, p.expectedHint("the constraints of a streaming table are CONSTRAINT name EXPECT (condition); the key comes from KEYS", "EXPECT", "EXPECT")
	}
	if e.Condition, ok = p.parenthesised("a condition"); !ok || !p.take("on") {
		return e, ok
	}
	if !p.need("violation") {
		return e, false
	}
	switch {
	case p.take("drop", "row"):
		e.OnViolation = DropRow
	case p.take("fail", "update"):
		e.OnViolation = FailUpdate
	default:
		return e, p.expected("DROP ROW or FAIL UPDATE", "DROP ROW", "FAIL UPDATE")
	}
	return e, true
}

// parenthesised parses ( text ).
func (p *parser) parenthesised(what string) (Text, bool) {
	if !p.tok().isOperator("(") {
		return Text{}, p.expected("( and " + what)
	}
	end, ok := p.group()
	if !ok {
		return Text{}, false
	}
	if p.i == end {
		return Text{}, p.expected(what)
	}
	start := p.i
	p.i = end + 1
	return p.text(start, end)
}

// query parses a query up to the end of the statement.
func (p *parser) query() (Text, bool) {
	start := p.i
	if !p.startsQuery() {
		return Text{}, false
	}
	for !p.atEnd() {
		if !p.skip() {
			return Text{}, false
		}
	}
	return p.text(start, p.i)
}

func (p *parser) startsQuery() bool {
	if p.at("select") || p.at("with") || p.at("values") || p.at("table") || p.tok().isOperator("(") {
		return true
	}
	return p.at("from") && p.dialect() == Spark || p.expected("a query", strings.Fields("SELECT WITH VALUES TABLE")...)
}
