package merge_test

import (
	"testing"

	"github.com/autocdc/autocdc/test/model"
)

// What the long run of TestApply_EqualsTheModel found, in short.
func TestApply_OrdersWhatItRemembers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	partial := users(model.SCD2)
	partial.IgnoreNull = []string{"a"}
	current := users(model.SCD1)
	current.IgnoreNull = []string{"a"}
	both := users(model.Bitemporal)
	both.Columns = append(both.Columns, model.Column{Name: "sys", Type: "bigint"})
	both.SystemSequence = "sys"
	for name, c := range map[string]model.Case{
		"a delete carries everything": feedOf(partial,
			event(model.Delete, 1, 24, nil), event(model.Upsert, 1, 24, nil), event(model.Upsert, 1, 2, "x")),
		"an upsert replaces the delete that ended a row of the same image": feedOf(users(model.SCD2),
			event(model.Delete, 1, 5, nil), event(model.Upsert, 1, 3, "x"), event(model.Upsert, 1, 5, "x")),
		"a late truncate takes away what a partial event had filled": feedOf(current,
			event(model.Upsert, 1, 31, nil), event(model.Upsert, 1, 3, "p"), event(model.Truncate, 0, 6, nil)),
		"a truncate comes after the upsert that it ties with": feedOf(both,
			at(event(model.Upsert, 1, 1, "x"), 100), at(event(model.Upsert, 2, 3, "x"), 100),
			at(event(model.Truncate, 0, 3, nil), 100), at(event(model.Upsert, 2, 10, "y"), 100)),
		"an upsert comes after the truncate that it ties with": feedOf(both,
			at(event(model.Truncate, 0, 3, nil), 100), at(event(model.Upsert, 2, 3, "x"), 100), at(event(model.Upsert, 2, 10, "y"), 100)),
	} {
		t.Run(name, func(t *testing.T) {
			r.play(t, c, never)
			r.play(t, c.OneBatch(), never)
		})
	}
}

// feedOf is a case whose events come one by one.
func feedOf(c model.Case, events ...model.Event) model.Case {
	for _, e := range events {
		c.Feed = append(c.Feed, model.Batch{Events: []model.Event{e}})
	}
	return c
}

func at(e model.Event, sys int64) model.Event {
	e.Values["sys"] = sys
	return e
}
