package merge_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/test/model"
	"github.com/autocdc/autocdc/test/pgtest"
)

// largeKeys are the keys of a table that must not be read as a whole for a few.
const largeKeys = 400_000

// many are so many events that the statements for large batches are taken. Of
// that many keys only the first 200 are there.
const many = 1000

// scans are what the statistics say of a table.
type scans struct{ Sequential, RowsRead, ByIndex int64 }

func (r *rig) scans(t testing.TB, table schema.Name) (s scans) {
	t.Helper()
	const query = `SELECT seq_scan, seq_tup_read, idx_scan FROM pg_stat_user_tables WHERE relid = CAST($1 AS regclass)`
	must(t, r.conn.QueryRow(context.Background(), "SELECT pg_stat_clear_snapshot()").Scan(nil))
	must(t, r.conn.QueryRow(context.Background(), query, table.String()).Scan(&s.Sequential, &s.RowsRead, &s.ByIndex))
	return s
}

func (r *rig) backends() (n int, err error) {
	const query = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`
	err = r.conn.QueryRow(context.Background(), query).Scan(&n)
	return n, err
}

// applyAndLeave applies a batch with a session of its own, whose statistics are
// there when it is gone.
func (r *rig) applyAndLeave(t testing.TB, pipeline string, f *merge.Flow, b *batch.Batch) {
	t.Helper()
	others, err := r.backends()
	must(t, err)
	a := r.open(t, pipeline, f)
	must(t, a.Apply(context.Background(), b))
	if stopped := a.Stopped(); len(stopped) > 0 {
		t.Fatalf("stopped: %v", stopped)
	}
	_ = a.Close()
	pgtest.Eventually(t, 20*time.Second, func() error {
		n, err := r.backends()
		if err == nil && n > others {
			err = fmt.Errorf("%d sessions, want %d", n, others)
		}
		return err
	})
}

// mustUseIndexes applies a small batch and holds that the target was read by its
// indexes only.
func (r *rig) mustUseIndexes(t testing.TB, pipeline string, f *merge.Flow, b *batch.Batch) {
	t.Helper()
	before := r.scans(t, f.Target.Name)
	r.applyAndLeave(t, pipeline, f, b)
	after := r.scans(t, f.Target.Name)
	if after.Sequential != before.Sequential || after.RowsRead != before.RowsRead {
		t.Errorf("read the target as a whole %d times, %d rows", after.Sequential-before.Sequential, after.RowsRead-before.RowsRead)
	}
	if after.ByIndex <= before.ByIndex {
		t.Errorf("nothing was read by index")
	}
}

// large deploys the flow and fills its target, of which nothing is known to the
// planner. After the columns of the target come its times.
func (r *rig) large(t testing.TB, f *merge.Flow, times string) string {
	t.Helper()
	p := r.pipeline(t)
	_ = r.open(t, p, f).Close()
	sql := `ALTER TABLE %[1]s SET (autovacuum_enabled = false);
INSERT INTO %[1]s SELECT k, 'a', 'b', %[2]s FROM generate_series(1, %[3]d) AS k`
	must(t, r.exec(t.Context(), fmt.Sprintf(sql, f.Target.Name, times, largeKeys)))
	return p
}

// step is a batch with a word for what it does.
type step struct {
	what  string
	batch *batch.Batch
}

// planned runs the batches against the target, then again with statistics of it.
func (r *rig) planned(t *testing.T, f *merge.Flow, times string, batches func(i int64) []step) {
	p := r.large(t, f, times)
	for i, what := range []string{"never analyzed", "analyzed"} {
		if i == 1 {
			must(t, r.exec(t.Context(), "ANALYZE "+f.Target.Name.String()))
		}
		for _, s := range batches(int64(i)) {
			t.Run(what+"/"+s.what, func(t *testing.T) { r.mustUseIndexes(t, p, f, s.batch) })
		}
	}
}

// general are the kinds of general target with the times of their rows.
var general = map[string]struct {
	kind  model.Kind
	times string
}{
	"SCD 1":      {model.SCD1, "10"},
	"SCD 2":      {model.SCD2, "10, NULL"},
	"bitemporal": {model.Bitemporal, "10, NULL, 110, NULL"},
}

// events are of so many keys, each with that many events.
func events(op string, keys, each, seq int64) []model.Event {
	var list []model.Event
	for k := range keys {
		for i := range each {
			e := sequenced(seq+i, fmt.Sprint("at ", seq+i))
			e.Op, e.Values["id"] = op, 1000*(k+1)
			list = append(list, e)
		}
	}
	return list
}

// TestApply_ReadsALargeTargetByIndex applies small batches to general targets.
func TestApply_ReadsALargeTargetByIndex(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, g := range general {
		for _, partial := range []bool{false, true} {
			c := of("text", g.kind)
			if partial {
				c.IgnoreNull = []string{"a", "b"}
			}
			f := feed(c)
			t.Run(fmt.Sprintf("%s/partial %v", name, partial), func(t *testing.T) {
				r.planned(t, f, g.times, func(i int64) []step {
					return []step{
						{"in order", r.tx(inserts(f, events(model.Upsert, 20, 1, 1000*(i+1)))...)},
						{"many in order", r.tx(inserts(f, events(model.Upsert, many, 1, 1000*(i+1)+1))...)},
						{"chained", r.tx(inserts(f, events(model.Upsert, 20, 3, 1000*(i+1)+10))...)},
						{"late", r.tx(inserts(f, events(model.Upsert, 20, 2, 20+10*i))...)},
						{"first", r.tx(inserts(f, events(model.Upsert, 20, 1, 1+i))...)},
						{"deletes", r.tx(inserts(f, events(model.Delete, 20, 1, 50+i))...)},
					}
				})
			})
		}
	}
}

// TestApply_ReadsALargeTargetOfATableByIndex does it with direct targets.
func TestApply_ReadsALargeTargetOfATableByIndex(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for kind, times := range map[merge.Kind]string{merge.SCD1: "'0/1'::pg_lsn", merge.SCD2: "'1970-01-01 00:00:01Z'::timestamptz, NULL"} {
		t.Run(kind.String(), func(t *testing.T) {
			f := changesFlow(kind, schema.IdentityDefault, false)
			s := &source{rel: f.Rel}
			r.planned(t, f, times, func(i int64) []step {
				return []step{
					{"updates", r.tx(s.changes(20, 1+1000*i, 1+1000*i, "of "+fmt.Sprint(i))...)},
					{"many updates", r.tx(s.changes(many, 4+1000*i, 4+1000*i, "of "+fmt.Sprint(i))...)},
					{"rekeys", r.tx(s.changes(20, 2+1000*i, largeKeys+1+1000*i, "b")...)},
					{"chained", joined(r.tx(s.changes(20, 3+1000*i, 3+1000*i, "c")...), r.tx(s.changes(20, 3+1000*i, 3+1000*i, "d")...))},
				}
			})
		})
	}
}

// changes are updates of so many rows from one range of ids to another, with the
// doc unchanged.
func (s *source) changes(n, from, to int64, a string) []batch.Change {
	var list []batch.Change
	for i := range n {
		old := model.Row{"id": from + 10*i, "a": "a", "doc": "b"}
		list = append(list, s.change(batch.Update, old, model.Row{"id": to + 10*i, "a": a, "doc": "b"}))
	}
	return list
}
