package flowsql

import "strings"

// all translates an expression or a query.
func (s *spark) all() []piece {
	s.checkBits()
	return s.level(0, len(s.toks))
}

// level translates what may be a whole query: all, or the inside of a bracket.
func (s *spark) level(from, to int) []piece {
	switch first := at(s.toks[:to], from); {
	case first.isWord("from"):
		return s.fromFirst(from, to)
	case first.isWord("values"):
		return append(s.expand(from, "SELECT * FROM"), spaced(s.rewrite(from, to))...)
	}
	return s.rewrite(from, to)
}

// rewrite translates the tokens from one index up to another.
func (s *spark) rewrite(from, to int) []piece {
	if s.depth++; s.depth > 2*nesting {
		s.fail(s.toks[from].Pos, "", "nested deeper than %d", 2*nesting)
		to = from
	}
	defer func() { s.depth-- }()
	var out []piece
	for i := from; i < to; {
		pieces, next := s.step(i, to)
		out = append(out, pieces...)
		i = next
	}
	return out
}

// step translates what begins at i and returns where it ends.
func (s *spark) step(i, to int) ([]piece, int) {
	switch t := s.toks[i]; {
	case t.Kind == Operator:
		return s.operator(i, to)
	case t.Kind == Number:
		return s.number(i, to)
	case t.Kind == String:
		return s.str(i, to)
	case t.Kind == Word && !t.Quoted && !s.before(i).isOperator("."):
		return s.word(i, to)
	}
	return s.one(i)
}

func (s *spark) one(i int) ([]piece, int) { return []piece{s.copy(i)}, i + 1 }

func (s *spark) before(i int) Token { return at(s.toks, i-1) }

// after returns the token n behind the one at i, nothing from to on.
func (s *spark) after(i, n, to int) Token { return at(s.toks[:to], i+n) }

// complete says whether an operand may end before i.
func (s *spark) complete(i int) bool {
	switch t := s.before(i); t.Kind {
	case String, Number, Param:
		return true
	case Operator:
		return t.Text == ")" || t.Text == "]"
	case Word:
		return t.Quoted || at(s.toks, i-2).isOperator(".") || operandWord(t.Text)
	}
	return false
}

func operandWord(word string) bool {
	switch word {
	case "true", "false", "null", "end", "user", "current_date", "current_timestamp", "current_user", "localtimestamp":
		return true
	case "by", "over", "rlike", "regexp", "div":
		return false
	}
	return !reserved(word)
}

// str joins literals that stand one after another, which are one in Spark.
func (s *spark) str(i, to int) ([]piece, int) {
	p := s.copy(i)
	var text strings.Builder
	for ; i < to && s.toks[i].Kind == String; i++ {
		text.WriteString(s.toks[i].Text)
	}
	p.Text = text.String()
	p.sql = literal(p.Text)
	return []piece{p}, i
}

// number translates the suffixes of Spark's numbers.
func (s *spark) number(i, to int) ([]piece, int) {
	suffix := s.after(i, 1, to)
	if suffix.Kind != Word || suffix.Quoted || suffix.Offset != s.toks[i].End {
		return s.one(i)
	}
	var typ string
	switch suffix.Text {
	case "l":
		typ = "bigint"
	case "s", "y":
		typ = "smallint"
	case "d":
		typ = "double precision"
	case "f":
		typ = "real"
	case "bd":
		typ = "numeric"
	default:
		s.fail(s.toks[i].Pos, "write a name that begins with a digit between backticks", "unexpected %s after a number", cut(suffix.Text))
		return s.one(i)
	}
	return s.expand(i, "CAST($1 AS "+typ+")", []piece{s.copy(i)}), i + 2
}

func (s *spark) operator(i, to int) ([]piece, int) {
	t := s.toks[i]
	switch t.Text {
	case "(":
		return s.group(i)
	case "[":
		return s.subscript(i)
	case "::":
		pieces, next := s.typ(i+1, to)
		return append([]piece{s.copy(i)}, pieces...), next
	case "==":
		return s.expand(i, "="), i + 1
	case "<=>":
		return spaced(s.expand(i, "IS NOT DISTINCT FROM")), i + 1
	case "/":
		return spaced(s.expand(i, "* 1.0 /")), i + 1
	case "!":
		return s.expand(i, "NOT"), i + 1
	case "*":
		if s.after(i, 1, to).isWord("except") && s.exceptList(i+2, to) {
			s.fail(t.Pos, "name the columns; COLUMNS * EXCEPT (…) of a flow leaves columns out of its target", "* EXCEPT in a query is not translated")
		}
	default:
		s.refuseOperator(i, to)
	}
	return s.one(i)
}

// exceptList says whether columns, and no query, stand in brackets at i.
func (s *spark) exceptList(i, to int) bool {
	first := s.after(i, 1, to)
	return s.after(i, 0, to).isOperator("(") && first.Kind == Word && !first.isWord("select") && !first.isWord("values") &&
		!first.isWord("from") && !first.isWord("with")
}

func (s *spark) refuseOperator(i, to int) {
	t := s.toks[i]
	switch {
	case t.Text == "^":
		s.fail(t.Pos, "in Postgres ^ is a power; write a # b in a file without SET dialect", "the operator ^ is not translated")
	case t.Text == ">>>":
		s.fail(t.Pos, "write a >> b if the number is never negative", "the operator >>> is not translated")
	case t.Text == ":":
		s.fail(t.Pos, "of a json or jsonb column take a field with column ->> 'field'", "a path after : is not translated")
	case t.Text == "->" && s.after(i, 1, to).Kind != String:
		s.fail(t.Pos, "unnest the array in a file without SET dialect, or keep it as it is", "lambda functions are not translated")
	case t.Text == "|>":
		s.fail(t.Pos, "write SELECT … FROM … WHERE …", "queries with |> are not translated")
	}
}

// group translates a bracket that no function of ours stands before.
func (s *spark) group(i int) ([]piece, int) {
	end := s.match[i]
	if end == len(s.toks) {
		return s.one(i)
	}
	inner := s.level(i+1, end)
	if at(s.toks, end+1).isOperator("::") && s.isInteger(end+2) && s.fraction(i+1, end) {
		return s.expand(i, "trunc($1)", inner), end + 1
	}
	out := append([]piece{s.copy(i)}, inner...)
	return append(out, s.copy(end)), end + 1
}

// subscript lets pass what means the same: keys, and the elements of ARRAY[…].
func (s *spark) subscript(i int) ([]piece, int) {
	end := s.match[i]
	if s.complete(i) && end < len(s.toks) && (end != i+2 || s.toks[i+1].Kind != String) {
		s.fail(s.toks[i].Pos, "Spark counts the elements of an array from 0, Postgres from 1; take the element in a file without SET dialect",
			"an element of an array by its number is not translated")
	}
	return s.one(i)
}

// checkBits refuses expressions that Spark and Postgres would group in different
// ways: in Spark << binds closer than &, and that closer than |.
func (s *spark) checkBits() {
	levels := []string{""}
	for _, t := range s.toks {
		last := &levels[len(levels)-1]
		switch {
		case t.isOperator("("), t.isOperator("["):
			levels = append(levels, "")
		case len(levels) > 1 && (t.isOperator(")") || t.isOperator("]")):
			levels = levels[:len(levels)-1]
		case t.Kind == Word && !t.Quoted && reserved(t.Text), t.Kind == Operator && strings.ContainsAny(t.Text, ",=") || t.isOperator("<>"):
			*last = ""
		case t.isOperator("&"), t.isOperator("|"), t.isOperator("<<"), t.isOperator(">>"):
			if *last != "" && *last != t.Text {
				s.fail(t.Pos, "put the part that Spark computes first in brackets", "%s beside %s", t.Text, *last)
			}
			*last = t.Text
		}
	}
}
