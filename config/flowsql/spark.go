package flowsql

import "strings"

// sparkQuoted lexes the quotes of the spark dialect: 'x' and "x" are strings
// with backslash escapes, r'x' has none, `x` is an identifier.
func (l *lexer) sparkQuoted() (tok Token, ok, done bool) {
	c, next := l.src[l.off], l.peek(1)
	prefixed := next == '\'' || next == '"'
	switch {
	case c == '\'' || c == '"':
		tok, ok = l.sparkString(0, sparkEscaped)
	case c == '`':
		tok, ok = l.quotedWord('`')
	case prefixed && (c == 'r' || c == 'R'):
		tok, ok = l.sparkString(1, rawString)
	case prefixed && (c == 'x' || c == 'X'):
		l.errs.add(l.pos, `write '\x…'::bytea in a file without SET dialect`, "binary literals are not translated")
		tok, ok = l.str(1, plainString)
	default:
		return tok, false, false
	}
	return tok, ok, true
}

func (l *lexer) sparkString(prefix int, read body) (Token, bool) {
	tok, ok := l.str(prefix, read)
	if ok && strings.ContainsRune(tok.Text, 0) {
		l.errs.add(tok.Pos, "Postgres cannot store a NUL character", "NUL character in a string")
		ok = false
	}
	return tok, ok
}

func sparkEscaped(s string, quote byte) (string, int) { return escaped(s, quote, sparkEscape) }

// sparkEscape keeps the backslash of \% and \_, which are patterns of LIKE.
func sparkEscape(s string) (string, int) {
	switch c := s[0]; c {
	case 'b', 'n', 'r', 't':
		return control(c), 1
	case '0':
		if len(s) >= 3 && isOctal(s[1]) && isOctal(s[2]) {
			return number(s, 0, 3, 8, false)
		}
		return "\x00", 1
	case 'Z':
		return "\x1a", 1
	case '%', '_':
		return `\` + s[:1], 1
	case 'u':
		return number(s, 1, 4, 16, false)
	case 'U':
		return number(s, 1, 8, 16, false)
	}
	return one(s)
}

func isOctal(c byte) bool { return '0' <= c && c <= '7' }

func rawString(s string, quote byte) (string, int) {
	if i := strings.IndexByte(s, quote); i >= 0 {
		return s[:i], i + 1
	}
	return "", 0
}
