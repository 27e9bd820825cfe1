package flowsql

import "strings"

// sparkTypes are the types that Postgres calls otherwise, or means otherwise.
var sparkTypes = map[string]string{
	"string": "text", "tinyint": "smallint", "byte": "smallint", "short": "smallint", "long": "bigint",
	"double": "double precision", "float": "real", "binary": "bytea",
	"timestamp": "timestamptz", "timestamp_ltz": "timestamptz", "timestamp_ntz": "timestamp",
	"decimal": "numeric(10, 0)", "dec": "numeric(10, 0)", "numeric": "numeric(10, 0)",
}

// columnType translates the type of a column definition.
func (s *spark) columnType() []piece {
	out, next := s.typ(0, len(s.toks))
	return append(out, s.rewrite(next, len(s.toks))...)
}

// typ translates the type that stands at i and returns where it ends.
func (s *spark) typ(i, to int) ([]piece, int) {
	start, depth := i, 0
	for s.after(i, 0, to).isWord("array") && s.after(i, 1, to).isOperator("<") {
		i += 2
		depth++
	}
	faults := len(s.errs)
	out, next := s.scalar(i, to)
	if depth == 0 || out == nil {
		return out, next
	}
	brackets := strings.Repeat("[]", depth)
	for depth > 0 && s.after(next, 0, to).Kind == Operator && strings.Trim(s.toks[next].Text, ">") == "" {
		depth -= len(s.toks[next].Text)
		next++
	}
	if depth != 0 && len(s.errs) == faults {
		s.fail(s.toks[start].Pos, "write ARRAY<STRING>", "ARRAY without its >")
	}
	out = s.expand(start, "$1"+brackets, out)
	out[0].Pos = s.toks[start].Pos
	return out, next
}

// scalar translates a type that is no ARRAY<…>.
func (s *spark) scalar(i, to int) ([]piece, int) {
	t, next := s.after(i, 0, to), s.after(i, 1, to)
	if t.Kind != Word {
		return nil, i
	}
	typ := sparkTypes[t.Text]
	switch {
	case t.Quoted, next.isWord("precision"), next.isWord("with"), next.isWord("without"):
		typ = ""
	case (t.Text == "map" || t.Text == "struct") && next.isOperator("<"), t.Text == "variant":
		s.fail(t.Pos, "Postgres has jsonb for it", "the type %s is not translated", strings.ToUpper(t.Text))
		return []piece{s.copy(i)}, to
	case next.isOperator("("):
		typ = strings.TrimSuffix(typ, "(10, 0)")
	}
	out := []piece{s.copy(i)}
	if typ != "" {
		out = s.expand(i, typ)
	}
	for i++; s.after(i, 0, to).isOperator("."); i += 2 {
		out = append(out, s.copy(i))
		if i+1 < to {
			out = append(out, s.copy(i+1))
		}
	}
	i = min(i, to)
	for s.after(i, 0, to).isOperator("(") || s.after(i, 0, to).isOperator("[") {
		for end := min(s.match[i], to-1); i <= end; i++ {
			out = append(out, s.copy(i))
		}
	}
	return out, i
}

// cast translates CAST(x AS type).
func (s *spark) cast(i int) ([]piece, int) {
	end := s.match[i+1]
	as := i + 2
	for as < end && !s.toks[as].isWord("as") {
		as++
		if t := s.toks[as-1]; t.isOperator("(") || t.isOperator("[") {
			as = min(s.match[as-1]+1, end)
		}
	}
	if as == end || as == i+2 {
		return s.one(i)
	}
	value := s.rewrite(i+2, as)
	if s.isInteger(as+1) && s.fraction(i+2, as) {
		value = s.expand(i+2, "trunc($1)", value)
	}
	typ, next := s.typ(as+1, end)
	out := append([]piece{s.copy(i), s.copy(i + 1)}, value...)
	out = append(append(out, s.copy(as)), typ...)
	out = append(out, s.rewrite(next, end)...)
	return append(out, s.copy(end)), end + 1
}

// isInteger says whether an integer type stands at i.
func (s *spark) isInteger(i int) bool {
	if t := at(s.toks, i); t.Kind == Word && !t.Quoted {
		switch t.Text {
		case "int", "integer", "bigint", "long", "smallint", "short", "tinyint", "byte":
			return true
		}
	}
	return false
}

// fraction says whether the value is surely a number that may have a fraction,
// which a cast to an integer cuts in Spark and rounds in Postgres.
func (s *spark) fraction(from, to int) bool {
	for from < to && s.toks[from].isOperator("(") && s.match[from] == to-1 {
		from, to = from+1, to-1
	}
	divides := false
	for i := from; i < to; i++ {
		switch t := s.toks[i]; {
		case t.isOperator("("), t.isOperator("["):
			i = s.match[i]
		case t.isOperator("/"), t.Kind == Number && strings.Contains(t.Text, "."):
			divides = true
		case t.Kind == Operator && !strings.Contains("+ - * . %", t.Text), t.Kind == Word && !t.Quoted && reserved(t.Text):
			return false
		}
	}
	return divides
}
