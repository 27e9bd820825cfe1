package autocdc

import "github.com/autocdc/autocdc/config/flowsql"

// refusal is a clause that parses but that this version does not carry out.
type refusal struct {
	clause string
	given  bool
	pos    flowsql.Pos
}

// refuse reports the clauses of a flow that are not carried out; none is ever
// ignored.
func (d *declarer) refuse(f *flowsql.AutoCDC) {
	refusals := []refusal{
		{"ONCE", f.Once, f.Pos},
		{"FROM SNAPSHOT", f.From.Kind == flowsql.Snapshot, f.From.Pos},
		{"STORED AS BITEMPORAL", f.StoredAs == flowsql.Bitemporal, f.StoredAsPos},
		{"SYSTEM SEQUENCE BY", f.SystemSequenceBy != nil, sequencePos(f.SystemSequenceBy)},
		{"IGNORE NULL UPDATES", f.IgnoreNull != nil, listPos(f.IgnoreNull)},
		{"COLUMNS TO UPDATE", f.ColumnsToUpdate != nil, identPos(f.ColumnsToUpdate)},
	}
	for _, r := range refusals {
		if r.given {
			d.add(r.pos, "", "%s is not supported yet", r.clause)
		}
	}
}

func sequencePos(s *flowsql.Sequence) flowsql.Pos {
	if s == nil {
		return flowsql.Pos{}
	}
	return s.Pos
}

func listPos(l *flowsql.ColumnList) flowsql.Pos {
	if l == nil {
		return flowsql.Pos{}
	}
	return l.Pos
}

func identPos(i *flowsql.Ident) flowsql.Pos {
	if i == nil {
		return flowsql.Pos{}
	}
	return i.Pos
}
