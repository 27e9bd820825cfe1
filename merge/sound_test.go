package merge_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/test/model"
)

// overlapsOnBoth counts pairs of rows of a bitemporal key that overlap on both
// axes, and rows that are empty or inverted on one.
const overlapsOnBoth = `SELECT (
  SELECT count(*) FROM %[2]s AS a JOIN %[2]s AS b ON a.ctid < b.ctid AND %[1]s
  WHERE (a.__end_at IS NULL OR a.__end_at > b.__start_at) AND (b.__end_at IS NULL OR b.__end_at > a.__start_at)
    AND (a.__system_end_at IS NULL OR a.__system_end_at > b.__system_start_at)
    AND (b.__system_end_at IS NULL OR b.__system_end_at > a.__system_start_at)
) + (
  SELECT count(*) FROM %[2]s WHERE __end_at <= __start_at OR __system_end_at <= __system_start_at
)`

// mustBeSound holds the rows of a target against what section 6 and 7 of the
// semantics forbid.
func (r *rig) mustBeSound(t T, f *merge.Flow, context_ func() string) {
	t.Helper()
	var query string
	switch f.Target.Kind {
	case merge.SCD1:
		return
	case merge.SCD2:
		query = fmt.Sprintf(overlaps, idents(f.Target.Keys), f.Target.Name)
	case merge.Bitemporal:
		var same []string
		for _, k := range f.Target.Keys {
			same = append(same, fmt.Sprintf("a.%[1]s = b.%[1]s", schema.Ident(k)))
		}
		query = fmt.Sprintf(overlapsOnBoth, strings.Join(same, " AND "), f.Target.Name)
	}
	var n int
	must(t, r.conn.QueryRow(context.Background(), query).Scan(&n))
	if n > 0 {
		t.Fatalf("%d forbidden rows\n%s", n, context_())
	}
}

// TestApply_LeavesNothingThatOverlaps runs the query for overlaps after each batch
// of random feeds. Other tests hold the rows against the model, which has none; this
// one also forgets in between.
func TestApply_LeavesNothingThatOverlaps(t *testing.T) {
	t.Parallel()
	for _, kind := range []model.Kind{model.SCD2, model.Bitemporal} {
		t.Run(fmt.Sprintf("kind %d", kind), func(t *testing.T) {
			r := newRig(t)
			clauses := model.Everything(kind)
			clauses.Snapshots, clauses.MaxEvents = false, 16
			rapid.Check(t, func(t *rapid.T) { r.playSound(t, model.Cases(clauses).Draw(t, "case")) })
		})
	}
}

func (r *rig) playSound(t *rapid.T, c model.Case) {
	f := feed(c)
	p := r.pipeline(t)
	a := r.open(t, p, f)
	for i, b := range c.Feed {
		r.apply(t, a, f, b.Events...)
		r.mustBeSound(t, f, show(c.Until(i+1)))
		if rapid.IntRange(0, 3).Draw(t, "forget") == 0 {
			_, err := merge.Forget(context.Background(), r.conn, "autocdc", p, 0)
			must(t, err)
		}
	}
	_ = a.Close()
	r.drop(t, f)
}
