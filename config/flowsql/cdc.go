package flowsql

// autoCDC parses AUTO CDC [ONCE] INTO or APPLY CHANGES [ONCE] INTO and the rest
// of the flow.
func (p *parser) autoCDC() (*AutoCDC, bool) {
	cdc := &AutoCDC{Pos: p.tok().Pos}
	if !p.head() {
		return nil, false
	}
	cdc.Once = p.take("once")
	if !p.take("into") {
		return nil, p.expectedHint("name the target: AUTO CDC INTO target FROM …", "INTO", "INTO", "ONCE INTO")
	}
	var ok bool
	if cdc.Target, ok = p.target(); !ok {
		return nil, false
	}
	return cdc, p.body(cdc)
}

// head parses AUTO CDC or APPLY CHANGES.
func (p *parser) head() bool {
	if p.take("apply") {
		return p.need("changes")
	}
	return p.need("auto", "cdc")
}

// inlineFlow parses FLOW AUTO CDC of a table.
func (p *parser) inlineFlow(target Name) (*AutoCDC, bool) {
	p.take("flow")
	cdc := &AutoCDC{Pos: p.tok().Pos, Target: target}
	if !p.head() {
		return nil, false
	}
	cdc.Once = p.take("once")
	if p.at("into") {
		return nil, p.unexpected("the target is the table itself; leave INTO out")
	}
	return cdc, p.body(cdc)
}

// body parses FROM and the clauses, and reports those that are missing unless
// something else was wrong: a misspelled clause is not missing as well.
func (p *parser) body(cdc *AutoCDC) bool {
	faults := len(p.lex.errs)
	if !p.from(cdc) {
		p.recover()
	}
	p.clauses(cdc)
	if len(p.lex.errs) == faults {
		p.missing(cdc)
	}
	return len(p.lex.errs) == faults
}

func (p *parser) missing(cdc *AutoCDC) {
	if len(cdc.Keys) == 0 {
		p.fail(cdc.Pos, "add KEYS (column, …) after FROM: the columns that tell the rows of the target apart", "flow without KEYS")
	}
	if cdc.From.Kind == Stream && cdc.SequenceBy == nil {
		p.fail(cdc.From.Pos, "add SEQUENCE BY with the column that says which event of a key is the newer one; only CHANGES(…) has a sequence of its own",
			"STREAM without SEQUENCE BY")
	}
	if cdc.StoredAs == Bitemporal && cdc.SequenceBy == nil {
		p.fail(cdc.StoredAsPos, "add SEQUENCE BY with the time from which a row is valid", "BITEMPORAL without SEQUENCE BY")
	}
}

// from parses FROM and the source.
func (p *parser) from(cdc *AutoCDC) bool {
	if !p.take("from") {
		return p.expectedHint("name the source: FROM CHANGES(schema.table)", "FROM", "FROM")
	}
	s := &cdc.From
	s.Pos = p.tok().Pos
	switch open := p.ahead(1).isOperator("("); {
	case open && p.take("changes"):
		s.Kind = Changes
		return p.sourceName(s)
	case open && p.take("stream"):
		s.Kind = Stream
		return p.sourceName(s)
	case p.take("snapshot"):
		s.Kind = Snapshot
		return p.snapshot(s)
	case p.at("stream") && p.ahead(1).Kind == Word && !p.startsList(p.i+1) && !p.startsClause(p.i+1):
		p.i++
		s.Kind = Stream
	default:
		s.Kind = Relation
	}
	return p.plainSource(s)
}

// sourceName parses the name in CHANGES(…) or STREAM(…).
func (p *parser) sourceName(s *Source) bool {
	p.i++
	var ok bool
	if s.Name, ok = p.name("the name of a source", 3); !ok {
		return false
	}
	if p.tok().isOperator("(") {
		return p.unexpected("a table function is read with SNAPSHOT (SELECT * FROM …)")
	}
	return p.needOperator(")")
}

func (p *parser) plainSource(s *Source) bool {
	if p.tok().isOperator("(") {
		return p.unexpected("name a query with CREATE TEMPORARY VIEW and write FROM view, or FROM SNAPSHOT (query)")
	}
	var ok bool
	if s.Name, ok = p.name("a source", 3); !ok {
		return false
	}
	if p.tok().isOperator("(") {
		return p.fail(s.Name.Pos, didYouMean(s.Name.Last().Name, []string{"CHANGES", "STREAM", "SNAPSHOT"},
			"the sources are CHANGES(table), STREAM(table), SNAPSHOT (query) and the name of a view"), "unknown source %s(…)", s.Name)
	}
	return true
}

// snapshot parses what follows SNAPSHOT.
func (p *parser) snapshot(s *Source) bool {
	var ok bool
	if s.Query, ok = p.snapshotQuery("a query, as in SNAPSHOT (SELECT * FROM table)", p.text); !ok {
		return false
	}
	if p.take("with", "version") {
		s.Version, ok = p.snapshotQuery("a query for the version", p.versionText)
	}
	return ok
}

func (p *parser) snapshotQuery(what string, text func(start, end int) (Text, bool)) (*Text, bool) {
	if !p.tok().isOperator("(") {
		return nil, p.expected("( and " + what)
	}
	end, ok := p.group()
	if !ok || !p.startsQuery() {
		return nil, false
	}
	q, ok := text(p.i, end)
	p.i = end + 1
	return &q, ok
}
