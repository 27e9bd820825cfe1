package merge_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/test/model"
)

// feeds are so many flows of a case into one target, by the names that the model
// gives them.
func feeds(c model.Case, n int) map[string]*merge.Flow {
	first := feed(c)
	first.Target.Several = n > 1
	flows := map[string]*merge.Flow{}
	for i := 1; i <= n; i++ {
		f, rel := *first, *first.Rel
		f.Name = fmt.Sprintf("%s_%d", first.Name, i)
		rel.OID, rel.Name = uint32(cases.Add(1)), schema.Name{Schema: "public", Name: f.Name + "_feed"}
		f.Rel = &rel
		flows[fmt.Sprintf("flow_%d", i)] = &f
	}
	return flows
}

// insertsOf are the events of several flows in their order of arrival.
func insertsOf(flows map[string]*merge.Flow, events []model.Event) []batch.Change {
	var changes []batch.Change
	for _, e := range events {
		changes = append(changes, inserts(flows[e.Flow], []model.Event{e})...)
	}
	return changes
}

// mixed applies a case of several flows, compares after each batch, and in the end
// delivers all of it again.
func (r *rig) mixed(t T, c model.Case, n int, restart func(i int) bool) {
	t.Helper()
	flows := feeds(c, n)
	list := []*merge.Flow{flows["flow_2"], flows["flow_1"]} // staged in this order, whatever the names
	p := r.pipeline(t)
	a := r.open(t, p, list...)
	twice := c
	twice.Feed = append(slices.Clone(c.Feed), model.Batch{Events: c.Events()})
	for i, b := range twice.Feed {
		if restart(i) {
			_ = a.Close()
			a = r.open(t, p, list...)
		}
		must(t, a.Apply(context.Background(), r.tx(insertsOf(flows, b.Events)...)))
		if stopped := a.Stopped(); len(stopped) > 0 {
			t.Fatalf("stopped: %v\n%s", stopped, show(c)())
		}
		r.compare(t, list[0], model.Expected(twice.Until(i+1)), flowsShown(twice.Until(i+1)))
		r.mustBeSound(t, list[0], show(c))
	}
	_ = a.Close()
	r.drop(t, list[0])
}

func flowsShown(c model.Case) func() string {
	return func() string {
		text := show(c)()
		for _, e := range c.Events() {
			text += fmt.Sprintf("%s %s %s\n", e.Flow, e.Op, e.Values)
		}
		return text
	}
}

// TestApply_MixesFlows lets two flows feed one target: ties between them are
// decided by their names, whatever came first.
func TestApply_MixesFlows(t *testing.T) {
	t.Parallel()
	for _, kind := range []model.Kind{model.SCD1, model.SCD2, model.Bitemporal} {
		t.Run(fmt.Sprintf("kind %d", kind), func(t *testing.T) {
			r := newRig(t)
			clauses := model.Everything(kind)
			clauses.Snapshots, clauses.Flows, clauses.MaxEvents = false, 2, 12
			rapid.Check(t, func(t *rapid.T) {
				c := model.Cases(clauses).Draw(t, "case")
				r.mixed(t, c, 2, func(int) bool { return rapid.IntRange(0, 5).Draw(t, "restart") == 0 })
			})
		})
	}
}

// from says which flow brings an event.
func from(flow string, e model.Event) model.Event {
	e.Flow = flow
	return e
}

// TestApply_LetsTheFlowsNameDecideTies has what random feeds rarely bring: the tie
// across batches and within one, with the greater name first and last.
func TestApply_LetsTheFlowsNameDecideTies(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, kind := range []model.Kind{model.SCD1, model.SCD2, model.Bitemporal} {
		c := of("text", kind)
		less, greater := from("flow_1", sequenced(10, "less")), from("flow_2", sequenced(10, "greater"))
		gone := from("flow_2", at(event(model.Delete, 1, 10, nil), 110))
		all := from("flow_2", at(event(model.Truncate, 0, 10, nil), 110))
		next := from("flow_1", sequenced(20, "next"))
		for what, events := range map[string][]model.Event{
			"greater first": {greater, less},
			"greater last":  {less, greater},
			"delete first":  {gone, less},
			"delete last":   {less, gone},
			"three":         {less, greater, from("flow_1", sequenced(10, "less again")), next},
			"truncate":      {all, less},
			"truncate last": {less, all, next},
		} {
			t.Run(fmt.Sprintf("kind %d/%s", kind, what), func(t *testing.T) {
				r.mixed(t, feedOf(c, events...), 2, never)
				r.mixed(t, feedOf(c, events...).OneBatch(), 2, never)
			})
		}
	}
}
