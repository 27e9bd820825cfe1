package merge_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/autocdc/autocdc/test/conformance"
	"github.com/autocdc/autocdc/test/model"
)

func show(c model.Case) func() string {
	return func() string {
		var b strings.Builder
		fmt.Fprintf(&b, "kind %v keys %v sequence %v track %v ignore null %v to update %q\n", c.Kind, c.Keys, c.Sequence, c.Track, c.IgnoreNull, c.ColumnsToUpdate)
		for _, f := range c.Feed {
			b.WriteString("batch\n")
			for _, e := range f.Events {
				fmt.Fprintf(&b, "  %s %s\n", e.Op, e.Values)
			}
		}
		return b.String()
	}
}

// play applies a case batch by batch and compares after each; restart says
// before which batches the applier is opened anew.
func (r *rig) play(t T, c model.Case, restart func(i int) bool) {
	t.Helper()
	f := feed(c)
	p := r.pipeline(t)
	a := r.open(t, p, f)
	for i, b := range c.Feed {
		if restart(i) {
			_ = a.Close()
			a = r.open(t, p, f)
		}
		if err := a.Apply(context.Background(), r.tx(inserts(f, b.Events)...)); err != nil {
			t.Fatalf("apply: %v\n%s", err, show(c)())
		}
		if stopped := a.Stopped(); len(stopped) > 0 {
			t.Fatalf("stopped: %v\n%s", stopped, show(c)())
		}
		r.compare(t, f, model.Expected(c.Until(i+1)), show(c.Until(i+1)))
	}
	_ = a.Close()
	r.drop(t, f)
}

func never(int) bool { return false }

func TestApply_GivesTheConformanceRows(t *testing.T) {
	t.Parallel()
	all, err := conformance.Cases()
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	for _, c := range all {
		if c.Snapshots() {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			r.play(t, c.Case, never)
			r.play(t, c.OneBatch(), never)
			r.play(t, c.EventByEvent(), never)
		})
	}
}

func TestApply_EqualsTheModel(t *testing.T) {
	for _, kind := range []model.Kind{model.SCD1, model.SCD2, model.Bitemporal} {
		t.Run(fmt.Sprintf("kind %d", kind), func(t *testing.T) {
			r := newRig(t)
			clauses := model.Everything(kind)
			clauses.Snapshots = false
			rapid.Check(t, func(t *rapid.T) {
				c := model.Cases(clauses).Draw(t, "case")
				r.play(t, c, func(int) bool { return rapid.IntRange(0, 4).Draw(t, "restart") == 0 })
			})
		})
	}
}
