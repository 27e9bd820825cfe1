package query

import (
	"slices"
	"strings"

	"github.com/autocdc/autocdc/config/flowsql"
)

// Part is a part of a query over a feed that depends on which rows of the feed come
// together, so that its result would be that of a batch and no row's own.
type Part struct {
	Pos  flowsql.Pos
	What string // as SQL says it
	// Call says that it is a call of the function What, which only depends on other
	// rows if it is an aggregate or a window function.
	Call bool
}

// PerBatch lists such parts of a query with one feed. What stands in a subquery that
// does not read the feed is evaluated for each row, and may do what it likes.
func (q *Query) PerBatch() []Part {
	r := newRowwise(q)
	r.reads()
	if len(r.parts) == 0 && !r.groups[0].over {
		r.add(r.feed.token, "a query that does not read it in its FROM")
	}
	for i := range r.toks {
		r.token(i)
	}
	return r.parts
}

// group is the query itself, or what stands in one pair of brackets.
type group struct {
	parent   int
	selects  bool
	relation bool // it is where a relation is, or the whole query
	over     bool // it reads the feed
	at       int  // its first token that does
	with     string
}

// rowwise looks at a query group by group.
type rowwise struct {
	q      *Query
	feed   Feed
	toks   []flowsql.Token
	groups []group
	of     []int // per token its group; brackets belong to the outer one
	parts  []Part
}

func newRowwise(q *Query) *rowwise {
	r := &rowwise{q: q, feed: q.Feeds[0], toks: q.Text.Tokens, groups: []group{{relation: true}}}
	in := 0
	for i, t := range r.toks {
		switch {
		case isOp(t, "("), isOp(t, "["):
			r.of = append(r.of, in)
			whole := r.groups[in].relation && !r.groups[in].selects && (i == 0 || r.of[i-1] != in || isWord(r.toks[i-1], "union", "intersect", "except", "all"))
			r.groups = append(r.groups, group{parent: in, relation: whole || slices.Contains(q.relations, i), with: q.with[i]})
			in = len(r.groups) - 1
			continue
		case isOp(t, ")"), isOp(t, "]"):
			in = r.groups[in].parent
		case isWord(t, "select"):
			r.groups[in].selects = true
		}
		r.of = append(r.of, in)
	}
	return r
}

func (r *rowwise) add(token int, what string) {
	r.parts = append(r.parts, Part{Pos: r.toks[token].Pos, What: what})
}

// reads marks the groups that read the feed, by itself or by what WITH makes of it.
func (r *rowwise) reads() {
	made := map[string]bool{}
	seen := map[string]bool{}
	r.mark(r.feed.token, made)
	for _, read := range r.q.reads {
		if read.token < r.feed.token || !made[read.name] {
			continue
		}
		if seen[read.name] {
			r.add(read.token, "reading "+flowsql.Ident{Name: read.name}.String()+" twice")
		}
		seen[read.name] = true
		r.mark(read.token, made)
	}
}

// mark goes from a token outwards until the query, or what WITH gives a name.
func (r *rowwise) mark(token int, made map[string]bool) {
	at := token
	for g := r.of[token]; ; g = r.groups[g].parent {
		group := &r.groups[g]
		if !group.over {
			group.over, group.at = true, at
		}
		if group.with != "" {
			made[group.with] = true
			return
		}
		if g == 0 {
			return
		}
		if !group.relation {
			r.add(token, "a subquery outside of FROM")
			return
		}
		at = r.open(g)
	}
}

// open is the bracket that opens a group.
func (r *rowwise) open(g int) int { return slices.Index(r.of, g) - 1 }

// token looks at one token of a group that reads the feed.
func (r *rowwise) token(i int) {
	t := r.toks[i]
	if t.Kind != flowsql.Word || i == r.feed.token {
		return
	}
	if g := r.groups[r.of[i]]; g.over && !t.Quoted && !r.after(i, ".") {
		if what := r.clause(i, g); what != "" {
			r.add(i, what)
			return
		}
	}
	if i+1 < len(r.toks) && isOp(r.toks[i+1], "(") && r.groups[r.query(r.of[i])].over {
		r.parts = append(r.parts, Part{Pos: t.Pos, What: t.Text, Call: true})
	}
}

func (r *rowwise) after(i int, op string) bool { return i > 0 && isOp(r.toks[i-1], op) }

// query is the group in which a SELECT stands around one.
func (r *rowwise) query(g int) int {
	for g > 0 && !r.groups[g].selects {
		g = r.groups[g].parent
	}
	return g
}

// clause names what a word begins, if it depends on other rows.
func (r *rowwise) clause(i int, g group) string {
	next := flowsql.Token{Kind: flowsql.Operator}
	if i+1 < len(r.toks) {
		next = r.toks[i+1]
	}
	switch word := r.toks[i].Text; word {
	case "having", "window", "limit", "offset", "union", "intersect", "except":
		return strings.ToUpper(word)
	case "group", "order":
		if isWord(next, "by") {
			return strings.ToUpper(word) + " BY"
		}
	case "distinct":
		if i > 0 && isWord(r.toks[i-1], "select") {
			return "DISTINCT"
		}
	case "fetch":
		if isWord(next, "first", "next") {
			return "FETCH"
		}
	case "over":
		if r.after(i, ")") && (isOp(next, "(") || next.Kind == flowsql.Word) {
			return "a window function"
		}
	case "for":
		if isWord(next, "update", "no", "share", "key") {
			return "FOR " + strings.ToUpper(next.Text)
		}
	case "left", "right", "full":
		if isWord(next, "join", "outer") && (word != "left" || i < g.at) {
			return strings.ToUpper(word) + " JOIN"
		}
	}
	return ""
}
