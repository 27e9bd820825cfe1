package merge_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/test/model"
)

func users(kind model.Kind) model.Case {
	return model.Case{
		Columns: []model.Column{{Name: "id", Type: "integer"}, {Name: "a", Type: "text"}, {Name: "seq", Type: "bigint"}},
		Keys:    []string{"id"}, Sequence: []string{"seq"}, TargetColumns: []string{"id", "a"}, Kind: kind,
	}
}

func event(op string, id, seq int64, a any) model.Event {
	return model.Event{Op: op, Values: model.Row{"id": id, "a": a, "seq": seq}}
}

func (r *rig) apply(t T, a *merge.Applier, f *merge.Flow, events ...model.Event) {
	t.Helper()
	must(t, a.Apply(context.Background(), r.tx(inserts(f, events)...)))
	if stopped := a.Stopped(); len(stopped) > 0 {
		t.Fatalf("stopped: %v", stopped)
	}
}

// TestForget_DropsTombstonesAfterTheWindowAndCountsWhatComesLater also shows that
// a window that has not passed keeps them.
func TestForget_DropsTombstonesAfterTheWindowAndCountsWhatComesLater(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	f := feed(users(model.SCD1))
	p := r.pipeline(t)
	a := r.open(t, p, f)
	defer a.Close()
	r.apply(t, a, f, event(model.Upsert, 1, 10, "x"), event(model.Delete, 1, 20, nil))
	n, err := merge.Forget(t.Context(), r.conn, "autocdc", p, 3600e9)
	if must(t, err); n != 0 {
		t.Fatalf("forgot %d rows within the window", n)
	}
	r.apply(t, a, f, event(model.Upsert, 1, 15, "late"))
	r.compare(t, f, nil, func() string { return "a tombstone keeps an older upsert away" })
	n, err = merge.Forget(t.Context(), r.conn, "autocdc", p, 0)
	if must(t, err); n != 1 {
		t.Fatalf("forgot %d rows, want the tombstone", n)
	}
	r.apply(t, a, f, event(model.Upsert, 1, 16, "too late"), event(model.Upsert, 2, 30, "y"))
	flows, err := r.state.Flows(t.Context(), p)
	must(t, err)
	if flows[0].LateBeyondWindow != 1 {
		t.Errorf("counted %d events beyond the window, want 1", flows[0].LateBeyondWindow)
	}
}

// overlaps finds versions of a key that are empty, inverted or overlap.
const overlaps = `SELECT count(*) FROM (
  SELECT __start_at AS s, __end_at AS e, lead(__start_at) OVER (PARTITION BY %s ORDER BY __start_at) AS n FROM %s
) AS x
WHERE e <= s OR s IS NULL OR n IS NOT NULL AND (e IS NULL OR e > n)`

// TestForget_NeverLeadsToAForbiddenRow forgets at random moments, so that events
// come however late; the rows are no longer the model's then, but sound.
func TestForget_NeverLeadsToAForbiddenRow(t *testing.T) {
	r := newRig(t)
	clauses := model.Everything(model.SCD2)
	clauses.Snapshots = false
	rapid.Check(t, func(t *rapid.T) {
		c := model.Cases(clauses).Draw(t, "case")
		f := feed(c)
		p := r.pipeline(t)
		a := r.open(t, p, f)
		defer a.Close()
		for _, b := range c.Feed {
			r.apply(t, a, f, b.Events...)
			if rapid.Bool().Draw(t, "forget") {
				_, err := merge.Forget(context.Background(), r.conn, "autocdc", p, 0)
				must(t, err)
			}
			var n int
			must(t, r.conn.QueryRow(context.Background(), fmt.Sprintf(overlaps, idents(c.Keys), f.Target.Name)).Scan(&n))
			if n > 0 {
				t.Fatalf("%d forbidden rows\n%s", n, show(c)())
			}
		}
		r.drop(t, f)
	})
}
