package query

import (
	"fmt"
	"strings"

	"github.com/autocdc/autocdc/config/flowsql"
)

// Files is a call of read_files or list_files in the place of a relation.
type Files struct {
	Pos      flowsql.Pos
	List     bool // list_files
	Location string
	Options  []flowsql.Option
	// Pruning are conditions of the query on nothing but _metadata: a file for which
	// one of them is not true need not be read.
	Pruning []Condition
	// Qualifier is the name that columns of the relation may be qualified with.
	Qualifier string
	named     bool
	span
}

// Condition is one of the conditions that WHERE connects with AND.
type Condition struct {
	SQL string
	span
}

// As puts a relation in the place of the call.
func (f Files) As(relation string) Edit {
	if f.named {
		return Edit{f.span, relation}
	}
	return Edit{f.span, relation + " AS " + f.Qualifier}
}

// True puts TRUE in the place of a condition that was used up.
func (c Condition) True() Edit { return Edit{c.span, "true"} }

func (s *scanner) fail(pos flowsql.Pos, hint, format string, args ...any) {
	s.errs = append(s.errs, &flowsql.Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// files reads the arguments: a location, then options as name => value.
func (s *scanner) files(start int, list bool) {
	f := Files{Pos: s.toks[start].Pos, List: list, Qualifier: s.toks[start].Text}
	open, end := s.i, s.after(s.i)
	for n, arg := range s.arguments(open+1, end-1) {
		switch {
		case n == 0 && len(arg) == 0:
			s.fail(f.Pos, "write "+f.Qualifier+"('directory, glob, file or URL')", "%s without a location", f.Qualifier)
		case n == 0:
			f.Location = s.location(arg)
		case len(arg) == 3 && arg[0].Kind == flowsql.Word && isOp(arg[1], "=>"):
			f.Options = append(f.Options, flowsql.Option{Name: flowsql.Ident{Pos: arg[0].Pos, Name: strings.ToLower(arg[0].Text)}, Value: arg[2].Text, At: arg[2].Pos})
		case len(arg) > 0:
			s.fail(arg[0].Pos, "options are written name => value, as in header => true", "%s: this is no option", s.toks[start].Text)
		}
	}
	s.i = end
	f.span = s.spanFrom(start)
	f.named = s.aliased()
	if f.named {
		f.Qualifier = s.alias()
	}
	f.Pruning = s.pruning(end)
	s.q.Files = append(s.q.Files, f)
}

func (s *scanner) location(arg []flowsql.Token) string {
	if len(arg) == 1 && arg[0].Kind == flowsql.String {
		return arg[0].Text
	}
	s.fail(arg[0].Pos, "", "the location of files must be one string")
	return ""
}

func (s *scanner) alias() string {
	at := 0
	if isWord(s.tok(0), "as") {
		at = 1
	}
	return ident(s.tok(at)).String()
}

// arguments splits the tokens from start up to end at the commas in no bracket.
func (s *scanner) arguments(start, end int) [][]flowsql.Token {
	var args [][]flowsql.Token
	depth, from := 0, start
	for i := start; i < end; i++ {
		switch t := s.toks[i]; {
		case isOp(t, "("), isOp(t, "["):
			depth++
		case isOp(t, ")"), isOp(t, "]"):
			depth--
		case isOp(t, ",") && depth == 0:
			args = append(args, s.toks[from:i])
			from = i + 1
		}
	}
	return append(args, s.toks[from:end])
}

// pruning collects the conditions of the WHERE that follows, each alone, that
// mention _metadata. Whether they mention something else is for Postgres to find.
func (s *scanner) pruning(from int) []Condition {
	start, end := s.where(from)
	var out []Condition
	for _, part := range s.conjuncts(start, end) {
		if mentions(s.toks[part.start:part.end], "_metadata") {
			first, last := s.toks[part.start], s.toks[part.end-1]
			out = append(out, Condition{SQL: s.q.Text.SQL[first.Offset:last.End], span: span{first.Offset, last.End}})
		}
	}
	return out
}

// where finds the condition of the query that the relation belongs to: the tokens
// between WHERE and the next clause.
func (s *scanner) where(from int) (start, end int) {
	depth := 0
	for i := from; i < len(s.toks); i++ {
		switch t := s.toks[i]; {
		case isOp(t, "("), isOp(t, "["):
			depth++
		case isOp(t, ")"), isOp(t, "]"):
			if depth--; depth < 0 {
				return bounded(start, i)
			}
		case depth > 0:
		case isWord(t, "where"):
			start = i + 1
		case isWord(t, "group", "having", "window", "order", "limit", "offset", "fetch", "union", "intersect", "except", "for"):
			return bounded(start, i)
		}
	}
	return bounded(start, len(s.toks))
}

func bounded(start, end int) (int, int) {
	if start == 0 {
		return 0, 0
	}
	return start, end
}

// conjuncts splits a condition at its ANDs; one with an OR beside them is left
// whole.
func (s *scanner) conjuncts(start, end int) []span {
	var parts []span
	depth, from, between := 0, start, false
	for i := start; i < end; i++ {
		switch t := s.toks[i]; {
		case isOp(t, "("), isOp(t, "["):
			depth++
		case isOp(t, ")"), isOp(t, "]"):
			depth--
		case depth > 0:
		case isWord(t, "or"):
			return []span{{start, end}}
		case isWord(t, "between"):
			between = true
		case isWord(t, "and") && between:
			between = false
		case isWord(t, "and"):
			parts = append(parts, span{from, i})
			from = i + 1
		}
	}
	if from < end {
		parts = append(parts, span{from, end})
	}
	return parts
}

func mentions(toks []flowsql.Token, name string) bool {
	for _, t := range toks {
		if t.Kind == flowsql.Word && t.Text == name {
			return true
		}
	}
	return false
}
