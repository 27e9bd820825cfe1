package flowsql

import "fmt"

// clause is the name of a clause of AUTO CDC, as messages show it.
type clause string

const (
	noClause         clause = ""
	keysClause       clause = "KEYS"
	ignoreNull       clause = "IGNORE NULL UPDATES"
	applyAs          clause = "APPLY AS"
	deleteWhen       clause = "APPLY AS DELETE WHEN"
	truncateWhen     clause = "APPLY AS TRUNCATE WHEN"
	sequenceBy       clause = "SEQUENCE BY"
	systemSequenceBy clause = "SYSTEM SEQUENCE BY"
	columnsClause    clause = "COLUMNS"
	columnsToUpdate  clause = "COLUMNS TO UPDATE"
	storedAs         clause = "STORED AS"
	trackHistory     clause = "TRACK HISTORY ON"
	withOptions      clause = "WITH"
)

// clauseNames are what a misspelled clause may be.
func clauseNames() []string {
	return []string{
		string(keysClause), string(ignoreNull), string(deleteWhen), string(sequenceBy), string(systemSequenceBy),
		string(columnsClause), string(storedAs), string(trackHistory), string(withOptions),
	}
}

// opening returns the clause that begins at i with two words that stand together
// in no expression.
func (p *parser) opening(i int) clause {
	if p.toks[i].Kind != Word || p.toks[i].Quoted {
		return noClause
	}
	switch {
	case p.wordsAt(i, "ignore", "null"):
		return ignoreNull
	case p.wordsAt(i, "apply", "as"):
		return applyAs
	case p.wordsAt(i, "sequence", "by"):
		return sequenceBy
	case p.wordsAt(i, "system", "sequence"):
		return systemSequenceBy
	case p.wordsAt(i, "columns", "to"):
		return columnsToUpdate
	case p.wordsAt(i, "stored", "as"):
		return storedAs
	case p.wordsAt(i, "track", "history"):
		return trackHistory
	}
	return noClause
}

func (p *parser) startsClause(i int) bool { return p.opening(i) != noClause }

// startsList says whether KEYS, COLUMNS or WITH stands at i with what must
// follow it. All three may also be names, so that it only counts where no
// operand can stand.
func (p *parser) startsList(i int) bool {
	if i+1 >= len(p.toks) {
		return false
	}
	next := p.toks[i+1]
	if p.wordsAt(i, "keys") || p.wordsAt(i, "columns") {
		return next.isOperator("(") || next.isOperator("*") || next.Kind == Word
	}
	return p.wordsAt(i, "with") && next.isOperator("(")
}

// clauses parses the clauses after FROM in any order, each at most once.
func (p *parser) clauses(cdc *AutoCDC) {
	seen := map[clause]Pos{}
	for !p.atEnd() && !p.startsStatement() {
		if !p.clause(cdc, seen) {
			p.recover()
		}
	}
}

// recover goes on to what looks like the next clause or statement. It always
// makes progress, as what it stops at is passed by the caller.
func (p *parser) recover() {
	for !p.atEnd() && !p.startsClause(p.i) && !p.startsList(p.i) && !p.startsStatement() {
		p.i++
	}
}

// clause parses one clause.
func (p *parser) clause(cdc *AutoCDC, seen map[clause]Pos) bool {
	pos := p.tok().Pos
	c, ok := p.clauseHead()
	if !ok {
		return false
	}
	if first, twice := seen[c]; twice {
		p.fail(pos, "a flow has each clause once", "second %s, the first is at %s", c, first)
		cdc = &AutoCDC{}
	}
	seen[c] = pos
	return p.clauseBody(cdc, c, pos)
}

// clauseHead passes the words of a clause's name.
func (p *parser) clauseHead() (clause, bool) {
	c := p.opening(p.i)
	switch c {
	case noClause:
		return p.listHead()
	case applyAs:
		p.i += 2
		return p.applyHead()
	case ignoreNull:
		p.i += 2
		return c, p.need("updates")
	case systemSequenceBy:
		p.i += 2
		return c, p.need("by")
	case columnsToUpdate:
		p.i += 2
		return c, p.need("update")
	case trackHistory:
		p.i += 2
		return c, p.need("on")
	}
	p.i += 2
	return c, true
}

func (p *parser) applyHead() (clause, bool) {
	switch {
	case p.take("delete"):
		return deleteWhen, p.need("when")
	case p.take("truncate"):
		return truncateWhen, p.need("when")
	}
	return noClause, p.expected("DELETE WHEN or TRUNCATE WHEN", "DELETE WHEN", "TRUNCATE WHEN")
}

func (p *parser) listHead() (clause, bool) {
	switch {
	case p.take("keys"):
		return keysClause, true
	case p.take("columns"):
		return columnsClause, true
	case p.take("with"):
		return withOptions, true
	}
	hint := p.spelling(clauseNames())
	if hint == "" && p.at("create") {
		hint = "end the statement before it with ;"
	}
	if hint == "" && p.tok().isOperator(",") {
		hint = "write SEQUENCE BY STRUCT(a, b) for a sequence of several values; no other clause takes a comma here"
	}
	p.unexpected(hint)
	p.i++
	return noClause, false
}

func (p *parser) clauseBody(cdc *AutoCDC, c clause, pos Pos) (ok bool) {
	switch c {
	case keysClause:
		cdc.Keys, ok = p.columns("KEYS")
	case ignoreNull:
		cdc.IgnoreNull, ok = p.ignoreNull(pos)
	case deleteWhen:
		cdc.DeleteWhen, ok = p.condition(c)
	case truncateWhen:
		cdc.TruncateWhen, ok = p.condition(c)
	case sequenceBy:
		cdc.SequenceBy, ok = p.sequence(c)
	case systemSequenceBy:
		cdc.SystemSequenceBy, ok = p.sequence(c)
	case columnsClause:
		cdc.Columns, ok = p.columnList("COLUMNS")
	case columnsToUpdate:
		cdc.ColumnsToUpdate, ok = p.columnToUpdate()
	case storedAs:
		cdc.StoredAsPos = pos
		cdc.StoredAs, ok = p.kind()
	case trackHistory:
		cdc.TrackHistory, ok = p.columnList("TRACK HISTORY ON")
	case withOptions:
		cdc.Options, ok = p.options()
	default:
		ok = p.unexpected(fmt.Sprintf("%s is not a clause", c))
	}
	return ok
}

func (p *parser) ignoreNull(pos Pos) (*ColumnList, bool) {
	if !p.take("on") {
		return &ColumnList{Pos: pos, All: true}, true
	}
	return p.columnList("IGNORE NULL UPDATES ON")
}

func (p *parser) columnToUpdate() (*Ident, bool) {
	pos := p.tok().Pos
	names, ok := p.columns("COLUMNS TO UPDATE")
	if !ok {
		return nil, false
	}
	if len(names) != 1 {
		return nil, p.fail(pos, "name the one column, of type text[], that lists the columns an event carries", "COLUMNS TO UPDATE with %d columns", len(names))
	}
	return &names[0], true
}

// kind parses what follows STORED AS.
func (p *parser) kind() (Kind, bool) {
	if p.take("bitemporal") {
		return Bitemporal, true
	}
	if !p.take("scd") {
		return SCD1, p.expected("SCD TYPE 1, SCD TYPE 2 or BITEMPORAL", "SCD TYPE 1", "BITEMPORAL")
	}
	if !p.need("type") {
		return SCD1, false
	}
	kind := SCD1
	switch p.tok().Text {
	case "1":
	case "2":
		kind = SCD2
	default:
		return SCD1, p.expected("1 or 2")
	}
	p.i++
	return kind, true
}
