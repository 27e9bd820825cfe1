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

// deep makes an SCD 2 target whose keys have so many versions each, the last at
// that sequence.
func (r *rig) deep(b *testing.B, versions int) (*merge.Applier, *merge.Flow) {
	b.Helper()
	f := feed(users(model.SCD2))
	a := r.open(b, r.pipeline(b), f)
	b.Cleanup(func() { _ = a.Close() })
	sql := fmt.Sprintf(`INSERT INTO %s (id, a, __start_at, __end_at)
SELECT k, 'version ' || v || repeat('x', 80), v, CASE WHEN v < %d THEN v + 1 END
FROM generate_series(1, %d) AS v, generate_series(1, %d) AS k`, f.Target.Name, versions, versions, benchKeys)
	must(b, r.exec(context.Background(), sql))
	must(b, r.exec(context.Background(), "VACUUM ANALYZE "+f.Target.Name.String()))
	return a, f
}

// bring is a batch of one event per key at a sequence; every hundredth key gets a
// late one, so many versions back.
func (r *rig) bring(f *merge.Flow, seq int64, late int64) *batch.Batch {
	events := make([]model.Event, benchKeys)
	for i := range events {
		at := seq
		if late > 0 && i%100 == 0 {
			at -= late
		}
		events[i] = event(model.Upsert, int64(i+1), at, fmt.Sprintf("event %d%080d", at, i))
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
				seq := int64(versions) * 100
				for b.Loop() {
					b.StopTimer()
					seq += 100
					changes := r.bring(f, seq, late*100)
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
