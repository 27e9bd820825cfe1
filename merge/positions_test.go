package merge_test

import (
	"context"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/test/model"
)

// joined is several batches as one.
func joined(list ...*batch.Batch) *batch.Batch {
	all := &batch.Batch{}
	for _, b := range list {
		all.Txs = append(all.Txs, b.Txs...)
		all.LSN, all.Stamp = b.LSN, b.Stamp
	}
	return all
}

// TestApply_SkipsExactlyWhatItHas applies a commit that begins where the last one
// ended, as it does if nothing was written in between, and then sees the one before
// again.
func TestApply_SkipsExactlyWhatItHas(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, general := range []bool{false, true} {
		f := changesFlow(merge.SCD1, schema.IdentityDefault, general)
		a := r.open(t, r.pipeline(t), f)
		s := &source{rel: f.Rel}
		row := model.Row{"id": int64(1), "a": "x", "doc": nil}
		made, gone, last := r.tx(insertRow(f, 1)), r.tx(s.change(batch.Delete, row, nil)), r.tx(insertRow(f, 2))
		gone.Txs[0].CommitLSN = made.LSN
		must(t, a.Apply(context.Background(), made))
		must(t, a.Apply(context.Background(), gone))
		r.compare(t, f, nil, func() string { return "the delete was skipped" })
		must(t, a.Apply(context.Background(), joined(made, gone, last)))
		must(t, a.Apply(context.Background(), joined(made)))
		want := []model.Row{{"id": int64(2), "a": "a", "doc": "d"}}
		r.compare(t, f, want, func() string { return "what was there came again" })
		_ = a.Close()
	}
}

// structs is a bitemporal case whose both sequences are STRUCTs.
func structs() (model.Case, *merge.Flow) {
	c := of("text", model.Bitemporal)
	c.Columns = append(c.Columns, model.Column{Name: "s2", Type: "bigint"}, model.Column{Name: "sys2", Type: "bigint"})
	c.Sequence, c.Struct = []string{"seq", "s2"}, true
	f := feed(c)
	f.SystemSequenceBy = append(f.SystemSequenceBy, `"sys2"`)
	f.Target.SystemSequence = append(f.Target.SystemSequence, merge.Column{Name: "sys2", Type: "bigint"})
	return c, f
}

// TestApply_StopsBeforeANullInAStruct shows for each field that a null there stops
// the flow before its transaction, and keeps what came before.
func TestApply_StopsBeforeANullInAStruct(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, null := range []string{"seq", "s2", "sys", "sys2"} {
		_, f := structs()
		a := r.open(t, r.pipeline(t), f)
		good, bad := sequenced(10, "x"), sequenced(20, "y")
		for _, e := range []model.Event{good, bad} {
			e.Values["s2"], e.Values["sys2"] = int64(1), int64(1)
		}
		bad.Values[null] = nil
		before := r.tx(inserts(f, []model.Event{good})...)
		at := r.tx(inserts(f, []model.Event{bad})...)
		must(t, a.Apply(context.Background(), joined(before, at)))
		err := a.Stopped()[f.Name]
		if err == nil || !strings.Contains(err.Error(), "sequence is null") {
			t.Errorf("%s is null: stopped with %v", null, err)
		}
		if a.Confirmed() != before.LSN {
			t.Errorf("%s is null: stands at %s, want %s", null, a.Confirmed(), before.LSN)
		}
		if rows := r.texts(t, f.Target.Name.String(), "a, __start_at, __system_start_at"); len(rows) != 1 {
			t.Errorf("%s is null: target has %q", null, rows)
		}
		_ = a.Close()
	}
}
