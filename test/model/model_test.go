package model_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/autocdc/autocdc/test/model"
)

func kinds() map[string]model.Kind {
	return map[string]model.Kind{"scd1": model.SCD1, "scd2": model.SCD2, "bitemporal": model.Bitemporal}
}

// check runs a property on every kind with everything that kind may use, less
// what restrict takes away.
func check(t *testing.T, restrict func(*model.Clauses), property func(*rapid.T, model.Case)) {
	t.Helper()
	for name, kind := range kinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clauses := model.Everything(kind)
			restrict(&clauses)
			cases := model.Cases(clauses)
			rapid.Check(t, func(t *rapid.T) { property(t, cases.Draw(t, "case")) })
		})
	}
}

func nothing(*model.Clauses) {}

func noSnapshots(c *model.Clauses) { c.Snapshots = false }

func mustEqual(t *rapid.T, got, want model.Case) {
	t.Helper()
	if g, w := model.Expected(got), model.Expected(want); !model.Equal(g, w) {
		t.Fatalf("got  %v\nwant %v", model.Sort(g), model.Sort(w))
	}
}

func TestExpected_DependsOnNoCut(t *testing.T) {
	t.Parallel()
	check(t, nothing, func(t *rapid.T, c model.Case) { mustEqual(t, model.Recut(t, c), c) })
}

func TestExpected_DependsOnNoOrderButThatOfTies(t *testing.T) {
	t.Parallel()
	check(t, noSnapshots, func(t *rapid.T, c model.Case) { mustEqual(t, model.Permute(t, c), c) })
}

func TestExpected_IsTheSameWhenTheFeedComesTwice(t *testing.T) {
	t.Parallel()
	check(t, nothing, func(t *rapid.T, c model.Case) {
		twice := c
		twice.Feed = append(append([]model.Batch{}, c.Feed...), c.Feed...)
		mustEqual(t, twice, c)
	})
}

func TestExpected_KindsAgreeOnWhatHoldsNow(t *testing.T) {
	t.Parallel()
	cases := model.Cases(model.Clauses{
		Kinds: []model.Kind{model.Bitemporal}, Truncates: true, Partial: true, Track: true, Composite: true,
	})
	rapid.Check(t, func(t *rapid.T) {
		c := cases.Draw(t, "case")
		bitemporal := open(model.Expected(c))
		c.Kind, c.SystemSequence = model.SCD2, ""
		scd2 := open(model.Expected(c))
		c.Kind = model.SCD1
		scd1 := model.Expected(c)
		if !model.Equal(scd1, scd2) || !model.Equal(scd2, bitemporal) {
			t.Fatalf("scd1 %v\nscd2 %v\nbitemporal %v", scd1, scd2, bitemporal)
		}
	})
}

// open returns the rows that hold now on all axes, without their stamps.
func open(rows []model.Row) []model.Row {
	var now []model.Row
	for _, row := range rows {
		if row[model.EndAt] != nil || row[model.SystemEndAt] != nil {
			continue
		}
		for _, c := range []string{model.StartAt, model.EndAt, model.SystemStartAt, model.SystemEndAt} {
			delete(row, c)
		}
		now = append(now, row)
	}
	return now
}
