package merge_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/test/model"
	"github.com/autocdc/autocdc/test/pgtest"
)

const benchKeys = 10_000

// apart is how far the versions of a key lie from each other, and warmth how many
// batches come before the clock runs: the session's first touch of each page of
// the server's memory, and of each page after a checkpoint, costs extra.
const (
	apart  = 100
	warmth = 5
)

// deep makes an SCD 2 target whose keys have so many versions each.
func (r *rig) deep(b *testing.B, versions int) (*merge.Applier, *merge.Flow) {
	b.Helper()
	f := feed(users(model.SCD2))
	a := r.open(b, r.pipeline(b), f)
	b.Cleanup(func() { _ = a.Close() })
	sql := fmt.Sprintf(`INSERT INTO %[1]s (id, a, __start_at, __end_at)
SELECT k, 'version ' || v || repeat('x', 80), v * %[2]d, CASE WHEN v < %[3]d THEN (v + 1) * %[2]d END
FROM generate_series(1, %[3]d) AS v, generate_series(1, %[4]d) AS k`, f.Target.Name, apart, versions, benchKeys)
	must(b, r.exec(context.Background(), sql))
	must(b, r.exec(context.Background(), "VACUUM ANALYZE "+f.Target.Name.String()))
	must(b, r.exec(context.Background(), "CHECKPOINT"))
	return a, f
}

// bring is a batch of one event per key, the next version of each. Every hundredth
// key, others in each batch, gets a late one instead: one to so many versions back.
func (r *rig) bring(f *merge.Flow, version, late int64) *batch.Batch {
	events := make([]model.Event, benchKeys)
	for i := range int64(benchKeys) {
		at := version * apart
		if late > 0 && i%100 == version%100 {
			at -= (1+i/100%late)*apart + apart/2
		}
		events[i] = event(model.Upsert, i+1, at, fmt.Sprintf("event %d%080d", at, i))
	}
	return r.tx(inserts(f, events)...)
}

// BenchmarkApply_Depth applies batches of 10 000 changes to 10 000 keys. The time
// must not grow with the number of versions that each key has.
func BenchmarkApply_Depth(b *testing.B) {
	for _, versions := range []int{1, 1000} {
		for _, late := range []int64{0, 10} {
			b.Run(fmt.Sprintf("versions=%d/late=%d", versions, late), func(b *testing.B) {
				// 10 million versions and their key fit into the server's memory
				server := pgtest.Start(b, embedpg.Options{Settings: map[string]string{"shared_buffers": "3GB", "max_wal_size": "8GB"}})
				r := rigOn(b, server.DSN("postgres"))
				a, f := r.deep(b, versions)
				version := int64(versions)
				for range warmth {
					version++
					must(b, a.Apply(context.Background(), r.bring(f, version, late)))
				}
				for b.Loop() {
					b.StopTimer()
					version++
					changes := r.bring(f, version, late)
					b.StartTimer()
					must(b, a.Apply(context.Background(), changes))
				}
			})
		}
	}
}

// BenchmarkApply_InOrder applies the same changes to a target that may get late
// events and to one that cannot.
func BenchmarkApply_InOrder(b *testing.B) {
	for _, general := range []bool{false, true} {
		for _, kind := range []merge.Kind{merge.SCD1, merge.SCD2} {
			b.Run(fmt.Sprintf("%s/general=%v", kind, general), func(b *testing.B) {
				r := newRig(b)
				f := changesFlow(kind, 'd', general)
				a := r.open(b, r.pipeline(b), f)
				defer a.Close()
				n := 0
				for b.Loop() {
					b.StopTimer()
					n++
					changes := updates(f, n)
					b.StartTimer()
					must(b, a.Apply(context.Background(), r.tx(changes...)))
				}
			})
		}
	}
}

func updates(f *merge.Flow, n int) []batch.Change {
	changes := make([]batch.Change, benchKeys)
	for i := range changes {
		row := batch.NewTuple(value(i), value(fmt.Sprintf("state %d", n)), value(fmt.Sprintf("%080d", i)))
		changes[i] = batch.Change{Rel: f.Rel, Op: batch.Update, New: row}
	}
	return changes
}
