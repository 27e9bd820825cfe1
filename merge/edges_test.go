package merge_test

import (
	"fmt"
	"slices"
	"testing"

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
