package query

import (
	"slices"
	"strings"

	"github.com/autocdc/autocdc/config/flowsql"
)

// Parse finds the places. Faults are those of the arguments of read_files and
// list_files.
func Parse(text flowsql.Text) (*Query, flowsql.ErrorList) { return newScanner(text).scan() }

// scanner goes through the tokens of a query.
type scanner struct {
	q      *Query
	errs   flowsql.ErrorList
	toks   []flowsql.Token
	i      int
	levels []level
	with   map[int]string // name by the bracket that opens what WITH gives it
	feeds  bool           // STREAM and CHANGES mean feeds
	isView func(name string) bool
}

func newScanner(text flowsql.Text) *scanner {
	return &scanner{q: &Query{Text: text}, toks: text.Tokens, with: withBodies(text.Tokens), levels: []level{{}}}
}

func (s *scanner) scan() (*Query, flowsql.ErrorList) {
	for s.i < len(s.toks) {
		s.step()
	}
	return s.q, s.errs
}

// level is what is known within one pair of brackets.
type level struct {
	query    bool // SELECT was seen
	from     bool // between FROM and the next clause
	relation bool // a relation is to come
}

func (s *scanner) top() *level { return &s.levels[len(s.levels)-1] }

func (s *scanner) tok(ahead int) flowsql.Token {
	if i := s.i + ahead; i >= 0 && i < len(s.toks) {
		return s.toks[i]
	}
	return flowsql.Token{Kind: flowsql.Operator}
}

func isWord(t flowsql.Token, words ...string) bool {
	return t.Kind == flowsql.Word && !t.Quoted && slices.Contains(words, t.Text)
}

func isOp(t flowsql.Token, op string) bool { return t.Kind == flowsql.Operator && t.Text == op }

// step looks at one token, or at a name with all its parts.
func (s *scanner) step() {
	t := s.tok(0)
	switch {
	case isOp(t, "("), isOp(t, "["):
		s.open()
	case isOp(t, ")"), isOp(t, "]"):
		if len(s.levels) > 1 {
			s.levels = s.levels[:len(s.levels)-1]
		}
		s.top().relation = false
		s.i++
	case isOp(t, ","):
		s.top().relation = s.top().from
		s.i++
	case t.Kind == flowsql.Word && s.keyword(t):
		s.i++
	case t.Kind == flowsql.Word:
		s.name()
	default:
		s.i++
	}
}

// open enters brackets; those in the place of a relation may hold a join.
func (s *scanner) open() {
	inner := level{}
	if s.top().relation {
		s.q.relations = append(s.q.relations, s.i)
	}
	if s.top().relation && !isWord(s.tok(1), "select", "with", "values", "table") {
		inner.from, inner.relation, inner.query = true, true, true
	}
	s.levels = append(s.levels, inner)
	s.i++
}

// keyword takes note of those that say where relations stand.
func (s *scanner) keyword(t flowsql.Token) bool {
	if t.Quoted {
		return false
	}
	l := s.top()
	switch t.Text {
	case "select":
		*l = level{query: true}
	case "from":
		if !l.query || isWord(s.tok(-1), "distinct") && isWord(s.tok(-2), "is", "not") {
			return true // EXTRACT(… FROM …), IS DISTINCT FROM
		}
		l.from, l.relation = true, true
	case "join":
		l.relation = l.from
	case "where", "group", "having", "window", "order", "limit", "offset", "fetch", "union", "intersect", "except", "for":
		l.from, l.relation = false, false
	case "lateral", "only":
	case "on", "using", "tablesample":
		l.relation = false
	default:
		return false
	}
	return true
}

// name reads a name with its parts and what is called by it.
func (s *scanner) name() {
	start := s.i
	parts := []flowsql.Ident{ident(s.tok(0))}
	s.i++
	for isOp(s.tok(0), ".") && s.tok(1).Kind == flowsql.Word {
		parts = append(parts, ident(s.tok(1)))
		s.i += 2
	}
	relation := s.top().relation
	s.top().relation = false
	switch {
	case relation && s.feeds && s.feed(start, parts):
	case isOp(s.tok(0), "(") && len(parts) == 1:
		s.call(start, parts[0].Name, relation)
	case isOp(s.tok(0), "("):
		// a function of a schema
	case relation:
		s.table(start, parts)
	default:
		s.metadata(start, parts)
	}
}

func ident(t flowsql.Token) flowsql.Ident { return flowsql.Ident{Pos: t.Pos, Name: t.Text} }

func (s *scanner) spanFrom(start int) span {
	return span{s.toks[start].Offset, s.toks[s.i-1].End}
}

func (s *scanner) table(start int, parts []flowsql.Ident) {
	if len(parts) == 1 && s.isWith(parts[0].Name) {
		s.q.reads = append(s.q.reads, read{start, parts[0].Name})
		return
	}
	s.q.Tables = append(s.q.Tables, Table{Pos: parts[0].Pos, Parts: parts, span: s.spanFrom(start)})
}

func (s *scanner) metadata(start int, parts []flowsql.Ident) {
	n := len(parts)
	if n < 2 || n > 3 || parts[n-2].Name != "_metadata" {
		return
	}
	m := Meta{Pos: parts[0].Pos, Name: parts[n-1].Name, span: s.spanFrom(start)}
	if n == 3 {
		m.Qualifier = parts[0].String()
	}
	s.q.Meta = append(s.q.Meta, m)
}

// call reads a call of one of the known functions; the arguments of others are
// looked through like everything else.
func (s *scanner) call(start int, name string, relation bool) {
	f := Function(strings.ToLower(name))
	switch {
	case f == Last || f == Current:
		s.use(start, f, relation)
	case (name == "read_files" || name == "list_files") && relation:
		s.files(start, name == "list_files")
	}
}

func (s *scanner) use(start int, f Function, relation bool) {
	open := s.i
	s.i = s.after(open)
	if s.i > open+2 {
		s.fail(s.toks[open+1].Pos, "", "%s() takes no arguments", f)
	}
	s.q.Uses = append(s.q.Uses, Use{
		Pos: s.toks[start].Pos, Function: f, Relation: relation, named: s.aliased(), span: s.spanFrom(start),
	})
}

// aliased tells whether an alias follows a relation.
func (s *scanner) aliased() bool {
	t := s.tok(0)
	return isWord(t, "as") || t.Kind == flowsql.Word && (t.Quoted || !slices.Contains(afterRelation, t.Text))
}

// afterRelation are the words that may follow a relation that has no alias.
var afterRelation = []string{
	"where", "group", "having", "window", "order", "limit", "offset", "fetch", "union", "intersect", "except", "for",
	"on", "using", "join", "cross", "inner", "left", "right", "full", "natural", "tablesample", "and", "or",
}

// after returns the index behind the bracket that matches the one at open.
func (s *scanner) after(open int) int {
	depth := 0
	for i := open; i < len(s.toks); i++ {
		switch t := s.toks[i]; {
		case isOp(t, "("), isOp(t, "["):
			depth++
		case isOp(t, ")"), isOp(t, "]"):
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s.toks)
}

func (s *scanner) isWith(name string) bool {
	for _, n := range s.with {
		if n == name {
			return true
		}
	}
	return false
}

// withBodies finds the brackets to which WITH gives names: those after a word and
// AS, with or without columns between the two.
func withBodies(toks []flowsql.Token) map[int]string {
	names := map[int]string{}
	for i, t := range toks {
		if !isWord(t, "as") || i == 0 {
			continue
		}
		next := i + 1
		for next < len(toks) && isWord(toks[next], "not", "materialized") {
			next++
		}
		if next >= len(toks) || !isOp(toks[next], "(") {
			continue
		}
		at := i - 1
		if isOp(toks[at], ")") {
			for at > 0 && !isOp(toks[at], "(") {
				at--
			}
			at--
		}
		if at >= 0 && toks[at].Kind == flowsql.Word {
			names[next] = toks[at].Text
		}
	}
	return names
}
