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

// What the long run of TestApply_EqualsTheModel found, in short.
func TestApply_OrdersWhatItRemembers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	partial := users(model.SCD2)
	partial.IgnoreNull = []string{"a"}
	current := users(model.SCD1)
	current.IgnoreNull = []string{"a"}
	both := users(model.Bitemporal)
	both.Columns = append(both.Columns, model.Column{Name: "sys", Type: "bigint"})
	both.SystemSequence = "sys"
	for name, c := range map[string]model.Case{
		"a delete carries everything": feedOf(partial,
			event(model.Delete, 1, 24, nil), event(model.Upsert, 1, 24, nil), event(model.Upsert, 1, 2, "x")),
		"an upsert replaces the delete that ended a row of the same image": feedOf(users(model.SCD2),
			event(model.Delete, 1, 5, nil), event(model.Upsert, 1, 3, "x"), event(model.Upsert, 1, 5, "x")),
		"a late truncate takes away what a partial event had filled": feedOf(current,
			event(model.Upsert, 1, 31, nil), event(model.Upsert, 1, 3, "p"), event(model.Truncate, 0, 6, nil)),
		"a truncate comes after the upsert that it ties with": feedOf(both,
			at(event(model.Upsert, 1, 1, "x"), 100), at(event(model.Upsert, 2, 3, "x"), 100),
			at(event(model.Truncate, 0, 3, nil), 100), at(event(model.Upsert, 2, 10, "y"), 100)),
		"an upsert comes after the truncate that it ties with": feedOf(both,
			at(event(model.Truncate, 0, 3, nil), 100), at(event(model.Upsert, 2, 3, "x"), 100), at(event(model.Upsert, 2, 10, "y"), 100)),
	} {
		t.Run(name, func(t *testing.T) {
			r.play(t, c, never)
			r.play(t, c.OneBatch(), never)
		})
	}
}

// feedOf is a case whose events come one by one.
func feedOf(c model.Case, events ...model.Event) model.Case {
	for _, e := range events {
		c.Feed = append(c.Feed, model.Batch{Events: []model.Event{e}})
	}
	return c
}

func at(e model.Event, sys int64) model.Event {
	e.Values["sys"] = sys
	return e
}

// TestApply_FollowsRowsThroughKeys moves two rows to the same key, one after the
// other, and leaves a value alone that only the target, or an earlier change, has.
func TestApply_FollowsRowsThroughKeys(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	row := func(id int64, a, doc string) model.Row { return model.Row{"id": id, "a": a, "doc": doc} }
	moves := [][2]model.Row{
		{row(3, "x", "three"), row(2, "x", "three")},
		{row(2, "x", "three"), row(2, "y", "three")},
		{row(2, "y", "three"), row(9, "y", "three")},
		{row(4, "x", "four"), row(2, "x", "four")},
		{row(2, "x", "four"), row(2, "z", "four")},
	}
	want := []string{"(2,z,four)", "(9,y,three)"}
	for _, kind := range []merge.Kind{merge.SCD1, merge.SCD2} {
		for _, general := range []bool{false, true} {
			for _, cut := range []string{"one transaction", "one batch", "pieces"} {
				t.Run(fmt.Sprintf("%s/general %v/%s", kind, general, cut), func(t *testing.T) {
					f := changesFlow(kind, schema.IdentityDefault, general)
					a := r.open(t, r.pipeline(t), f)
					s := &source{rel: f.Rel}
					must(t, a.Apply(t.Context(), r.tx(s.change(batch.Insert, nil, row(3, "x", "three")), s.change(batch.Insert, nil, row(4, "x", "four")))))
					var changes []batch.Change
					for _, m := range moves {
						changes = append(changes, s.change(batch.Update, m[0], m[1]))
					}
					for _, b := range r.cut(cut, changes) {
						must(t, a.Apply(t.Context(), b))
					}
					open := f.Target.Name.String()
					if kind == merge.SCD2 {
						open += " WHERE __end_at IS NULL"
					}
					if rows := r.texts(t, open, "id, a, doc"); !slices.Equal(rows, want) {
						t.Errorf("got %q, want %q", rows, want)
					}
					_ = a.Close()
				})
			}
		}
	}
}

// cut makes batches of changes.
func (r *rig) cut(how string, changes []batch.Change) []*batch.Batch {
	if how == "one transaction" {
		return []*batch.Batch{r.tx(changes...)}
	}
	if how == "pieces" {
		return piecesOf(r.tx(changes...))
	}
	all := &batch.Batch{}
	for _, c := range changes {
		one := r.tx(c)
		all.Txs, all.LSN, all.Stamp = append(all.Txs, one.Txs...), one.LSN, one.Stamp
	}
	return []*batch.Batch{all}
}

// piecesOf cuts the only transaction of a batch into its changes.
func piecesOf(whole *batch.Batch) []*batch.Batch {
	var list []*batch.Batch
	tx := whole.Txs[0]
	for i := range tx.Changes[1:] {
		piece := tx
		piece.EndLSN, piece.Changes = 0, tx.Changes[i:i+1]
		list = append(list, &batch.Batch{Piece: true, Txs: []batch.Tx{piece}})
	}
	tx.Changes = tx.Changes[len(tx.Changes)-1:]
	return append(list, &batch.Batch{Txs: []batch.Tx{tx}, LSN: whole.LSN, Stamp: whole.Stamp})
}
