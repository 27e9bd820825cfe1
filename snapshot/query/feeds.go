package query

import (
	"slices"

	"github.com/autocdc/autocdc/config/flowsql"
)

// Feed is STREAM(name), STREAM name or CHANGES(name) in the place of a relation, or
// the plain name of a view over one.
type Feed struct {
	Pos     flowsql.Pos
	Changes bool
	Plain   bool // a name alone
	Name    flowsql.Name
	Named   bool // an alias follows

	token int // the first
	span
}

// read is a relation that WITH makes, by its token.
type read struct {
	token int
	name  string
}

// ParseFeeds is Parse for queries that may read feeds; isView tells which names are
// those of views.
func ParseFeeds(text flowsql.Text, isView func(name string) bool) (*Query, flowsql.ErrorList) {
	s := newScanner(text)
	s.feeds, s.isView, s.q.with = true, isView, s.with
	return s.scan()
}

// Span is where the feed stands in the query's SQL, in bytes.
func (f Feed) Span() (start, end int) { return f.start, f.end }

// Mentions tells whether a word of the query is that name.
func (q *Query) Mentions(name string) bool { return mentions(q.Text.Tokens, name) }

// feed reads a feed if there is one at start.
func (s *scanner) feed(start int, parts []flowsql.Ident) bool {
	word := s.toks[start]
	f := Feed{Pos: word.Pos, Changes: isWord(word, "changes"), token: start}
	switch t := s.tok(0); {
	case len(parts) > 1:
		return false
	case !isWord(word, "stream", "changes"):
		if isOp(t, "(") || s.isWith(parts[0].Name) || !s.isView(parts[0].Name) {
			return false
		}
		f.Plain, f.Name = true, flowsql.Name{Pos: word.Pos, Parts: parts}
	case isOp(t, "("):
		if !s.bracketed(&f) {
			return true
		}
	case !f.Changes && t.Kind == flowsql.Word && !isWord(t, "as") && (t.Quoted || !slices.Contains(afterRelation, t.Text)):
		f.Name = s.dotted()
	default:
		return false // a table of that name
	}
	f.span, f.Named = s.spanFrom(start), s.aliased()
	s.q.Feeds = append(s.q.Feeds, f)
	return true
}

// bracketed reads the name in brackets.
func (s *scanner) bracketed(f *Feed) bool {
	end := s.after(s.i)
	s.i++
	if s.tok(0).Kind == flowsql.Word {
		f.Name = s.dotted()
	}
	ok := len(f.Name.Parts) > 0 && len(f.Name.Parts) <= 3 && s.i == end-1
	s.i = end
	if !ok {
		s.fail(f.Pos, "write STREAM(schema.table), or STREAM(source.schema.table) where there are several sources", "STREAM(…) without the name of a table")
	}
	return ok
}

func (s *scanner) dotted() flowsql.Name {
	n := flowsql.Name{Pos: s.tok(0).Pos, Parts: []flowsql.Ident{ident(s.tok(0))}}
	s.i++
	for isOp(s.tok(0), ".") && s.tok(1).Kind == flowsql.Word {
		n.Parts = append(n.Parts, ident(s.tok(1)))
		s.i += 2
	}
	return n
}
