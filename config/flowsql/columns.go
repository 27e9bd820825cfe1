package flowsql

// Columns returns the words of an expression that may be names of columns, each
// at its first place: words that are no keyword where they stand, call nothing,
// and follow neither a dot nor a cast. It is a guess on the safe side for
// messages and for finding what an expression needs; Postgres decides.
func (t Text) Columns() []Ident {
	var names []Ident
	seen := map[string]bool{}
	for i := 0; i < len(t.Tokens); i++ {
		if n := typePhrase(t.Tokens[i:]); n > 0 {
			i += n - 1
			continue
		}
		tok := t.Tokens[i]
		if seen[tok.Text] || !mayBeColumn(t.Tokens, i) {
			continue
		}
		seen[tok.Text] = true
		names = append(names, Ident{Pos: tok.Pos, Name: tok.Text})
	}
	return names
}

func mayBeColumn(toks []Token, i int) bool {
	tok, before, next := toks[i], at(toks, i-1), at(toks, i+1)
	if tok.Kind != Word || before.isOperator(".") || before.isOperator("::") || before.isWord("as") || before.isWord("collate") {
		return false
	}
	if next.isOperator("(") || next.isOperator("=>") || next.isOperator(":=") {
		return false
	}
	return tok.Quoted || !reserved(tok.Text) && !phrase(before, tok, next)
}

// at returns the token at i, or one that is nothing.
func at(toks []Token, i int) Token {
	if i < 0 || i >= len(toks) {
		return Token{Kind: endOfStatement}
	}
	return toks[i]
}

// typePhrase returns how many tokens the rest of a type's name has that begins
// with :: or AS, 0 if none begins.
func typePhrase(toks []Token) int {
	if !toks[0].isOperator("::") && !toks[0].isWord("as") {
		return 0
	}
	n := 1
	for n < len(toks) && toks[n].Kind == Word {
		n++
		switch {
		case at(toks, n).isOperator("."):
			n++
		case at(toks, n).isWord("precision"), at(toks, n).isWord("varying"):
		default:
			return n
		}
	}
	return n
}

// phrase says whether the word is part of a phrase of SQL, by its neighbours.
func phrase(before, tok, next Token) bool {
	switch tok.Text {
	case "at":
		return next.isWord("time") || next.isWord("local")
	case "time":
		return before.isWord("at") || before.isWord("with") || before.isWord("without") || next.Kind == String
	case "zone":
		return before.isWord("time")
	case "escape":
		return before.Kind == String
	case "year", "month", "day", "hour", "minute", "second":
		return before.Kind == String || before.isWord("to") || next.isWord("from")
	case "epoch", "century", "decade", "dow", "doy", "isodow", "isoyear", "julian", "week", "quarter",
		"millennium", "millisecond", "milliseconds", "microsecond", "microseconds", "timezone":
		return next.isWord("from")
	case "unknown", "json", "document", "normalized", "unique", "keys":
		return before.isWord("is") || before.isWord("not") || before.isWord("json") || before.isWord("with") || before.isWord("unique")
	case "by":
		return before.isWord("order") || before.isWord("partition")
	case "partition", "within":
		return next.isWord("by") || next.isWord("group")
	case "nulls", "first", "last":
		return next.isWord("first") || next.isWord("last") || before.isWord("nulls")
	}
	return next.Kind == String || next.Kind == Word && isTypeName(tok.Text, next.Text)
}

// isTypeName is for literals such as DOUBLE PRECISION '1'.
func isTypeName(word, next string) bool {
	return word == "double" && next == "precision" || word == "timestamp" && (next == "with" || next == "without")
}

// reserved says whether Postgres takes the unquoted word for a keyword wherever a
// column could stand.
func reserved(word string) bool {
	switch word {
	case "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric", "authorization", "between",
		"binary", "both", "case", "cast", "check", "collate", "collation", "column", "concurrently", "constraint",
		"create", "cross", "current_catalog", "current_date", "current_role", "current_schema", "current_time",
		"current_timestamp", "current_user", "default", "deferrable", "desc", "distinct", "do", "else", "end",
		"except", "false", "fetch", "for", "foreign", "freeze", "from", "full", "grant", "group", "having", "ilike",
		"in", "initially", "inner", "intersect", "into", "is", "isnull", "join", "lateral", "leading", "left", "like",
		"limit", "localtime", "localtimestamp", "natural", "not", "notnull", "null", "offset", "on", "only", "or",
		"order", "outer", "overlaps", "placing", "primary", "references", "returning", "right", "select",
		"session_user", "similar", "some", "symmetric", "system_user", "table", "tablesample", "then", "to",
		"trailing", "true", "union", "unique", "user", "using", "variadic", "verbose", "when", "where", "window", "with":
		return true
	}
	return false
}
