package flowsql

// nesting is how deep brackets may stand in one another.
const nesting = 256

// text returns the tokens from start up to end as a piece of SQL; it fails only
// where the spark dialect is not translated.
func (p *parser) text(start, end int) (Text, bool) {
	if p.dialect() == Spark {
		return p.sparkText(start, end, (*spark).all)
	}
	return p.verbatim(start, end), true
}

// typeText returns a type.
func (p *parser) typeText(start, end int) (Text, bool) {
	if p.dialect() == Spark {
		return p.sparkText(start, end, (*spark).columnType)
	}
	return p.verbatim(start, end), true
}

// versionText returns the query of a version, whose fields keep their names.
func (p *parser) versionText(start, end int) (Text, bool) {
	if p.dialect() == Spark {
		return p.sparkText(start, end, func(s *spark) []piece { s.version = true; return s.all() })
	}
	return p.verbatim(start, end), true
}

func (p *parser) verbatim(start, end int) Text {
	toks := p.toks[start:end]
	first, last := toks[0], toks[len(toks)-1]
	out := make([]Token, len(toks))
	for i, t := range toks {
		t.Offset, t.End = t.Offset-first.Offset, t.End-first.Offset
		out[i] = t
	}
	return Text{Pos: first.Pos, SQL: p.lex.src[first.Offset:last.End], Tokens: out}
}

// skip passes one token, or a bracket with all that is in it.
func (p *parser) skip() bool {
	switch t := p.tok(); {
	case t.isOperator("("), t.isOperator("["):
		end, ok := p.group()
		if ok {
			p.i = end + 1
		}
		return ok
	case t.isOperator(")"), t.isOperator("]"):
		return p.unexpected("")
	}
	p.i++
	return true
}

// group passes the bracket at the cursor and returns the index of its closing
// one.
func (p *parser) group() (end int, ok bool) {
	var open []Token
	for i := p.i; ; i++ {
		t := p.toks[i]
		switch {
		case t.Kind == endOfStatement:
			return 0, p.unclosed(open[len(open)-1])
		case t.isOperator("("), t.isOperator("["):
			open = append(open, t)
		case t.isOperator(")"), t.isOperator("]"):
			last := open[len(open)-1]
			if (last.Text == "(") != (t.Text == ")") {
				return 0, p.unclosed(last)
			}
			open = open[:len(open)-1]
		}
		if len(open) > nesting {
			return 0, p.abandon(t.Pos, "", "brackets nested deeper than %d", nesting)
		}
		if len(open) == 0 {
			p.i++
			return i, true
		}
	}
}

// abandon reports a fault after which nothing in the statement can be told.
func (p *parser) abandon(pos Pos, hint, format string, args ...any) bool {
	p.i = len(p.toks) - 1
	return p.fail(pos, hint, format, args...)
}

func (p *parser) unclosed(open Token) bool {
	return p.abandon(open.Pos, "the bracket that opens here needs a closing one", "unclosed %s", open.Text)
}

// parts splits the tokens from start up to end at the commas that stand in no
// bracket. The brackets must be balanced.
func (p *parser) parts(start, end int) [][2]int {
	var parts [][2]int
	depth, from := 0, start
	for i := start; i < end; i++ {
		switch t := p.toks[i]; {
		case t.isOperator("("), t.isOperator("["):
			depth++
		case t.isOperator(")"), t.isOperator("]"):
			depth--
		case t.isOperator(",") && depth == 0:
			parts = append(parts, [2]int{from, i})
			from = i + 1
		}
	}
	return append(parts, [2]int{from, end})
}
