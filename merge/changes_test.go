package merge_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/test/model"
)

// source plays a table and what its WAL says of changes.
type source struct {
	rel  *schema.Relation
	rows map[int]model.Row
}

func (s *source) full() bool { return s.rel.Replica == schema.IdentityFull }

func (s *source) tuple(r model.Row, keyOnly bool, unchanged bool) batch.Tuple {
	values := []batch.Value{value(r["id"]), value(r["a"]), value(r["doc"])}
	if keyOnly {
		values[1], values[2] = value(nil), value(nil)
	}
	if unchanged {
		values[2] = batch.Value{Kind: batch.Unchanged}
	}
	return batch.NewTuple(values...)
}

func (s *source) change(op batch.Op, old, now model.Row) batch.Change {
	c := batch.Change{Rel: s.rel, Op: op}
	if old != nil && (op == batch.Delete || s.full() || now != nil && old["id"] != now["id"]) {
		c.Old = s.tuple(old, !s.full(), false)
	}
	if now != nil {
		c.New = s.tuple(now, false, old != nil && old["doc"] == now["doc"] && now["doc"] != nil)
	}
	return c
}

// step draws one statement of one row, or a truncate.
func (s *source) step(t *rapid.T) []batch.Change {
	id := rapid.IntRange(1, 4).Draw(t, "id")
	row := model.Row{"id": int64(id), "a": rapid.SampledFrom([]any{nil, "x", "y"}).Draw(t, "a"), "doc": rapid.SampledFrom([]any{nil, "D\t1", `\N`, "D2", "D3", "D4"}).Draw(t, "doc")}
	old, ok := s.rows[id]
	what := rapid.IntRange(0, 19).Draw(t, "what")
	switch {
	case what == 0:
		s.rows = map[int]model.Row{}
		return []batch.Change{{Rel: s.rel, Op: batch.Truncate}}
	case !ok:
		s.rows[id] = row
		return []batch.Change{s.change(batch.Insert, nil, row)}
	case what < 5:
		delete(s.rows, id)
		return []batch.Change{s.change(batch.Delete, old, nil)}
	case what < 12:
		return s.rekey(t, id, old, row)
	}
	if rapid.Bool().Draw(t, "keep doc") {
		row["doc"] = old["doc"]
	}
	s.rows[id] = row
	return []batch.Change{s.change(batch.Update, old, row)}
}

// rekey moves a row to another id, if that is free.
func (s *source) rekey(t *rapid.T, id int, old, row model.Row) []batch.Change {
	to := rapid.IntRange(1, 6).Draw(t, "to")
	if _, taken := s.rows[to]; taken {
		return nil
	}
	row["id"] = int64(to)
	if rapid.Bool().Draw(t, "keep doc") {
		row["doc"] = old["doc"]
	}
	delete(s.rows, id)
	s.rows[to] = row
	return []batch.Change{s.change(batch.Update, old, row)}
}

// history is what the source held after each commit.
type history struct {
	stamps []string
	states []map[int]model.Row
}

func (h *history) current() []model.Row {
	var rows []model.Row
	if len(h.states) == 0 {
		return nil
	}
	for _, r := range h.states[len(h.states)-1] {
		rows = append(rows, r)
	}
	return rows
}

// versions are the rows of an SCD 2 target.
func (h *history) versions() []model.Row {
	var rows []model.Row
	for id := range 7 {
		var open model.Row
		for i, state := range h.states {
			now, ok := state[id]
			if open != nil && ok && open["a"] == now["a"] && open["doc"] == now["doc"] {
				continue
			}
			if open != nil {
				open["__end_at"] = h.stamps[i]
				open = nil
			}
			if ok {
				open = model.Row{"id": now["id"], "a": now["a"], "doc": now["doc"], "__start_at": h.stamps[i], "__end_at": nil}
				rows = append(rows, open)
			}
		}
	}
	return rows
}

func changesFlow(kind merge.Kind, replica schema.ReplicaIdentity, general bool) *merge.Flow {
	name := fmt.Sprintf("t%d", cases.Add(1))
	rel := &schema.Relation{
		OID: uint32(cases.Add(1)), Name: schema.Name{Schema: "public", Name: name + "_src"}, Kind: 'r', Replica: replica,
		Columns: []schema.Column{{Name: "id", TypeOID: 23, TypeMod: -1, Identity: true}, {Name: "a", TypeOID: 25, TypeMod: -1}, {Name: "doc", TypeOID: 25, TypeMod: -1}},
	}
	target := &merge.Target{
		Name: schema.Name{Schema: "public", Name: name}, Kind: kind, Keys: []string{"id"}, InOrder: !general,
		Columns:  []merge.Column{{Name: "id", Type: "integer"}, {Name: "a", Type: "text"}, {Name: "doc", Type: "text"}},
		Sequence: []merge.Column{{Type: map[merge.Kind]string{merge.SCD1: "pg_lsn", merge.SCD2: "timestamptz"}[kind]}},
	}
	return &merge.Flow{
		Name: name, Source: "src", Target: target, Feed: merge.Changes, Rel: rel, RawTypes: []string{"integer", "text", "text"},
		Columns: []string{"id", "a", "doc"}, NoCopy: true, Follow: true,
	}
}

// TestApply_FollowsATable plays random transactions on a table, in random batches
// and pieces, and holds targets against what the table held after each commit.
func TestApply_FollowsATable(t *testing.T) {
	r := newRig(t)
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]merge.Kind{merge.SCD1, merge.SCD2}).Draw(t, "kind")
		replica := rapid.SampledFrom([]schema.ReplicaIdentity{schema.IdentityDefault, schema.IdentityFull}).Draw(t, "identity")
		f := changesFlow(kind, replica, rapid.IntRange(0, 3).Draw(t, "general") == 0)
		s := &source{rel: f.Rel, rows: map[int]model.Row{}}
		p := r.pipeline(t)
		a := r.open(t, p, f)
		h := &history{}
		var log strings.Builder
		for range rapid.IntRange(1, 5).Draw(t, "batches") {
			b := r.draw(t, s, h, &log)
			for _, piece := range pieces(t, b, &log) {
				if err := a.Apply(context.Background(), piece); err != nil {
					t.Fatalf("apply: %v\n%s", err, log.String())
				}
			}
			if stopped := a.Stopped(); len(stopped) > 0 {
				t.Fatalf("stopped: %v\n%s", stopped, log.String())
			}
			want := h.current()
			if kind == merge.SCD2 {
				want = h.versions()
			}
			r.compare(t, f, want, log.String)
		}
		_ = a.Close()
		r.drop(t, f)
	})
}

// draw makes a batch of some transactions.
func (r *rig) draw(t *rapid.T, s *source, h *history, log *strings.Builder) *batch.Batch {
	b := &batch.Batch{}
	for range rapid.IntRange(1, 4).Draw(t, "transactions") {
		var changes []batch.Change
		for range rapid.IntRange(1, 6).Draw(t, "statements") {
			changes = append(changes, s.step(t)...)
		}
		one := r.tx(changes...)
		b.Txs = append(b.Txs, one.Txs...)
		b.LSN, b.Stamp = one.LSN, one.Stamp
		state := map[int]model.Row{}
		for id, row := range s.rows {
			state[id] = row
		}
		h.stamps = append(h.stamps, one.Stamp.Format("2006-01-02 15:04:05.999999-07"))
		h.states = append(h.states, state)
		fmt.Fprintf(log, "transaction at %s\n", h.stamps[len(h.stamps)-1])
		for _, c := range changes {
			fmt.Fprintf(log, "  %s old %q new %q\n", c.Op, c.Old, c.New)
		}
	}
	return b
}

// pieces cuts a batch of one transaction into pieces, sometimes.
func pieces(t *rapid.T, b *batch.Batch, log *strings.Builder) []*batch.Batch {
	if len(b.Txs) != 1 || len(b.Txs[0].Changes) < 2 || !rapid.Bool().Draw(t, "in pieces") {
		return []*batch.Batch{b}
	}
	tx := b.Txs[0]
	var list []*batch.Batch
	for len(tx.Changes) > 1 {
		n := rapid.IntRange(1, len(tx.Changes)-1).Draw(t, "piece")
		piece := tx
		piece.EndLSN, piece.Changes = 0, tx.Changes[:n]
		list = append(list, &batch.Batch{Piece: true, Txs: []batch.Tx{piece}})
		tx.Changes = tx.Changes[n:]
		fmt.Fprintf(log, "piece of %d\n", n)
	}
	return append(list, &batch.Batch{Txs: []batch.Tx{tx}, LSN: b.LSN, Stamp: b.Stamp})
}

// TestApply_TellsEqualKeysByTheTarget updates a key to an equal one of another
// text, which is a change of the key for the WAL and none for the table.
func TestApply_TellsEqualKeysByTheTarget(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, kind := range []merge.Kind{merge.SCD1, merge.SCD2} {
		f := changesFlow(kind, schema.IdentityDefault, false)
		f.RawTypes[0], f.Target.Columns[0].Type = "numeric", "numeric"
		a := r.open(t, r.pipeline(t), f)
		row := func(key string) model.Row { return model.Row{"id": key, "a": "x", "doc": nil} }
		s := &source{rel: f.Rel}
		first, second := r.tx(s.change(batch.Insert, nil, row("1.0"))), r.tx(s.change(batch.Update, row("1.0"), row("1.00")))
		must(t, a.Apply(t.Context(), first))
		must(t, a.Apply(t.Context(), second))
		if stopped := a.Stopped(); len(stopped) > 0 {
			t.Fatalf("stopped: %v", stopped)
		}
		want := []model.Row{row("1.00")}
		if kind == merge.SCD2 {
			was, is := row("1.0"), row("1.00")
			was["__start_at"], was["__end_at"] = stamp(first), stamp(second)
			is["__start_at"] = stamp(second)
			want = []model.Row{was, is}
		}
		r.compare(t, f, want, func() string { return "" })
		_ = a.Close()
	}
}

func stamp(b *batch.Batch) string { return b.Stamp.Format("2006-01-02 15:04:05.999999-07") }
