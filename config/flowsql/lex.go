package flowsql

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// endOfStatement is the kind of the token that closes each statement's tokens;
// it stands at the semicolon or at the end of the file.
const endOfStatement TokenKind = -1

// lexer cuts a file into tokens, a statement at a time, so that SET dialect can
// change how the rest is read. Offsets of its tokens count from the start of the
// file.
type lexer struct {
	src     string
	dialect Dialect
	off     int
	pos     Pos // of src[off]
	errs    ErrorList
}

// statement returns the tokens up to the next semicolon, closed by an
// endOfStatement, and whether anything may follow.
func (l *lexer) statement() (toks []Token, more bool) {
	for {
		l.skipSpace()
		if l.off >= len(l.src) {
			return append(toks, l.token(endOfStatement, 0, "")), false
		}
		if l.src[l.off] == ';' {
			return append(toks, l.token(endOfStatement, 1, ";")), true
		}
		if tok, ok := l.next(); ok {
			toks = append(toks, tok)
		}
	}
}

// token takes the next n bytes as one token.
func (l *lexer) token(kind TokenKind, n int, text string) Token {
	t := Token{Kind: kind, Pos: l.pos, Offset: l.off, End: l.off + n, Text: text}
	l.advance(n)
	return t
}

func (l *lexer) advance(n int) {
	for _, c := range []byte(l.src[l.off : l.off+n]) {
		if c == '\n' {
			l.pos.Line, l.pos.Column = l.pos.Line+1, 1
		} else if utf8.RuneStart(c) {
			l.pos.Column++
		}
	}
	l.off += n
}

// fail reports a fault at the current place and skips n bytes.
func (l *lexer) fail(n int, msg, hint string) (Token, bool) {
	l.errs.add(l.pos, hint, "%s", msg)
	l.advance(n)
	return Token{}, false
}

func (l *lexer) rest() string { return l.src[l.off:] }

func (l *lexer) has(prefix string) bool { return strings.HasPrefix(l.rest(), prefix) }

// peek returns the byte n after the current one, 0 past the end.
func (l *lexer) peek(n int) byte {
	if l.off+n < len(l.src) {
		return l.src[l.off+n]
	}
	return 0
}

func (l *lexer) skipSpace() {
	for l.off < len(l.src) {
		switch c := l.src[l.off]; {
		case strings.IndexByte(" \t\r\n\f\v", c) >= 0:
			l.advance(1)
		case l.has("--"):
			l.advance(len(l.rest()) - len(after(l.rest(), "\n")))
		case l.has("/*"):
			l.skipComment()
		default:
			return
		}
	}
}

// after returns what follows the first sep, "" if there is none.
func after(s, sep string) string {
	_, tail, _ := strings.Cut(s, sep)
	return tail
}

// skipComment passes a comment with those that are nested in it.
func (l *lexer) skipComment() {
	s, depth := l.rest(), 0
	for i := 0; i+1 < len(s); {
		switch s[i : i+2] {
		case "/*":
			depth, i = depth+1, i+2
		case "*/":
			depth, i = depth-1, i+2
		default:
			i++
		}
		if depth == 0 {
			l.advance(i)
			return
		}
	}
	l.fail(len(s), "unterminated comment", "the comment that begins here needs a */ for each /*")
}

func (l *lexer) next() (Token, bool) {
	if tok, ok, done := l.quoted(); done {
		return tok, ok
	}
	switch c := l.src[l.off]; {
	case isDigit(c), c == '.' && isDigit(l.peek(1)):
		n := numberLen(l.rest())
		return l.token(Number, n, l.rest()[:n]), true
	case isWordStart(c):
		return l.word()
	case strings.IndexByte("()[],.:", c) >= 0:
		return l.punctuation(), true
	case strings.IndexByte(operatorBytes, c) >= 0:
		n := operatorLen(l.rest())
		return l.token(Operator, n, l.rest()[:n]), true
	}
	return l.unexpected()
}

// word lexes an unquoted identifier or keyword.
func (l *lexer) word() (Token, bool) {
	s := l.rest()
	for i, r := range s {
		if isWordRune(r) {
			continue
		}
		if i == 0 {
			return l.oddRune(r)
		}
		return l.token(Word, i, fold(s[:i])), true
	}
	return l.token(Word, len(s), fold(s)), true
}

// isWordRune takes what Postgres takes in a name, but for spaces and quotes that
// only look like those of SQL.
func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isWordByte(byte(r))
	}
	return !unicode.IsSpace(r) && !unicode.IsControl(r) && !strings.ContainsRune(invisible+typographic, r)
}

const (
	invisible   = "\u00ad\u200b\u2060\ufeff"
	typographic = "‘’‚“”„«»"
)

func (l *lexer) oddRune(r rune) (Token, bool) {
	n := utf8.RuneLen(r)
	switch {
	case unicode.IsSpace(r) || strings.ContainsRune(invisible, r):
		return l.fail(n, "unexpected invisible character "+printable(r), "replace it by an ordinary space")
	case strings.ContainsRune(typographic, r):
		return l.fail(n, "unexpected typographic quote "+string(r), "write 'text' for a string and \"name\" for an identifier")
	}
	return l.fail(n, "unexpected character "+printable(r), "")
}

func (l *lexer) unexpected() (Token, bool) {
	switch c := l.src[l.off]; {
	case l.has("${"):
		return l.fail(2, "unexpected ${", "environment variables are expanded in the YAML file only")
	case c == '`':
		return l.fail(1, "unexpected `", "write \"name\" for a quoted identifier, or begin the file with SET dialect = 'spark'")
	default:
		return l.fail(1, "unexpected character "+printable(rune(c)), "")
	}
}
