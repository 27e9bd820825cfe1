package flowsql

import (
	"fmt"
	"slices"
	"strings"
)

// fail reports a fault. It returns false for its callers to return.
func (p *parser) fail(pos Pos, hint, format string, args ...any) bool {
	p.lex.errs.add(pos, hint, format, args...)
	return false
}

func (p *parser) tok() Token { return p.toks[p.i] }

// ahead returns the token n after the current one, the last one past the end.
func (p *parser) ahead(n int) Token { return p.toks[min(p.i+n, len(p.toks)-1)] }

func (p *parser) atEnd() bool { return p.tok().Kind == endOfStatement }

func (t Token) isWord(word string) bool { return t.Kind == Word && !t.Quoted && t.Text == word }

func (t Token) isOperator(op string) bool { return t.Kind == Operator && t.Text == op }

// wordsAt says whether the keywords stand at i.
func (p *parser) wordsAt(i int, words ...string) bool {
	for n, w := range words {
		if i+n >= len(p.toks) || !p.toks[i+n].isWord(w) {
			return false
		}
	}
	return true
}

func (p *parser) at(words ...string) bool { return p.wordsAt(p.i, words...) }

// take passes the keywords if they are next.
func (p *parser) take(words ...string) bool {
	if !p.at(words...) {
		return false
	}
	p.i += len(words)
	return true
}

// need passes keywords that must be next.
func (p *parser) need(words ...string) bool {
	for _, w := range words {
		if !p.take(w) {
			return p.expected(strings.ToUpper(w), strings.ToUpper(w))
		}
	}
	return true
}

func (p *parser) takeOperator(op string) bool {
	if !p.tok().isOperator(op) {
		return false
	}
	p.i++
	return true
}

func (p *parser) needOperator(op string) bool { return p.takeOperator(op) || p.expected(op) }

// found describes the current token for a message.
func (p *parser) found() string {
	t := p.tok()
	switch {
	case t.Kind == endOfStatement && t.Text == "":
		return "the end of the file"
	case t.Kind == Word && !t.Quoted:
		return strings.ToUpper(cut(t.Text))
	case t.Kind == String:
		return "the string '" + cut(t.Text) + "'"
	}
	return cut(p.lex.src[t.Offset:t.End])
}

// cut keeps messages short.
func cut(s string) string {
	const most = 40
	if r := []rune(s[:min(len(s), 4*most)]); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// expected reports what should stand here; candidates are keywords that the word
// found may be a misspelling of.
func (p *parser) expected(what string, candidates ...string) bool {
	return p.fail(p.tok().Pos, p.spelling(candidates), "expected %s, found %s", what, p.found())
}

// expectedHint is expected with a hint of the caller's, unless the word found is
// a misspelled candidate.
func (p *parser) expectedHint(hint, what string, candidates ...string) bool {
	if near := p.spelling(candidates); near != "" {
		hint = near
	}
	return p.fail(p.tok().Pos, hint, "expected %s, found %s", what, p.found())
}

// spelling returns a hint if the current word is a misspelled first word of one
// of the phrases.
func (p *parser) spelling(phrases []string) string {
	t := p.tok()
	if t.Kind != Word || t.Quoted {
		return ""
	}
	firsts := make([]string, len(phrases))
	for i, phrase := range phrases {
		firsts[i], _, _ = strings.Cut(phrase, " ")
	}
	near := Nearest(t.Text, firsts)
	if i := slices.Index(firsts, near); i >= 0 {
		return fmt.Sprintf("did you mean %s?", phrases[i])
	}
	return ""
}

// unexpected reports a token that nothing can be made of.
func (p *parser) unexpected(hint string) bool {
	if p.tok().isOperator(")") || p.tok().isOperator("]") {
		hint = "nothing is open that it closes"
	}
	return p.fail(p.tok().Pos, hint, "unexpected %s", p.found())
}

// stringLiteral parses a string.
func (p *parser) stringLiteral(what string) (string, bool) {
	t := p.tok()
	if t.Kind != String {
		return "", p.fail(t.Pos, quotedHint(t), "expected %s, found %s", what, p.found())
	}
	p.i++
	return t.Text, true
}

// quotedHint is for those who write "text" for a string.
func quotedHint(t Token) string {
	if !t.Quoted {
		return ""
	}
	return fmt.Sprintf("\"%s\" is an identifier; write %s, or begin the file with SET dialect = 'spark'", t.Text, literal(t.Text))
}
