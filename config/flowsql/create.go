package flowsql

// create parses what follows CREATE.
func (p *parser) create(pos Pos) (Statement, bool) {
	orRefresh := p.take("or", "refresh")
	if p.at("or", "replace") {
		return nil, p.unexpected("write CREATE OR REFRESH for a streaming table; views and flows are replaced anyway")
	}
	switch {
	case p.take("streaming"):
		if !p.need("table") {
			return nil, false
		}
		return p.table(&CreateTable{Pos: pos, OrRefresh: orRefresh})
	case orRefresh:
		return nil, p.expected("STREAMING TABLE", "STREAMING TABLE")
	case p.take("flow"):
		return p.flow(&CreateFlow{Pos: pos})
	case p.take("temporary"), p.take("temp"):
		if !p.need("view") {
			return nil, false
		}
		return p.view(pos)
	}
	return nil, p.unknownCreate()
}

func (p *parser) unknownCreate() bool {
	hint := ""
	switch {
	case p.at("table"), p.at("live"), p.at("materialized"):
		hint = "write CREATE STREAMING TABLE"
	case p.at("view"):
		hint = "write CREATE TEMPORARY VIEW"
	case p.at("or"):
		hint = "did you mean OR REFRESH?"
	}
	return p.expectedHint(hint, "STREAMING TABLE, FLOW or TEMPORARY VIEW", "STREAMING TABLE", "FLOW", "TEMPORARY VIEW", "OR REFRESH")
}

// table parses what follows CREATE STREAMING TABLE.
func (p *parser) table(s *CreateTable) (Statement, bool) {
	s.IfNotExists = p.take("if", "not", "exists")
	var ok bool
	if s.Target, ok = p.target(); !ok {
		return nil, false
	}
	if p.tok().isOperator("(") && !p.tableElements(s) {
		return nil, false
	}
	if s.Comment, ok = p.comment(); !ok {
		return nil, false
	}
	if !p.at("flow") {
		return s, p.tableEnd()
	}
	s.Flow, ok = p.inlineFlow(s.Target)
	return s, ok
}

// tableEnd refuses the clauses that other dialects have here.
func (p *parser) tableEnd() bool {
	switch {
	case p.atEnd(), p.startsStatement() && !p.at("auto") && !p.at("apply"):
		return true
	case p.at("as"):
		return p.unexpected("a streaming table has no query; write CREATE FLOW name AS INSERT INTO table BY NAME query")
	case p.at("auto", "cdc"):
		return p.abandon(p.tok().Pos, "write FLOW AUTO CDC, or end the statement with ; before it", "unexpected %s", p.found())
	}
	return p.fail(p.tok().Pos, p.spelling([]string{"COMMENT", "FLOW AUTO CDC"}),
		"unexpected %s: after the table's name come columns, COMMENT and FLOW AUTO CDC", p.found())
}

// comment parses an optional COMMENT 'text'.
func (p *parser) comment() (*string, bool) {
	if !p.take("comment") {
		return nil, true
	}
	text, ok := p.stringLiteral("the text of the comment")
	return &text, ok
}

// flow parses what follows CREATE FLOW.
func (p *parser) flow(s *CreateFlow) (Statement, bool) {
	n, ok := p.name("the name of the flow", 1)
	if !ok {
		return nil, false
	}
	s.Name = n.Last()
	if s.Comment, ok = p.comment(); !ok {
		return nil, false
	}
	if !p.take("as") {
		return nil, p.expected("AS", "AS", "COMMENT")
	}
	pos := p.tok().Pos
	switch {
	case p.take("insert"):
		s.Insert, ok = p.insert(pos)
	case p.at("auto"), p.at("apply"):
		s.CDC, ok = p.autoCDC()
	default:
		ok = p.expected("AUTO CDC INTO or INSERT INTO", "AUTO CDC INTO", "INSERT INTO", "APPLY CHANGES INTO")
	}
	return s, ok
}

// bareFlow parses AUTO CDC INTO without CREATE FLOW: the flow has the name of
// its target.
func (p *parser) bareFlow(pos Pos) (Statement, bool) {
	cdc, ok := p.autoCDC()
	if !ok {
		return nil, false
	}
	name := cdc.Target.Last()
	return &CreateFlow{Pos: pos, Name: name, CDC: cdc}, true
}

// insert parses what follows INSERT.
func (p *parser) insert(pos Pos) (*Insert, bool) {
	if !p.need("into") {
		return nil, false
	}
	s := &Insert{Pos: pos}
	if p.at("once") && p.ahead(1).Kind == Word && !p.wordsAt(p.i+1, "by") {
		s.Once = p.take("once")
	}
	var ok bool
	if s.Target, ok = p.target(); !ok {
		return nil, false
	}
	if !p.take("by", "name") {
		return nil, p.expectedHint("columns are matched by name: INSERT INTO target BY NAME SELECT …", "BY NAME", "BY NAME")
	}
	s.Query, ok = p.query()
	return s, ok
}

// view parses what follows CREATE TEMPORARY VIEW.
func (p *parser) view(pos Pos) (Statement, bool) {
	n, ok := p.name("the name of the view", 1)
	if !ok || !p.need("as") {
		return nil, false
	}
	q, ok := p.query()
	return &CreateView{Pos: pos, Name: n.Last(), Query: q}, ok
}
