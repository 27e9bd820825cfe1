package flowsql

import (
	"strconv"
	"strings"
)

// fromFirst puts SELECT before a query that begins with FROM.
func (s *spark) fromFirst(from, to int) []piece {
	for i := from; i < to; i++ {
		switch t := s.toks[i]; {
		case t.isOperator("("), t.isOperator("["):
			i = s.match[i]
		case t.isWord("select"):
			s.fail(t.Pos, "write SELECT before FROM", "SELECT after FROM is not translated")
		}
	}
	return append(s.expand(from, "SELECT *"), spaced(s.rewrite(from, to))...)
}

// order translates ORDER BY: nulls are the smallest values in Spark, the greatest
// in Postgres.
func (s *spark) order(i, to int) ([]piece, int) {
	out := []piece{s.copy(i), s.copy(i + 1)}
	for i += 2; i < to; {
		end := s.orderItem(i, to)
		item := s.rewrite(i, end)
		out = append(out, item...)
		if nulls := s.nullsOf(i, end); len(item) > 0 && nulls != "" {
			out = append(out, apart(s.expand(end-1, nulls))...)
		}
		if i = end; !s.after(i, 0, to).isOperator(",") {
			break
		}
		out = append(out, s.copy(i))
		i++
	}
	return out, i
}

// nullsOf says where Spark puts the nulls of an item of ORDER BY that says nothing
// of them.
func (s *spark) nullsOf(from, to int) string {
	switch last := s.before(to); {
	case to-from > 1 && s.before(to-1).isWord("nulls") && (last.isWord("first") || last.isWord("last")):
		return ""
	case last.isWord("desc"):
		return "NULLS LAST"
	}
	return "NULLS FIRST"
}

// orderItem returns where the item of ORDER BY that begins at i ends.
func (s *spark) orderItem(i, to int) int {
	for start := i; i < to; i++ {
		t := s.toks[i]
		if t.isOperator(",") || t.Kind == Word && !t.Quoted && i > start && endsOrder(t.Text, s.after(i, 1, to)) {
			return i
		}
		if t.isOperator("(") || t.isOperator("[") {
			i = s.match[i]
		}
	}
	return min(i, to)
}

func endsOrder(word string, next Token) bool {
	switch word {
	case "limit", "offset", "fetch", "for", "union", "intersect", "except":
		return true
	case "rows", "range", "groups":
		return next.Kind == Number || next.isWord("between") || next.isWord("unbounded") || next.isWord("current")
	}
	return false
}

// values translates VALUES in the place of a table. Its columns are col1, col2, …
// where no names are given.
func (s *spark) values(i, to int) ([]piece, int) {
	rows := spaced(s.expand(i, "(VALUES"))
	width := 0
	j := i + 1
	for {
		row, columns, end := s.row(j, to)
		if row == nil && width == 0 {
			return s.one(i)
		}
		if row == nil {
			break
		}
		rows = append(rows, spaced(row)...)
		if j = end; width == 0 {
			width = columns
		}
		if !s.after(j, 0, to).isOperator(",") {
			break
		}
		rows = append(rows, s.copy(j))
		j++
	}
	rows = append(rows, s.expand(j-1, ")")...)
	rows[len(rows)-1].gap = ""
	alias, next := s.valuesAlias(i, j, to, width)
	return append(rows, alias...), next
}

// row translates one row of VALUES, nil if there is none.
func (s *spark) row(i, to int) (row []piece, columns, end int) {
	end = s.operand(i, to)
	if end <= i {
		return nil, 0, i
	}
	if s.toks[i].isOperator("(") && s.match[i] == end-1 {
		return s.rewrite(i, end), len(s.args(i)), end
	}
	return s.expand(i, "($1)", s.rewrite(i, end)), 1, end
}

// valuesAlias names the columns of the VALUES at i, which ends at j.
func (s *spark) valuesAlias(i, j, to, width int) ([]piece, int) {
	columns := make([]string, width)
	for n := range columns {
		columns[n] = "col" + strconv.Itoa(n+1)
	}
	list := "(" + strings.Join(columns, ", ") + ")"
	name := j
	if s.after(j, 0, to).isWord("as") {
		name++
	}
	t := s.after(name, 0, to)
	if t.Kind != Word || !t.Quoted && name == j && endsRelation(t.Text) {
		return apart(s.expand(i, "AS inline_table"+list)), j
	}
	var out []piece
	for ; j <= name; j++ {
		out = append(out, s.copy(j))
	}
	if !s.after(j, 0, to).isOperator("(") {
		list := s.expand(i, list)
		list[0].gap = ""
		out = append(out, list...)
	}
	return spaced(out), j
}

// endsRelation says whether the word can follow a table that has no alias.
func endsRelation(word string) bool {
	return reserved(word) || word == "anti" || word == "semi" || word == "qualify"
}
