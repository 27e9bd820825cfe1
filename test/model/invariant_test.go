package model_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/autocdc/autocdc/test/model"
)

// interval is half-open; hi is nil where it is open.
type interval struct {
	lo int64
	hi any
}

func axis(row model.Row, start, end string) interval {
	lo, ok := row[start].(int64)
	if !ok {
		return interval{}
	}
	return interval{lo, row[end]}
}

func (i interval) empty() bool { return i.hi != nil && i.hi.(int64) <= i.lo }

func (i interval) meets(j interval) bool {
	return (i.hi == nil || i.hi.(int64) > j.lo) && (j.hi == nil || j.hi.(int64) > i.lo)
}

func TestExpected_HasNoEmptyAndNoOverlappingVersions(t *testing.T) {
	t.Parallel()
	for _, kind := range []model.Kind{model.SCD2, model.Bitemporal} {
		clauses := model.Everything(kind)
		clauses.Composite = false
		cases := model.Cases(clauses)
		rapid.Check(t, func(t *rapid.T) {
			rows := model.Expected(cases.Draw(t, "case"))
			for i, row := range rows {
				mustBeSound(t, row, rows[:i])
			}
		})
	}
}

func mustBeSound(t *rapid.T, row model.Row, others []model.Row) {
	valid := axis(row, model.StartAt, model.EndAt)
	system := axis(row, model.SystemStartAt, model.SystemEndAt)
	if valid.empty() || system.empty() {
		t.Fatalf("empty: %v", row)
	}
	for _, other := range others {
		if other["id"] == row["id"] && valid.meets(axis(other, model.StartAt, model.EndAt)) &&
			system.meets(axis(other, model.SystemStartAt, model.SystemEndAt)) {
			t.Fatalf("%v overlaps %v", row, other)
		}
	}
}
