package flowsql

import "strings"

const (
	quoteHint   = "the text that begins here never ends; an earlier quote may be missing"
	unicodeHint = "write the characters themselves, the file is UTF-8"
)

// quoted lexes what begins with a quote of any sort; done is false if nothing
// does here.
func (l *lexer) quoted() (tok Token, ok, done bool) {
	if l.dialect == Spark {
		return l.sparkQuoted()
	}
	c, next := l.src[l.off], l.peek(1)
	switch {
	case c == '\'':
		tok, ok = l.str(0, plainString)
	case c == '"':
		tok, ok = l.quotedWord('"')
	case c == '$':
		return l.dollar()
	case next == '\'' && (c == 'e' || c == 'E'):
		tok, ok = l.str(1, escapeString)
	case next == '\'' && strings.IndexByte("bBxXnN", c) >= 0:
		tok, ok = l.str(1, plainString)
	case (c == 'u' || c == 'U') && next == '&' && (l.peek(2) == '\'' || l.peek(2) == '"'):
		l.errs.add(l.pos, unicodeHint, "unicode escapes U& are not supported")
		l.advance(2)
		l.quoted()
	default:
		return tok, false, false
	}
	return tok, ok, true
}

// body is how the inside of a string is read: it returns the value of s, which
// begins after the opening quote, and the length with the closing quote, 0 if
// there is none.
type body func(s string, quote byte) (value string, n int)

// str lexes a string whose quote stands after prefix bytes.
func (l *lexer) str(prefix int, read body) (Token, bool) {
	s := l.rest()
	value, n := read(s[prefix+1:], s[prefix])
	if n == 0 {
		return l.fail(len(s), "unterminated string", quoteHint)
	}
	return l.token(String, prefix+1+n, value), true
}

func (l *lexer) quotedWord(quote byte) (Token, bool) {
	name, n := plainString(l.rest()[1:], quote)
	switch {
	case n == 0:
		return l.fail(len(l.rest()), "unterminated quoted identifier", quoteHint)
	case name == "":
		return l.fail(1+n, "empty quoted identifier", "")
	}
	tok := l.token(Word, 1+n, name)
	tok.Quoted = true
	return tok, true
}

func plainString(s string, quote byte) (string, int) {
	for i := 0; i < len(s); i++ {
		if s[i] != quote {
			continue
		}
		if i+1 < len(s) && s[i+1] == quote {
			i++
			continue
		}
		q := string(quote)
		return strings.ReplaceAll(s[:i], q+q, q), i + 1
	}
	return "", 0
}

// dollar lexes $1 and $tag$…$tag$.
func (l *lexer) dollar() (tok Token, ok, done bool) {
	s := l.rest()
	if n := span(s[1:], isDigit); n > 0 {
		return l.token(Param, 1+n, s[:1+n]), true, true
	}
	n := span(s[1:], func(c byte) bool { return c != '$' && isWordByte(c) })
	if 1+n >= len(s) || s[1+n] != '$' {
		return tok, false, false
	}
	tag := s[:n+2]
	value, _, found := strings.Cut(s[len(tag):], tag)
	if !found {
		tok, ok = l.fail(len(s), "unterminated dollar-quoted string", "the text that begins here needs a closing "+tag)
		return tok, ok, true
	}
	return l.token(String, 2*len(tag)+len(value), value), true, true
}
