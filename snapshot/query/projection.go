package query

import (
	"slices"

	"github.com/autocdc/autocdc/config/flowsql"
)

// Projection is a query of the simplest shape, SELECT … FROM feed [WHERE …], taken
// apart: each row of the feed gives one row, or none.
type Projection struct {
	Items []Item
	Where []Conjunct
	Alias string // of the feed, or empty

	list  int  // just past the select list
	where span // with the word; empty if there is none
}

// Item is one entry of the select list.
type Item struct {
	Star   bool     // * or feed.*
	Column string   // where it is a column as it is, under its own or another name
	Words  []string // all names in it but qualifiers
}

// Conjunct is one of the conditions that WHERE joins with AND.
type Conjunct struct {
	SQL   string
	Words []string
}

// Projection takes a query with one feed apart, nil if it has another shape.
func (q *Query) Projection() *Projection {
	s := &scanner{q: q, toks: q.Text.Tokens}
	if len(s.toks) == 0 || !isWord(s.toks[0], "select") || isWord(s.tok(1), "distinct", "all") {
		return nil
	}
	from := s.next(1, "from")
	if from != q.Feeds[0].token-1 {
		return nil
	}
	p := &Projection{list: s.toks[from-1].End}
	for _, item := range s.arguments(1, from) {
		p.Items = append(p.Items, itemOf(item))
	}
	at := s.behindFeed()
	if q.Feeds[0].Named {
		p.Alias = s.toks[at-1].Text
	}
	if at == len(s.toks) {
		return p
	}
	if !isWord(s.toks[at], "where") || s.next(at+1, "group", "having", "window", "order", "limit", "offset", "fetch", "union", "intersect", "except", "for") < len(s.toks) {
		return nil
	}
	p.where = span{s.toks[at].Offset, len(q.Text.SQL)}
	for _, part := range s.conjuncts(at+1, len(s.toks)) {
		toks := s.toks[part.start:part.end]
		p.Where = append(p.Where, Conjunct{SQL: q.Text.SQL[toks[0].Offset:toks[len(toks)-1].End], Words: Words(toks)})
	}
	return p
}

// Rewrite puts more columns behind the select list, and other conditions in the place
// of WHERE.
func (q *Query) Rewrite(p *Projection, more, where string) string {
	edits := []Edit{{span{p.list, p.list}, more}}
	switch {
	case p.where.end > 0:
		edits = append(edits, Edit{p.where, where})
	case where != "":
		edits = append(edits, Edit{span{len(q.Text.SQL), len(q.Text.SQL)}, "\n" + where}) // behind a comment
	}
	return q.Replace(edits)
}

// next is the first of the words from a token on that stands in no bracket.
func (s *scanner) next(from int, words ...string) int {
	depth := 0
	for i := from; i < len(s.toks); i++ {
		switch t := s.toks[i]; {
		case isOp(t, "("), isOp(t, "["):
			depth++
		case isOp(t, ")"), isOp(t, "]"):
			depth--
		case depth == 0 && isWord(t, words...) && !s.distinctFrom(i):
			return i
		}
	}
	return len(s.toks)
}

// distinctFrom tells whether a word is the FROM of IS DISTINCT FROM.
func (s *scanner) distinctFrom(i int) bool {
	return i > 1 && isWord(s.toks[i], "from") && isWord(s.toks[i-1], "distinct") && isWord(s.toks[i-2], "is", "not")
}

// behindFeed is the token behind the feed and its alias.
func (s *scanner) behindFeed() int {
	f := s.q.Feeds[0]
	i := f.token
	for i < len(s.toks) && s.toks[i].Offset < f.end {
		i++
	}
	if f.Named && i < len(s.toks) && isWord(s.toks[i], "as") {
		i++
	}
	if f.Named {
		i++
	}
	return min(i, len(s.toks))
}

// itemOf reads an entry of the select list.
func itemOf(toks []flowsql.Token) Item {
	n := len(toks)
	item := Item{Words: Words(toks)}
	if n > 0 && isOp(toks[n-1], "*") && (n == 1 || n == 3 && isOp(toks[1], ".")) {
		item.Star = true
		return item
	}
	if n > 2 && isWord(toks[n-2], "as") {
		toks = toks[:n-2]
		item.Words = Words(toks)
	}
	switch {
	case len(toks) == 3 && isOp(toks[1], "."):
		toks = toks[2:]
	case len(toks) == 2 && toks[0].Kind == flowsql.Word && toks[1].Kind == flowsql.Word:
		toks = toks[:1] // an alias without AS
	case len(toks) == 4 && isOp(toks[1], ".") && toks[3].Kind == flowsql.Word:
		toks = toks[2:3]
	}
	if len(toks) == 1 && toks[0].Kind == flowsql.Word {
		item.Column = toks[0].Text
	}
	return item
}

// Words are the names in a piece of SQL, each once, but those that qualify others.
func Words(toks []flowsql.Token) []string {
	var out []string
	for i, t := range toks {
		qualifies := i+2 < len(toks) && isOp(toks[i+1], ".") && toks[i+2].Kind == flowsql.Word
		if t.Kind == flowsql.Word && !qualifies && !slices.Contains(out, t.Text) {
			out = append(out, t.Text)
		}
	}
	return out
}
