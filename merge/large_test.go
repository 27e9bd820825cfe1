package merge_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/test/model"
)

// TestApply_LargeBatchesMakeTheSameRows applies a feed in batches so large that a
// bound is looked for first, and in small ones: keys that are new, in order and
// late, whose newest rows are older and younger than the bound, ends and gaps.
func TestApply_LargeBatchesMakeTheSameRows(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, chained := range []bool{false, true} {
		t.Run(fmt.Sprintf("chained %v", chained), func(t *testing.T) {
			large, small := feed(users(model.SCD2)), feed(users(model.SCD2))
			r.alike(t, large, small, func(round int64, rng *rand.Rand) []model.Event {
				var events []model.Event
				for k := range rng.Perm(2 * many) {
					for range 1 + rng.IntN(2) {
						events = append(events, drawn(rng, int64(k), round))
						if !chained {
							break
						}
					}
				}
				return events[:len(events)*3/4] // in each round other keys have no event
			}, inserts)
		})
	}
	t.Run("direct", func(t *testing.T) {
		large, small := changesFlow(merge.SCD2, schema.IdentityFull, false), changesFlow(merge.SCD2, schema.IdentityFull, false)
		r.alike(t, large, small, func(round int64, rng *rand.Rand) []model.Event {
			var events []model.Event
			for _, k := range rng.Perm(2 * many)[:many] {
				events = append(events, drawn(rng, int64(k), round))
			}
			return events
		}, func(f *merge.Flow, events []model.Event) (changes []batch.Change) {
			for _, e := range events {
				changes = append(changes, rowChange(f, e, false))
			}
			return changes
		})
	})
}

// drawn is an event of a key around a round's time, sometimes rounds ago.
func drawn(rng *rand.Rand, key, round int64) model.Event {
	seq := 100*round + rng.Int64N(100)
	if rng.IntN(20) == 0 {
		seq -= 100 * rng.Int64N(4)
	}
	op := model.Upsert
	if rng.IntN(8) == 0 {
		op = model.Delete
	}
	return event(op, key, seq, []string{"x", "y", "z"}[rng.IntN(3)])
}

func (r *rig) alike(t *testing.T, large, small *merge.Flow, draw func(round int64, rng *rand.Rand) []model.Event, changes func(*merge.Flow, []model.Event) []batch.Change) {
	p := r.pipeline(t)
	a := r.open(t, p, large, small)
	defer a.Close()
	rng := rand.New(rand.NewPCG(7, 11)) // as good as any, and the same each time
	for round := range int64(4) {
		whole := r.tx(changes(large, draw(round, rng))...)
		must(t, a.Apply(t.Context(), whole))
		stamp := whole.Stamp
		for part := range slices.Chunk(whole.Txs[0].Changes, many/3) {
			b := r.tx(part...)
			b.Stamp, b.Txs[0].Stamp = stamp, stamp // one commit, as far as rows tell
			for i := range b.Txs[0].Changes {
				b.Txs[0].Changes[i].Rel = small.Rel
			}
			must(t, a.Apply(t.Context(), b))
		}
		if stopped := a.Stopped(); len(stopped) > 0 {
			t.Fatalf("stopped: %v", stopped)
		}
		columns := "id, a, __start_at, __end_at"
		want, got := r.texts(t, small.Target.Name.String(), columns), r.texts(t, large.Target.Name.String(), columns)
		if !slices.Equal(want, got) {
			t.Fatalf("round %d: %d rows by small batches, %d by large ones", round, len(want), len(got))
		}
	}
}
