package flowsql

import "strings"

// spark translates one piece of Spark SQL into Postgres SQL, token by token.
// What it does not know it leaves as it is, so that Postgres complains of it;
// what would silently mean something else it translates or refuses.
type spark struct {
	src     string
	toks    []Token
	match   []int // the index of the bracket that closes the one at an index
	version bool  // the query gives a version: the fields of a struct keep their names
	depth   int   // of rewrite
	errs    ErrorList
}

// piece is a token of the translation, with the place of the token that it comes
// from, what stands before it and how it is written.
type piece struct {
	Token
	gap, sql string
}

func newSpark(src string, toks []Token) *spark {
	s := &spark{src: src, toks: toks, match: make([]int, len(toks))}
	var open []int
	for i, t := range toks {
		s.match[i] = len(toks)
		switch n := len(open); {
		case t.isOperator("("), t.isOperator("["):
			open = append(open, i)
		case n > 0 && (t.isOperator(")") || t.isOperator("]")):
			s.match[open[n-1]] = i
			open = open[:n-1]
		}
	}
	return s
}

// sparkText translates the tokens from start up to end by rewrite.
func (p *parser) sparkText(start, end int, rewrite func(s *spark) []piece) (Text, bool) {
	s := newSpark(p.lex.src, p.toks[start:end])
	sql, toks := render(rewrite(s))
	p.lex.errs = append(p.lex.errs, s.errs...)
	return Text{Pos: s.toks[0].Pos, SQL: sql, Tokens: toks}, len(s.errs) == 0
}

func (s *spark) fail(pos Pos, hint, format string, args ...any) {
	s.errs.add(pos, hint, format, args...)
}

// copy takes the token at i as it is, but for its quotes.
func (s *spark) copy(i int) piece {
	t := s.toks[i]
	switch {
	case t.Kind == String:
		return piece{t, s.gap(i), literal(t.Text)}
	case t.Quoted:
		return piece{t, s.gap(i), quote(t.Text)}
	}
	return piece{t, s.gap(i), s.src[t.Offset:t.End]}
}

// gap is what stands before the token at i, comments too.
func (s *spark) gap(i int) string {
	if i == 0 {
		return ""
	}
	return s.src[s.toks[i-1].End:s.toks[i].Offset]
}

// translationMax is how many tokens a translation may have. The arguments of some
// functions are repeated in it, so that nested calls would grow without bound.
const translationMax = 1 << 16

// expand writes sql in the place of the token at i, and arguments for $1, $2, …
func (s *spark) expand(i int, sql string, args ...[]piece) []piece {
	l := lexer{src: sql, dialect: Postgres}
	toks, _ := l.statement()
	var out []piece
	end := 0
	for _, t := range toks[:len(toks)-1] {
		gap := sql[end:t.Offset]
		end = t.End
		if t.Kind != Param {
			at := t
			at.Pos = s.toks[i].Pos
			out = append(out, piece{at, gap, sql[t.Offset:t.End]})
			continue
		}
		arg := args[t.Text[1]-'1']
		out = append(out, arg...)
		if len(arg) > 0 {
			out[len(out)-len(arg)].gap = gap
		}
	}
	if len(out) > translationMax {
		s.fail(s.toks[i].Pos, "", "more than %d words and signs when it is translated", translationMax)
		return []piece{s.copy(i)}
	}
	out[0].gap = s.gap(i)
	return out
}

// join puts a sign between pieces of SQL, at the place of the token at i.
func (s *spark) join(i int, sign string, parts [][]piece) []piece {
	separator := piece{Token{Kind: Operator, Pos: s.toks[i].Pos, Text: sign}, "", sign}
	if sign != "," {
		separator.gap = " "
	}
	out := parts[0]
	for _, part := range parts[1:] {
		out = append(append(out, separator), apart(part)...)
	}
	return out
}

// apart is pieces with one space before them.
func apart(pieces []piece) []piece {
	pieces[0].gap = " "
	return pieces
}

// enclosed is a value that can stand beside any operator: one word or sign, a name
// with dots, or what is in a bracket.
func (s *spark) enclosed(value []piece) []piece {
	depth := 0
	for n, p := range value {
		switch {
		case p.isOperator("("):
			depth++
		case p.isOperator(")"):
			depth--
		case depth == 0 && p.Kind == Operator && p.Text != ".", depth == 0 && n > 0 && !p.isOperator(".") && !value[n-1].isOperator("."):
			depth = -1
		}
		if depth < 0 || depth == 0 && n < len(value)-1 && p.isOperator(")") {
			at := piece{Token{Kind: Operator, Pos: value[0].Pos, Text: "("}, value[0].gap, "("}
			end := piece{Token{Kind: Operator, Pos: value[0].Pos, Text: ")"}, "", ")"}
			out := append([]piece{at}, value...)
			out[1].gap = ""
			return append(out, end)
		}
	}
	return value
}

// spaced is pieces that stand apart from what is before them.
func spaced(pieces []piece) []piece {
	if pieces[0].gap == "" {
		pieces[0].gap = " "
	}
	return pieces
}

// render writes the pieces and returns their tokens with the offsets in the SQL.
func render(pieces []piece) (string, []Token) {
	var sql strings.Builder
	out := make([]Token, len(pieces))
	for i, p := range pieces {
		if i > 0 {
			sql.WriteString(p.gap)
			if p.gap == "" && clash(pieces[i-1], p) {
				sql.WriteString(" ")
			}
		}
		p.Offset, p.End = sql.Len(), sql.Len()+len(p.sql)
		sql.WriteString(p.sql)
		out[i] = p.Token
	}
	return sql.String(), out
}

// clash says whether b must not follow a without a space: e'x', u&'x' and 'x”y'
// are something else in Postgres, and so are two words, or signs, in one.
func clash(a, b piece) bool {
	if b.Kind == String {
		return a.Kind != Operator || a.Text == "&"
	}
	if a.Kind == Operator && b.Kind == Operator && strings.Contains(operatorBytes, a.sql[:1]) && strings.Contains(operatorBytes, b.sql[:1]) {
		return operatorLen(a.sql+b.sql) != len(a.sql)
	}
	return isWordByte(a.sql[len(a.sql)-1]) && isWordByte(b.sql[0])
}

// literal returns s as a string literal that means the same whatever
// standard_conforming_strings says.
func literal(s string) string {
	q := "'" + strings.ReplaceAll(s, "'", "''") + "'"
	if strings.Contains(s, `\`) {
		return "E" + strings.ReplaceAll(q, `\`, `\\`)
	}
	return q
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
