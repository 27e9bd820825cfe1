package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/autocdc/autocdc/config/flowsql"
)

// Query is a query of a flow file and the places in it that matter.
type Query struct {
	Text   flowsql.Text
	Tables []Table // relations that FROM names; those that WITH makes are left out
	Files  []Files
	Uses   []Use
	Meta   []Meta
	Feeds  []Feed // of ParseFeeds only

	with      map[int]string // as in scanner
	relations []int          // tokens of brackets in the place of a relation
	reads     []read         // of what WITH makes
}

// span is a stretch of the query's SQL, in bytes.
type span struct{ start, end int }

// Table is a relation that the query reads.
type Table struct {
	Pos   flowsql.Pos
	Parts []flowsql.Ident // as written: source.schema.table or less
	span
}

// Function names one of the functions that stand for a version.
type Function string

// The functions that stand for versions.
const (
	Last    Function = "last_snapshot_version"
	Current Function = "current_snapshot_version"
)

// Use is a call of one of them. As a relation it gives one column and a row, or
// none; elsewhere it is a value.
type Use struct {
	Pos      flowsql.Pos
	Function Function
	Relation bool
	named    bool // an alias follows
	span
}

// Meta is a mention of _metadata.name.
type Meta struct {
	Pos       flowsql.Pos
	Qualifier string // alias before it, quoted as it was written, or empty
	Name      string
	span
}

// Edit replaces a stretch of SQL.
type Edit struct {
	span
	With string
}

// Replace returns the SQL with edits made; they must not overlap, but one that lies
// within another is dropped.
func (q *Query) Replace(edits []Edit) string {
	var out strings.Builder
	at := 0
	for _, e := range sorted(edits) {
		out.WriteString(q.Text.SQL[at:e.start])
		out.WriteString(e.With)
		at = e.end
	}
	out.WriteString(q.Text.SQL[at:])
	return out.String()
}

// sorted returns the edits in the order of their places, without those that lie
// within others.
func sorted(edits []Edit) []Edit {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	at := 0
	return slices.DeleteFunc(edits, func(e Edit) bool {
		if e.start < at {
			return true
		}
		at = e.end
		return false
	})
}

// As puts a column in the place of the mention.
func (m Meta) As(column string) Edit {
	if m.Qualifier != "" {
		column = m.Qualifier + "." + column
	}
	return Edit{m.span, column}
}

// Part is a condition with the edits that lie in it.
func (q *Query) Part(c Condition, edits []Edit) string {
	inside := slices.DeleteFunc(slices.Clone(edits), func(e Edit) bool { return e.start < c.start || e.end > c.end })
	for i := range inside {
		inside[i].start, inside[i].end = inside[i].start-c.start, inside[i].end-c.start
	}
	part := &Query{Text: flowsql.Text{SQL: c.SQL}}
	return part.Replace(inside)
}

// Plain says that the query gives all rows of files, chosen by _metadata alone:
// SELECT * FROM read_files(…), and conditions of Pruning.
func (q *Query) Plain() bool {
	s := &scanner{q: q, toks: q.Text.Tokens}
	if len(q.Files) != 1 || q.Files[0].List || len(s.toks) < 4 || !isWord(s.toks[0], "select") || !isOp(s.toks[1], "*") || !isWord(s.toks[2], "from") {
		return false
	}
	f := q.Files[0]
	if s.toks[3].Offset != f.start {
		return false
	}
	for s.i = 3; s.i < len(s.toks) && s.tok(0).Offset < f.end; {
		s.i++
	}
	if f.named {
		s.i += map[bool]int{true: 2, false: 1}[isWord(s.tok(0), "as")]
	}
	if s.i >= len(s.toks) {
		return true
	}
	start, end := s.where(s.i)
	return isWord(s.tok(0), "where") && start == s.i+1 && end == len(s.toks) && len(s.conjuncts(start, end)) == len(f.Pruning)
}

// WithoutSource drops the source's name from a name of three parts.
func (t Table) WithoutSource() Edit {
	names := make([]string, 0, 2)
	for _, p := range t.Parts[1:] {
		names = append(names, p.String())
	}
	return Edit{t.span, strings.Join(names, ".")}
}

// As puts a relation, or a value, in the place of a call. relation is a query in
// brackets, name what it is called where the flow file names it no otherwise.
func (u Use) As(relation, name, value string) Edit {
	switch {
	case !u.Relation:
		return Edit{u.span, value}
	case u.named:
		return Edit{u.span, relation}
	}
	return Edit{u.span, relation + " AS " + name}
}

// Is tells whether a query uses a function.
func (q *Query) Is(f Function) bool {
	return slices.ContainsFunc(q.Uses, func(u Use) bool { return u.Function == f })
}

// Place finds the token of the flow file that stands at a character of the SQL that
// Replace returned for the same edits.
func (q *Query) Place(edits []Edit, char int) (flowsql.Pos, bool) {
	rendered := []rune(q.Replace(edits))
	if char < 0 || char >= len(rendered) {
		return flowsql.Pos{}, false
	}
	offset := len(string(rendered[:char]))
	for _, e := range sorted(edits) {
		switch grown := len(e.With) - (e.end - e.start); {
		case offset < e.start:
		case offset < e.start+len(e.With):
			offset = e.start
		default:
			offset -= grown
		}
	}
	return q.At(offset)
}

// At finds the token of the flow file at an offset of the query's SQL, in bytes.
func (q *Query) At(offset int) (flowsql.Pos, bool) {
	for _, t := range q.Text.Tokens {
		if offset >= 0 && t.End > offset {
			return t.Pos, true
		}
	}
	return flowsql.Pos{}, false
}
