package autocdc

import (
	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/snapshot/query"
)

// expectations are those of the target's statement, over the rows of a flow.
func (p *targetPlanner) expectations(c carried) []merge.Expectation {
	if p.stmt == nil {
		return nil
	}
	var list []merge.Expectation
	for _, e := range p.stmt.Expectations {
		x := merge.Expectation{Name: e.Name.Name, Condition: e.Condition.SQL}
		switch e.OnViolation {
		case flowsql.DropRow:
			x.OnViolation = merge.DropRow
		case flowsql.FailUpdate:
			x.OnViolation = merge.FailUpdate
		case flowsql.Warn:
		}
		if c.rows != nil {
			x.Of = c.rows.sources(query.Words(e.Condition.Tokens), "")
		}
		list = append(list, x)
	}
	return list
}

// drops says that rows may be left out of a target before they are merged.
func drops(t *flowsql.CreateTable) bool {
	if t == nil {
		return false
	}
	for _, e := range t.Expectations {
		if e.OnViolation == flowsql.DropRow {
			return true
		}
	}
	return false
}
