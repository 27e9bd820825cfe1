package flowsql

import (
	"slices"
	"strings"
)

// args splits what stands in the bracket at open.
func (s *spark) args(open int) [][2]int {
	end := s.match[open]
	if end == open+1 {
		return nil
	}
	var args [][2]int
	from := open + 1
	for i := from; i < end; i++ {
		switch t := s.toks[i]; {
		case t.isOperator("("), t.isOperator("["):
			i = s.match[i]
		case t.isOperator(","):
			args = append(args, [2]int{from, i})
			from = i + 1
		}
	}
	return append(args, [2]int{from, end})
}

// call translates the call of a function whose name stands at i.
func (s *spark) call(i int) ([]piece, int) {
	name := s.toks[i].Text
	if hint, refused := refusedCalls[name]; refused {
		s.fail(s.toks[i].Pos, hint, "the function %s is not translated", name)
		return s.one(i)
	}
	switch name {
	case "cast":
		return s.cast(i)
	case "struct", "named_struct":
		return s.structure(i)
	case "array", "concat":
		if args := s.args(i + 1); len(args) > 0 && !empty(args) {
			return s.several(i, args), s.match[i+1] + 1
		}
	case "regexp_extract", "regexp_replace":
		return s.regexpCall(i)
	case "substring", "substr":
		s.checkSubstring(i)
	case "extract", "date_part":
		s.checkDayOfWeek(i)
	}
	if sparkCalls[name] == nil {
		return s.one(i)
	}
	return s.known(i)
}

// known translates a call by sparkCalls.
func (s *spark) known(i int) ([]piece, int) {
	t, args := s.toks[i], s.args(i+1)
	sql, ok := sparkCalls[t.Text][len(args)]
	if !ok || empty(args) {
		s.fail(t.Pos, patternHints[t.Text], "%s with %d arguments is not translated", t.Text, len(args))
		return s.one(i)
	}
	values := s.arguments(args)
	if len(args) == 1 && s.isInteger(i) && s.fraction(args[0][0], args[0][1]) {
		values[0] = s.expand(i, "trunc($1)", values[0])
	}
	if len(args) == 2 && strings.HasPrefix(sql+t.Text, "regexp") {
		values[1], _ = s.pattern(values[1], t.Text == "regexp_count" || t.Text == "regexp_substr")
	}
	if sql == same {
		return s.expand(i, t.Text+"($1)", s.join(i, ",", values)), s.match[i+1] + 1
	}
	return s.expand(i, sql, values...), s.match[i+1] + 1
}

func empty(args [][2]int) bool {
	return slices.ContainsFunc(args, func(a [2]int) bool { return a[0] == a[1] })
}

func (s *spark) arguments(args [][2]int) [][]piece {
	out := make([][]piece, len(args))
	for n, arg := range args {
		out[n] = s.rewrite(arg[0], arg[1])
	}
	return out
}

// several translates array and concat, which take any number of arguments. Null
// is the result of concat if one of them is; the first to be a string makes || a
// concatenation also of numbers.
func (s *spark) several(i int, args [][2]int) []piece {
	values := s.arguments(args)
	if s.toks[i].Text == "array" {
		return s.expand(i, "ARRAY[$1]", s.join(i, ",", values))
	}
	literals := slices.ContainsFunc(values, isLiteral)
	if len(values) > 1 && literals && !isLiteral(values[0]) {
		values = slices.Insert(values, 0, s.expand(i, "''"))
	}
	for n, v := range values {
		values[n] = s.enclosed(v)
	}
	return s.expand(i, "($1)", s.join(i, "||", values))
}

func isLiteral(value []piece) bool { return len(value) == 1 && value[0].Kind == String }

// structure translates struct and named_struct to a record: before > (SELECT …)
// a bare row would be compared with the columns of the query.
func (s *spark) structure(i int) ([]piece, int) {
	args := s.args(i + 1)
	named := s.toks[i].Text == "named_struct"
	if len(args) == 0 || empty(args) || named && len(args)%2 == 1 {
		s.fail(s.toks[i].Pos, "write struct(a, b) or named_struct('x', a, 'y', b)", "%s with %d arguments", s.toks[i].Text, len(args))
		return s.one(i)
	}
	var fields [][]piece
	for n := 0; n < len(args); n++ {
		name := ""
		if named {
			name = s.fieldName(args[n])
			n++
		}
		fields = append(fields, s.field(args[n], name, s.version && s.before(i).isWord("select")))
	}
	return s.expand(i, "CAST(ROW($1) AS record)", s.join(i, ",", fields)), s.match[i+1] + 1
}

func (s *spark) fieldName(arg [2]int) string {
	t := s.toks[arg[0]]
	if t.Kind != String || arg[1] != arg[0]+1 || t.Text == "" {
		s.fail(t.Pos, "write named_struct('x', a, 'y', b)", "the name of a field must be a string")
	}
	return t.Text
}

// field translates one field of a struct. A record has no names of its own; those
// of a version are kept for whoever makes columns of it.
func (s *spark) field(arg [2]int, name string, keep bool) []piece {
	from, to := arg[0], arg[1]
	if to-from > 2 && s.toks[to-2].isWord("as") && s.toks[to-1].Kind == Word {
		name = s.toks[to-1].Text
		to -= 2
	}
	value := s.rewrite(from, to)
	if keep && name != "" {
		value = append(value, apart(s.expand(from, "AS "+quote(name)))...)
	}
	return value
}

// checkSubstring refuses positions that Spark counts from the end.
func (s *spark) checkSubstring(i int) {
	args := s.args(i + 1)
	if len(args) < 2 || empty(args) {
		return
	}
	if t := s.toks[args[1][0]]; t.isOperator("-") || t.Kind == Number && t.Text == "0" {
		s.fail(t.Pos, "count from 1, or write right(s, n) for the end of a string", "%s from a position below 1 is not translated", s.toks[i].Text)
	}
}

// checkDayOfWeek refuses the fields that Postgres counts otherwise.
func (s *spark) checkDayOfWeek(i int) {
	if t := s.toks[i+2]; strings.EqualFold(t.Text, "dow") && (t.Kind == Word || t.Kind == String) {
		s.fail(t.Pos, "Spark counts Sunday as 1, Postgres as 0; extract(ISODOW FROM x) counts Monday as 1", "the day of the week is not translated")
	}
}
