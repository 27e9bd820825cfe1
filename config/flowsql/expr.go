package flowsql

// expression cuts an expression out of the statement without parsing it: it ends
// where the next clause begins. Words that begin clauses may be names as well;
// they tell themselves apart by whether an operand is complete before them, as
// in no expression a name follows a complete operand.
type expression struct {
	p        *parser
	complete bool // what was passed can end an expression
}

// expression parses the expression of a clause.
func (p *parser) expression(of clause) (Text, bool) {
	start := p.i
	if !p.skipExpression(of) {
		return Text{}, false
	}
	return p.text(start, p.i)
}

// skipExpression passes the expression of a clause.
func (p *parser) skipExpression(of clause) bool {
	e := expression{p: p}
	start := p.i
	for !e.ends() {
		if !e.step() {
			return false
		}
	}
	if p.i == start {
		return p.expected("an expression after " + string(of))
	}
	if !e.complete && p.dangling(p.i-1) {
		return p.expected("an operand after " + p.lex.src[p.toks[p.i-1].Offset:p.toks[p.i-1].End])
	}
	return true
}

// ends says whether the expression is over before the current token.
func (e *expression) ends() bool {
	p := e.p
	t := p.tok()
	switch t.Kind {
	case endOfStatement:
		return true
	case Operator:
		return t.Text == "," || t.Text == ")" || t.Text == "]"
	case Word:
		if t.Quoted || p.i > 0 && p.toks[p.i-1].isOperator(".") {
			return false
		}
		return p.startsClause(p.i) || t.Text == "as" ||
			e.complete && (p.startsList(p.i) || p.startsStatement() || p.misspelled())
	}
	return false
}

// step passes a token, a bracket or a CASE.
func (e *expression) step() bool {
	p := e.p
	t := p.tok()
	switch t.Kind {
	case Operator:
		e.complete = t.Text == "(" || t.Text == "[" || t.Text == "*" && p.i > 0 && p.toks[p.i-1].isOperator(".")
		return p.skip()
	case Word:
		return e.word(t)
	}
	e.complete = true
	p.i++
	return true
}

func (e *expression) word(t Token) bool {
	p := e.p
	afterDot := p.i > 0 && p.toks[p.i-1].isOperator(".")
	switch {
	case t.Quoted, afterDot:
		e.complete = true
	case t.Text == "case" && !e.complete:
		e.complete = true
		return p.skipCase()
	case e.complete && p.take("at", "time", "zone"):
		e.complete = false
		return true
	case e.complete && t.Text == "operator" && p.ahead(1).isOperator("("):
		e.complete = false
		p.i++
		return p.skip()
	case e.complete:
		e.complete = !infix(t.Text)
	default:
		e.complete = !prefix(t.Text)
	}
	p.i++
	return true
}

// infix words want an operand after a complete one. WITH is that of WITH TIME
// ZONE and IS JSON WITH UNIQUE KEYS.
func infix(word string) bool {
	switch word {
	case "and", "or", "not", "is", "in", "like", "ilike", "similar", "to", "between", "collate", "escape", "overlaps",
		"with", "without", "from", "rlike", "regexp", "div":
		return true
	}
	return false
}

// prefix words are no operand where one is wanted.
func prefix(word string) bool {
	switch word {
	case "not", "in", "like", "ilike", "similar", "to", "distinct", "from", "between", "symmetric", "asymmetric", "and", "or", "unique", "is":
		return true
	}
	return false
}

// dangling says whether the token at i surely lacks an operand after it.
func (p *parser) dangling(i int) bool {
	t := p.toks[i]
	return t.Kind == Operator || t.isWord("and") || t.isWord("or") || t.isWord("not")
}

// skipCase passes CASE … END.
func (p *parser) skipCase() bool {
	begin := p.tok()
	for depth := 0; !p.atEnd(); {
		named := p.i > 0 && p.toks[p.i-1].isOperator(".")
		switch {
		case named:
		case p.at("case"):
			depth++
		case p.at("end"):
			depth--
		}
		if depth > nesting {
			return p.abandon(p.tok().Pos, "", "CASE nested deeper than %d", nesting)
		}
		if !p.skip() {
			return false
		}
		if depth == 0 {
			return true
		}
	}
	return p.abandon(begin.Pos, "close it with END", "CASE without END")
}

// misspelled says whether the word at the cursor, where none can stand in an
// expression, is nearly the name of a clause.
func (p *parser) misspelled() bool {
	first, second := p.tok(), p.ahead(1)
	if infix(first.Text) {
		return false
	}
	if second.isOperator("(") || second.isOperator("*") {
		return Nearest(first.Text, []string{"keys", "columns"}) != ""
	}
	if second.Kind != Word || second.Quoted {
		return false
	}
	for _, c := range [][2]string{
		{"ignore", "null"},
		{"apply", "as"},
		{"sequence", "by"},
		{"system", "sequence"},
		{"columns", "to"},
		{"stored", "as"},
		{"track", "history"},
	} {
		if near(first.Text, c[0]) && near(second.Text, c[1]) {
			return true
		}
	}
	return false
}

func near(word, as string) bool { return Nearest(word, []string{as}) != "" }

// condition parses the expression of APPLY AS.
func (p *parser) condition(of clause) (*Text, bool) {
	t, ok := p.expression(of)
	return &t, ok
}

// sequence parses an expression or STRUCT(expression, …).
func (p *parser) sequence(of clause) (*Sequence, bool) {
	start := p.i
	if !p.skipExpression(of) {
		return nil, false
	}
	s := &Sequence{Pos: p.toks[start].Pos}
	if p.wordsAt(start, "named_struct") {
		return nil, p.fail(s.Pos, "write STRUCT(a, b); the fields have the names of the columns", "%s with NAMED_STRUCT", of)
	}
	inner := start
	if s.Struct = p.wordsAt(start, "struct") && p.toks[start+1].isOperator("("); s.Struct {
		inner++
	}
	if !p.toks[inner].isOperator("(") || p.closing(inner) != p.i-1 {
		s.Struct = false
		return s, p.fields(s, [][2]int{{start, p.i}})
	}
	parts := p.parts(inner+1, p.i-1)
	if !s.Struct && len(parts) == 1 {
		return s, p.fields(s, [][2]int{{start, p.i}})
	}
	if !s.Struct {
		return nil, p.fail(s.Pos, "write STRUCT(a, b)", "%s with a row of several values", of)
	}
	return s, p.fields(s, parts)
}

// closing returns the index of the bracket that closes the one at i; the
// brackets from there on must be balanced.
func (p *parser) closing(i int) int {
	for depth := 0; ; i++ {
		switch t := p.toks[i]; {
		case t.isOperator("("), t.isOperator("["):
			depth++
		case t.isOperator(")"), t.isOperator("]"):
			depth--
		}
		if depth == 0 {
			return i
		}
	}
}

// fields takes the fields of a STRUCT, or the one value.
func (p *parser) fields(s *Sequence, parts [][2]int) bool {
	for _, part := range parts {
		if part[0] == part[1] {
			return p.fail(p.toks[part[0]].Pos, "", "expected an expression in STRUCT")
		}
		field, ok := p.text(part[0], part[1])
		if !ok {
			return false
		}
		s.Fields = append(s.Fields, field)
	}
	return true
}
