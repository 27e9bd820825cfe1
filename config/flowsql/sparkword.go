package flowsql

import "strings"

// word translates what begins with a word that is no name after a dot.
func (s *spark) word(i, to int) ([]piece, int) {
	if pieces, next := s.keyword(i, to); pieces != nil {
		return pieces, next
	}
	s.refuseWord(i, to)
	if s.after(i, 1, to).isOperator("(") && s.match[i+1] < to && !s.before(i).isWord("as") && !s.complete(i) {
		return s.call(i)
	}
	return s.one(i)
}

// keyword translates what begins with a keyword of ours; nil if none stands at i.
func (s *spark) keyword(i, to int) ([]piece, int) {
	next := s.after(i, 1, to)
	switch word := s.toks[i].Text; {
	case word == "order" && next.isWord("by"):
		return s.order(i, to)
	case word == "values" && s.isRelation(i):
		return s.values(i, to)
	case (word == "rlike" || word == "regexp") && s.complete(i):
		return s.rlike(i, i+1, to, "~")
	case word == "not" && (next.isWord("rlike") || next.isWord("regexp")) && s.complete(i):
		return s.rlike(i, i+2, to, "!~")
	case word == "interval":
		return s.interval(i, to)
	case strings.HasPrefix(word, "timestamp") && next.Kind == String && sparkTypes[word] != "":
		return s.expand(i, sparkTypes[word]), i + 1
	}
	return nil, i
}

// isRelation says whether the VALUES at i stands where a table could.
func (s *spark) isRelation(i int) bool {
	prev := s.before(i)
	return i == 0 || prev.isWord("from") || prev.isWord("join") || prev.isOperator("(") || prev.isOperator(",")
}

// refuseWord stops at what Postgres would take for an alias, or not understand.
func (s *spark) refuseWord(i, to int) {
	t, next := s.toks[i], s.after(i, 1, to)
	switch {
	case t.Text == "lateral" && next.isWord("view"):
		s.fail(t.Pos, "write CROSS JOIN LATERAL unnest(array) AS t(x)", "LATERAL VIEW is not translated")
	case (t.Text == "semi" || t.Text == "anti") && next.isWord("join"):
		s.fail(t.Pos, "write WHERE EXISTS (SELECT …), or NOT EXISTS", "%s JOIN is not translated", strings.ToUpper(t.Text))
	case (t.Text == "pivot" || t.Text == "unpivot") && next.isOperator("("):
		s.fail(t.Pos, "write an aggregate FILTER (WHERE …) for each column", "%s is not translated", strings.ToUpper(t.Text))
	case t.Text == "qualify" && s.complete(i) && (next.isOperator("(") || next.Kind == Word && (next.Quoted || !reserved(next.Text) || next.isWord("not"))):
		s.fail(t.Pos, "put the query in brackets and the condition in WHERE around it", "QUALIFY is not translated")
	case t.Text == "div" && s.complete(i) && next.Kind != endOfStatement:
		s.fail(t.Pos, "write trunc(a / b)", "DIV is not translated")
	}
}

// rlike translates RLIKE, whose pattern begins at from.
func (s *spark) rlike(i, from, to int, operator string) ([]piece, int) {
	end := s.operand(from, to)
	out := spaced(s.expand(i, operator))
	pattern := s.rewrite(from, end)
	if len(pattern) == 0 {
		return out, end
	}
	pattern, _ = s.pattern(pattern, false)
	return append(out, spaced(s.enclosed(pattern))...), end
}

// operand returns where the operand that begins at i ends: before a comparison
// or a keyword.
func (s *spark) operand(i, to int) int {
	for i < to {
		for i < to && s.toks[i].Kind == Operator && strings.Contains("+ - ~", s.toks[i].Text) {
			i++
		}
		i = s.primary(i, to)
		t := s.after(i, 0, to)
		if t.Kind != Operator || strings.ContainsAny(t.Text, ",=<>)]") && t.Text != "<<" && t.Text != ">>" {
			return min(i, to)
		}
		i++
	}
	return to
}

// primary returns where a literal, name, call, bracket or CASE ends, with what
// stands close behind it.
func (s *spark) primary(i, to int) int {
	t := s.after(i, 0, to)
	switch {
	case t.isOperator("("):
		i = s.match[i] + 1
	case t.isWord("case"):
		i = s.endOfCase(i, to)
	case t.Kind == Word && s.after(i, 1, to).Kind == String:
		i += 2
	case t.Kind == Word, t.Kind == String, t.Kind == Number:
		i++
	}
	for i < to {
		switch t := s.toks[i]; {
		case t.isOperator("."), t.isOperator("::"):
			i += 2
		case t.isOperator("("), t.isOperator("["):
			i = s.match[i] + 1
		case t.Kind == String && s.toks[i-1].Kind == String:
			i++
		default:
			return i
		}
	}
	return to
}

func (s *spark) endOfCase(i, to int) int {
	for depth := 0; i < to; i++ {
		switch t := s.toks[i]; {
		case t.isOperator("("), t.isOperator("["):
			i = min(s.match[i], to-1)
		case t.isWord("case"):
			depth++
		case t.isWord("end"):
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return to
}

// interval translates INTERVAL 1 DAY 2 HOURS.
func (s *spark) interval(i, to int) ([]piece, int) {
	var words []string
	end := i + 1
	for {
		sign := ""
		n := end
		if s.after(n, 0, to).isOperator("-") {
			sign = "-"
			n++
		}
		if s.after(n, 0, to).Kind != Number || s.after(n, 1, to).Kind != Word || s.after(n, 1, to).Quoted {
			break
		}
		words = append(words, sign+s.toks[n].Text+" "+s.toks[n+1].Text)
		end = n + 2
	}
	if words == nil {
		return nil, i
	}
	return s.expand(i, "INTERVAL "+literal(strings.Join(words, " "))), end
}
