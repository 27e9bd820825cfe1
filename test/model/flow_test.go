package model_test

import (
	"testing"

	"github.com/autocdc/autocdc/test/model"
)

func users(kind model.Kind) model.Case {
	return model.Case{
		Keys: []string{"id"}, Sequence: []string{"seq"}, Kind: kind,
		TargetColumns: []string{"id", "name", "doc"},
	}
}

func upsert(id, seq int64, name, doc any) model.Event {
	return model.Event{Op: model.Upsert, Values: model.Row{"id": id, "seq": seq, "name": name, "doc": doc}}
}

func mustGive(t *testing.T, c model.Case, want ...model.Row) {
	t.Helper()
	if got := model.Expected(c); !model.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", model.Sort(got), model.Sort(want))
	}
}

func TestExpected_LaterNameOfAFlowWinsATie(t *testing.T) {
	t.Parallel()
	c := users(model.SCD1)
	b, a := upsert(1, 5, "from b", nil), upsert(1, 5, "from a", nil)
	b.Flow, a.Flow = "b", "a"
	c.Feed = []model.Batch{{Events: []model.Event{b, a}}}
	mustGive(t, c, model.Row{"id": int64(1), "name": "from b", "doc": nil})
}

func TestExpected_KeepsAnUnchangedColumn(t *testing.T) {
	t.Parallel()
	c := users(model.SCD1)
	update := upsert(1, 6, "new", nil)
	update.Unchanged = []string{"doc"}
	c.Feed = []model.Batch{{Events: []model.Event{update, upsert(1, 5, "old", "long")}}}
	mustGive(t, c, model.Row{"id": int64(1), "name": "new", "doc": "long"})
}

func TestExpected_KeyChangeTakesTheUnchangedColumnAlong(t *testing.T) {
	t.Parallel()
	c := users(model.SCD2)
	move := upsert(2, 6, "new", nil)
	move.Unchanged, move.From = []string{"doc"}, model.Row{"id": int64(1)}
	c.Feed = []model.Batch{{Events: []model.Event{upsert(1, 5, "old", "long"), move}}}
	mustGive(
		t, c,
		model.Row{"id": int64(1), "name": "old", "doc": "long", model.StartAt: int64(5), model.EndAt: int64(6)},
		model.Row{"id": int64(2), "name": "new", "doc": "long", model.StartAt: int64(6), model.EndAt: nil},
	)
}

func TestExpected_TruncateReachesKeysThatAreNotKnownYet(t *testing.T) {
	t.Parallel()
	truncate := model.Event{Op: model.Truncate, Values: model.Row{"seq": int64(9)}}
	scd1, scd2 := users(model.SCD1), users(model.SCD2)
	feed := []model.Batch{{Events: []model.Event{truncate}}, {Events: []model.Event{upsert(1, 5, "late", nil)}}}
	scd1.Feed, scd2.Feed = feed, feed
	mustGive(t, scd1)
	mustGive(t, scd2, model.Row{"id": int64(1), "name": "late", "doc": nil, model.StartAt: int64(5), model.EndAt: int64(9)})
}
