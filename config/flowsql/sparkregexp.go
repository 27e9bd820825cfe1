package flowsql

import (
	"strconv"
	"strings"
)

// pattern translates a regular expression of Java that is a literal; another one
// stays as it is. Groups is how many it captures, -1 if that is not known. Where
// the length of a match matters, as it does but for ~, patterns are refused of
// which Postgres would match another length.
func (s *spark) pattern(value []piece, length bool) (out []piece, groups int) {
	if !isLiteral(value) {
		return value, -1
	}
	p := value[0]
	j := javaRegexp{src: p.Text}
	j.translate()
	if j.fault == "" && length && j.lazy && j.greedy {
		j.fail("of lazy and greedy parts together", "the first quantifier decides for the whole pattern in Postgres; write [^x]* in the place of .*?")
	}
	if j.fault != "" {
		s.fail(p.Pos, j.hint, "a regular expression %s is not translated", j.fault)
		return value, -1
	}
	p.Text = j.out.String()
	p.sql = literal(p.Text)
	return []piece{p}, j.groups
}

// regexpCall translates regexp_extract and regexp_replace.
func (s *spark) regexpCall(i int) ([]piece, int) {
	name, args := s.toks[i].Text, s.args(i+1)
	if len(args) > 3 || len(args) < 2 || empty(args) || name == "regexp_replace" && len(args) != 3 {
		s.fail(s.toks[i].Pos, "", "%s with %d arguments is not translated", name, len(args))
		return s.one(i)
	}
	values := s.arguments(args)
	literalPattern := isLiteral(values[1])
	var groups int
	values[1], groups = s.pattern(values[1], true)
	next := s.match[i+1] + 1
	if name == "regexp_replace" {
		values[2] = s.replacement(values[2])
		return s.expand(i, "regexp_replace($1, $2, $3, 'g')", values...), next
	}
	if len(args) == 2 {
		values = append(values, s.expand(i, "1"))
		values[2][0].Pos = values[1][0].Pos
	}
	s.checkGroup(values[2], groups)
	notNull := "$4 IS NOT NULL"
	if !literalPattern {
		notNull += " AND $5 IS NOT NULL"
	}
	values = append(values, s.enclosed(values[0]), s.enclosed(values[1]))
	return s.expand(i, "CASE WHEN "+notNull+" THEN coalesce(regexp_substr($1, $2, 1, 1, '', $3), '') END", values...), next
}

// checkGroup refuses a group that the pattern does not have.
func (s *spark) checkGroup(group []piece, groups int) {
	if groups < 0 || len(group) != 1 || group[0].Kind != Number {
		return
	}
	if n, err := strconv.Atoi(group[0].Text); err == nil && n > groups {
		s.fail(group[0].Pos, "write 0 as the third argument for the whole match; without one it is 1", "group %d of a regular expression with %d", n, groups)
	}
}

// replacement translates $1 and \$ in the literal that regexp_replace puts in.
func (s *spark) replacement(value []piece) []piece {
	if !isLiteral(value) {
		s.fail(value[0].Pos, "write a string literal, with $1 for the first group", "a replacement that is no literal is not translated")
		return value
	}
	p := value[0]
	var out strings.Builder
	for i := 0; i < len(p.Text); i++ {
		switch c := p.Text[i]; {
		case c == '\\' && i+1 < len(p.Text):
			i++
			out.WriteString(backslashed(p.Text[i]))
		case c == '$' && i+1 < len(p.Text) && isDigit(p.Text[i+1]):
			i++
			out.WriteString(groupReference(p.Text[i]))
		case c == '$' || c == '\\':
			s.fail(p.Pos, `write $1 for a group, \\$ for a dollar sign, \\\\ for a backslash`, "unexpected %c in a replacement", c)
			return value
		default:
			out.WriteByte(c)
		}
	}
	p.Text = out.String()
	p.sql = literal(p.Text)
	return []piece{p}
}

func backslashed(c byte) string {
	if c == '\\' {
		return `\\`
	}
	return string([]byte{c})
}

func groupReference(digit byte) string {
	if digit == '0' {
		return `\&`
	}
	return `\` + string(rune(digit))
}
