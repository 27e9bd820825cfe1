package merge_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/test/model"
)

// tabled makes a feed's flow one of the changes of a table: deletes are deletes,
// and what the case ignores as null is what an update leaves unchanged.
func tabled(f *merge.Flow) {
	f.Feed, f.Rel.Replica = merge.Changes, schema.IdentityFull
	f.DeleteWhen, f.TruncateWhen, f.IgnoreNull = "", "", nil
}

// rowChange is an event as a change of a row.
func rowChange(f *merge.Flow, e model.Event, unchanged bool) batch.Change {
	var values []batch.Value
	for _, col := range f.Rel.Columns {
		v := value(e.Values[col.Name])
		if unchanged && e.Op == model.Upsert && v.Kind == batch.Null {
			v.Kind = batch.Unchanged
		}
		values = append(values, v)
	}
	if e.Op == model.Delete {
		return batch.Change{Rel: f.Rel, Op: batch.Delete, Old: batch.NewTuple(values...)}
	}
	return batch.Change{Rel: f.Rel, Op: batch.Insert, New: batch.NewTuple(values...)}
}

// TestApply_TakesRowsForEvents plays random changes of tables whose rows need no
// expression, late and with unchanged values, alone and beside a flow that does.
func TestApply_TakesRowsForEvents(t *testing.T) {
	t.Parallel()
	for _, kind := range []model.Kind{model.SCD1, model.SCD2} {
		t.Run(fmt.Sprintf("kind %d", kind), func(t *testing.T) {
			r := newRig(t)
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.IntRange(1, 2).Draw(t, "flows")
				c := model.Cases(model.Clauses{Kinds: []model.Kind{kind}, Ties: true, Track: true, Composite: true, Flows: n}).Draw(t, "case")
				// of two flows' partial events at one sequence the memory keeps only what they make together
				unchanged := n == 1 && rapid.Bool().Draw(t, "unchanged")
				if unchanged {
					c.IgnoreNull = []string{"a", "b", "c"}
				}
				r.rows(t, c, n, unchanged)
			})
		})
	}
}

func (r *rig) rows(t *rapid.T, c model.Case, n int, unchanged bool) {
	flows := feeds(c, n)
	tabled(flows["flow_1"])
	list := []*merge.Flow{flows["flow_1"]}
	if n > 1 {
		list = append(list, flows["flow_2"])
	}
	a := r.open(t, r.pipeline(t), list...)
	for i, b := range c.Feed {
		var changes []batch.Change
		for _, e := range b.Events {
			if e.Flow == "flow_2" {
				changes = append(changes, inserts(flows[e.Flow], []model.Event{e})...)
				continue
			}
			changes = append(changes, rowChange(flows["flow_1"], e, unchanged))
		}
		must(t, a.Apply(context.Background(), r.tx(changes...)))
		if stopped := a.Stopped(); len(stopped) > 0 {
			t.Fatalf("stopped: %v\n%s", stopped, show(c)())
		}
		r.compare(t, list[0], model.Expected(c.Until(i+1)), flowsShown(c.Until(i+1)))
	}
	_ = a.Close()
	r.drop(t, list[0])
}
