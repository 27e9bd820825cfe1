package merge_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/test/model"
)

// TestApply_FoldsFromTheVersionBefore has feeds whose last event is at the start of
// a version, and changes how the one before it goes on.
func TestApply_FoldsFromTheVersionBefore(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, kind := range []model.Kind{model.SCD2, model.Bitemporal} {
		c := of("text", kind)
		for what, last := range map[string]model.Event{
			"joins it":      sequenced(10, "x"),
			"is a delete":   event(model.Delete, 1, 10, nil),
			"is a truncate": event(model.Truncate, 0, 10, nil),
		} {
			before := feedOf(c, sequenced(5, "x"), sequenced(10, "y"), sequenced(20, "x"))
			t.Run(fmt.Sprintf("kind %d/%s", kind, what), func(t *testing.T) {
				r.play(t, feedOf(before, at(last, 130)), never)
				r.play(t, feedOf(before, at(last, 130)).OneBatch(), never)
			})
		}
	}
}

// TestApply_ReplacesWhatItRemembers has an event at the sequence of one that left no
// row, alone and before another of its batch; an event from long ago shows then which
// of the two is remembered.
func TestApply_ReplacesWhatItRemembers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, kind := range []model.Kind{model.SCD2, model.Bitemporal} {
		c := of("text", kind)
		for what, hidden := range map[string]model.Case{
			"a delete of nothing":      feedOf(c, at(event(model.Delete, 1, 20, nil), 120)),
			"an update of nothing new": feedOf(c, sequenced(10, "x"), sequenced(20, "x")),
		} {
			for i, again := range [][]model.Event{{sequenced(20, "y")}, {sequenced(20, "y"), sequenced(30, "z")}} {
				full := hidden
				full.Feed = append(slices.Clone(hidden.Feed), model.Batch{Events: again}, model.Batch{Events: []model.Event{sequenced(5, "w")}})
				t.Run(fmt.Sprintf("kind %d/%s/%d", kind, what, i), func(t *testing.T) { r.play(t, full, never) })
			}
		}
	}
}

// TestApply_KeepsWhatPartialEventsOfOneTimeCarried has two that share both times and
// carry a column each; the third makes the belief anew from what is remembered.
func TestApply_KeepsWhatPartialEventsOfOneTimeCarried(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := of("text", model.Bitemporal)
	c.IgnoreNull = []string{"a", "b"}
	one, other, third := sequenced(10, "x"), sequenced(10, nil), sequenced(20, nil)
	other.Values["b"], third.Values["b"] = "p", "q"
	r.play(t, feedOf(c, one, other, third), never)
	r.play(t, feedOf(c, other, one, at(third, 110)), never)
}

// TestApply_FillsFromEarlierPieces has a transaction whose second piece leaves alone
// what the first one brought.
func TestApply_FillsFromEarlierPieces(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, kind := range []merge.Kind{merge.SCD1, merge.SCD2} {
		for _, general := range []bool{false, true} {
			f := changesFlow(kind, schema.IdentityDefault, general)
			a := r.open(t, r.pipeline(t), f)
			s := &source{rel: f.Rel}
			before := model.Row{"id": int64(1), "a": "a", "doc": "d"}
			after := model.Row{"id": int64(1), "a": "b", "doc": "d"}
			whole := r.tx(insertRow(f, 1), s.change(batch.Update, before, after))
			for _, b := range piecesOf(whole) {
				must(t, a.Apply(t.Context(), b))
			}
			if rows := r.texts(t, f.Target.Name.String(), "id, a, doc"); !slices.Equal(rows, []string{"(1,b,d)"}) {
				t.Errorf("%s, general %v: got %q", kind, general, rows)
			}
			_ = a.Close()
		}
	}
}
