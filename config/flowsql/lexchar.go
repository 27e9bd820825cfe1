package flowsql

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const operatorBytes = "+-*/<>=~!@#%^&|?"

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

func isWordByte(c byte) bool { return isWordStart(c) || isDigit(c) || c == '$' }

// fold lower-cases ASCII letters only, as Postgres does in a UTF-8 database.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

func printable(r rune) string {
	if r < ' ' || r > '~' {
		return fmt.Sprintf("%U", r)
	}
	return string(r)
}

// numberLen returns the length of the number that s begins with.
func numberLen(s string) int {
	if len(s) > 2 && s[0] == '0' && strings.IndexByte("xXoObB", s[1]) >= 0 && isRadixDigit(s[2]) {
		return 2 + span(s[2:], isRadixDigit)
	}
	n := span(s, isNumeral)
	if n < len(s) && s[n] == '.' && (n+1 == len(s) || s[n+1] != '.') {
		n++
		n += span(s[n:], isNumeral)
	}
	return n + exponentLen(s[n:])
}

func exponentLen(s string) int {
	if s == "" || s[0] != 'e' && s[0] != 'E' {
		return 0
	}
	sign := min(1, span(s[1:], func(c byte) bool { return c == '+' || c == '-' }))
	if digits := span(s[1+sign:], isNumeral); digits > 0 {
		return 1 + sign + digits
	}
	return 0
}

func isNumeral(c byte) bool { return isDigit(c) || c == '_' }

func isRadixDigit(c byte) bool {
	return isNumeral(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// span counts the leading bytes of s that satisfy f.
func span(s string, f func(byte) bool) int {
	n := 0
	for n < len(s) && f(s[n]) {
		n++
	}
	return n
}

// operatorMax bounds the length of an operator, Postgres's names end there.
const operatorMax = 63

// operatorLen applies Postgres's rules: a comment ends an operator, and one of
// several characters ends in + or - only if it has a character of no arithmetic.
func operatorLen(s string) int {
	n := span(s[:min(len(s), operatorMax)], func(c byte) bool { return strings.IndexByte(operatorBytes, c) >= 0 })
	for _, comment := range []string{"--", "/*"} {
		if i := strings.Index(s[:n], comment); i > 0 {
			n = i
		}
	}
	if strings.ContainsAny(s[:n], "~!@#%^&|?") {
		return n
	}
	return max(1, len(strings.TrimRight(s[:n], "+-")))
}

// punctuation lexes the single characters that are no operators, and :: and :=.
func (l *lexer) punctuation() Token {
	if l.has("::") || l.has(":=") || l.has("..") {
		return l.token(Operator, 2, l.rest()[:2])
	}
	return l.token(Operator, 1, l.rest()[:1])
}
