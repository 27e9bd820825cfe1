package query

import (
	"fmt"
	"strings"

	"github.com/autocdc/autocdc/config/flowsql"
)

// Struct is the version of a query whose one column is made of several fields,
// with STRUCT(…), ROW(…) or CAST(ROW(…) AS record).
type Struct struct {
	Name   string // of the column
	Fields []Field
	span
}

// Field is one field of a version.
type Field struct{ Name, SQL string }

// Columns puts the fields in the place of the column, a column each.
func (s Struct) Columns() Edit {
	list := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		list[i] = f.SQL + " AS " + flowsql.Ident{Name: f.Name}.String()
	}
	return Edit{s.span, strings.Join(list, ", ")}
}

// Struct returns the version's fields, nil if it is a plain value.
func (q *Query) Struct() *Struct {
	s := &scanner{q: q, toks: q.Text.Tokens}
	if !s.toSelect() {
		return nil
	}
	start := s.i
	open, cast := s.i+1, false
	switch {
	case isWord(s.tok(0), "struct", "row") && isOp(s.tok(1), "("):
	case isWord(s.tok(0), "cast") && isOp(s.tok(1), "(") && isWord(s.tok(2), "row") && isOp(s.tok(3), "("):
		open, cast = s.i+3, true
	default:
		return nil
	}
	v := &Struct{Name: "version"}
	for i, arg := range s.arguments(open+1, s.after(open)-1) {
		v.Fields = append(v.Fields, s.field(arg, i))
	}
	s.i = s.after(open)
	if cast {
		s.i = s.after(start + 1)
	}
	if isWord(s.tok(0), "as") {
		s.i++
	}
	if t := s.tok(0); t.Kind == flowsql.Word && (t.Quoted || !isWord(t, "from")) && s.i < len(s.toks) {
		v.Name = t.Text
		s.i++
	}
	v.span = s.spanFrom(start)
	return v
}

// toSelect goes behind the first SELECT that stands in no bracket.
func (s *scanner) toSelect() bool {
	for s.i < len(s.toks) {
		switch {
		case isOp(s.tok(0), "("):
			s.i = s.after(s.i)
			continue
		case isWord(s.tok(0), "select"):
			s.i++
			return true
		}
		s.i++
	}
	return false
}

func (s *scanner) field(arg []flowsql.Token, i int) Field {
	f := Field{Name: fmt.Sprintf("f%d", i+1)}
	if len(arg) == 0 {
		return f
	}
	n := len(arg)
	if n > 2 && isWord(arg[n-2], "as") && arg[n-1].Kind == flowsql.Word {
		f.Name = arg[n-1].Text
		arg = arg[:n-2]
	} else if last := arg[n-1]; last.Kind == flowsql.Word && (n == 1 || isOp(arg[n-2], ".")) {
		f.Name = last.Text
	}
	f.SQL = s.q.Text.SQL[arg[0].Offset:arg[len(arg)-1].End]
	return f
}

// ColumnName is the name of the query's column: its alias, or what Postgres would
// call it.
func (q *Query) ColumnName() string {
	s := &scanner{q: q, toks: q.Text.Tokens}
	if !s.toSelect() {
		return "version"
	}
	start := s.i
	end := start
	for depth := 0; end < len(s.toks); end++ {
		t := s.toks[end]
		if isOp(t, "(") {
			depth++
		} else if isOp(t, ")") {
			depth--
		} else if depth == 0 && (isOp(t, ",") || isWord(t, "from", "where", "group", "order", "limit", "union")) {
			break
		}
	}
	item := s.toks[start:end]
	switch n := len(item); {
	case n == 0:
		return "version"
	case item[n-1].Kind == flowsql.Word:
		return item[n-1].Text
	case item[0].Kind == flowsql.Word && n > 1 && isOp(item[1], "("):
		return item[0].Text
	}
	return "version"
}
