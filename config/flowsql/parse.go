package flowsql

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Parse reads a flow file; name is what positions show. It always returns a
// file, with every statement that is whole. The error is nil or an ErrorList
// with all faults of the file, in the order of their places.
func Parse(name string, src []byte) (*File, error) {
	p := newParser(name, string(src))
	if p.encoding() {
		p.statements()
	}
	p.lex.errs.Sort()
	return p.file, p.lex.errs.asError()
}

// parser holds the tokens of one statement at a time, the last of them
// endOfStatement. Its methods report faults to the lexer's list and return
// false.
type parser struct {
	lex  lexer
	file *File
	toks []Token
	i    int
}

func newParser(name, src string) *parser {
	p := &parser{file: &File{Name: name, Dialect: Postgres}}
	p.lex = lexer{src: src, dialect: Postgres, pos: Pos{File: name, Line: 1, Column: 1}}
	if strings.HasPrefix(src, "\ufeff") {
		p.lex.off = len("\ufeff")
	}
	return p
}

func (p *parser) dialect() Dialect { return p.file.Dialect }

// encoding refuses what is no text.
func (p *parser) encoding() bool {
	src := p.lex.src
	for i, r := range src {
		hint := "save the file as UTF-8"
		switch _, n := utf8.DecodeRuneInString(src[i:]); {
		case r == utf8.RuneError && n == 1:
			p.fail(p.placeOf(i), hint, "invalid UTF-8, byte 0x%02x", src[i])
			return false
		case r == 0:
			p.fail(p.placeOf(i), hint, "NUL byte")
			return false
		}
	}
	return true
}

func (p *parser) placeOf(off int) Pos {
	l := lexer{src: p.lex.src, off: p.lex.off, pos: p.lex.pos}
	l.advance(max(0, off-l.off))
	return l.pos
}

// statements parses all statements. One whose tokens are at fault is skipped,
// what is not a token would only bring faults that follow from it.
func (p *parser) statements() {
	for more := true; more; {
		faults := len(p.lex.errs)
		p.toks, more = p.lex.statement()
		p.i = 0
		if len(p.lex.errs) == faults {
			p.statement()
		}
	}
}

// statement parses one statement, and those that follow it without a semicolon,
// which it reports.
func (p *parser) statement() {
	for !p.atEnd() {
		s, ok := p.one()
		if ok && s != nil {
			p.file.Statements = append(p.file.Statements, s)
		}
		switch {
		case p.atEnd():
		case p.startsStatement():
			p.unexpected("end the statement before it with ;")
		case ok:
			p.unexpected("")
			return
		default:
			return
		}
	}
}

func (p *parser) startsStatement() bool {
	return p.at("create") || p.at("set", "dialect") || p.at("auto", "cdc") || p.at("apply", "changes")
}

func (p *parser) one() (Statement, bool) {
	pos := p.tok().Pos
	switch {
	case p.take("create"):
		return p.create(pos)
	case p.take("set"):
		return nil, p.set(pos)
	case p.at("auto", "cdc"), p.at("apply", "changes"):
		return p.bareFlow(pos)
	}
	p.expected("a statement", "CREATE", "SET", "AUTO CDC INTO", "APPLY CHANGES INTO")
	return nil, false
}

// set parses SET dialect.
func (p *parser) set(pos Pos) bool {
	if !p.need("dialect") {
		return false
	}
	if len(p.file.Statements) > 0 || p.lex.dialect != Postgres {
		return p.fail(pos, "move it to the top, once: it holds for the whole file", "SET dialect after another statement")
	}
	if !p.takeOperator("=") && !p.take("to") {
		return p.expected("=")
	}
	t := p.tok()
	if t.Kind != String && t.Kind != Word {
		return p.expected("'postgres' or 'spark'")
	}
	p.i++
	switch d := Dialect(strings.ToLower(t.Text)); d {
	case Postgres, Spark:
		p.file.Dialect, p.lex.dialect = d, d
		return true
	}
	hint := "write 'postgres' or 'spark'"
	if near := Nearest(t.Text, []string{string(Postgres), string(Spark)}); near != "" {
		hint = fmt.Sprintf("did you mean '%s'?", near)
	}
	return p.fail(t.Pos, hint, "unknown dialect '%s'", cut(t.Text))
}

func didYouMean(word string, candidates []string, otherwise string) string {
	if near := Nearest(word, candidates); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return otherwise
}
