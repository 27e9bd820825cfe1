package autocdc

import "github.com/autocdc/autocdc/config/flowsql"

// refusal is a clause that parses but that this version does not carry out.
type refusal struct {
	clause  string
	given   bool
	pos     flowsql.Pos
	instead string
}

// refuse reports the clauses of a flow that are not carried out; none is ever
// ignored.
func (d *declarer) refuse(f *flowsql.AutoCDC) {
	refusals := []refusal{
		{"ONCE", f.Once && f.From.Kind != flowsql.Snapshot, f.Pos, "leave it out: the flow then goes on following its source"},
	}
	for _, r := range refusals {
		if r.given {
			d.later(r.pos, r.clause, r.instead)
		}
	}
}

// later reports what parses but is not carried out.
func (d *declarer) later(pos flowsql.Pos, what, instead string) {
	d.add(pos, instead, "%s is not supported yet", what)
}
