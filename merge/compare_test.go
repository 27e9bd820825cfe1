package merge_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/test/conformance"
	"github.com/autocdc/autocdc/test/model"
)

// unified is a case whose target snapshots feed, alone or beside changes.
type unified struct {
	*rig
	c        model.Case
	pipeline string
	changes  *merge.Flow // nil: snapshots alone
	snapshot *merge.Flow
	applier  *merge.Applier
	comparer *merge.Comparer
}

func (r *rig) unify(t T, c model.Case) *unified {
	t.Helper()
	f := feed(c)
	u := &unified{rig: r, c: c, changes: f, pipeline: r.pipeline(t)}
	if len(c.Events()) == 0 {
		u.changes = nil
		f.Target.InOrder = true
	}
	for i, col := range f.Target.Sequence {
		if col.Type == "" {
			f.Target.Sequence[i].Type = "bigint"
		}
	}
	f.Target.Partial = u.changes != nil && (len(c.IgnoreNull) > 0 || c.ColumnsToUpdate != "")
	f.Target.Several = f.Target.Partial
	u.snapshot = &merge.Flow{
		Name: f.Name + "_snapshots", Source: "files", Target: f.Target, Feed: merge.Snapshot, Columns: f.Columns, MaxDeletes: 1,
		Rel: &schema.Relation{Columns: f.Rel.Columns},
	}
	u.open(t)
	return u
}

func (u *unified) open(t T) {
	t.Helper()
	if u.changes != nil {
		u.applier = u.rig.open(t, u.pipeline, u.changes)
	}
	u.comparer = u.compareWith(t, u.pipeline, u.snapshot)
}

func (r *rig) compareWith(t T, pipeline string, f *merge.Flow) *merge.Comparer {
	t.Helper()
	c, err := merge.NewComparer(context.Background(), merge.ComparerConfig{
		DSN: r.dsn, State: r.state, Pipeline: pipeline, Flow: f, Log: slog.New(slog.DiscardHandler),
	})
	must(t, err)
	return c
}

func (u *unified) close() {
	_ = u.comparer.Close()
	if u.applier != nil {
		_ = u.applier.Close()
	}
}

// take compares a snapshot, unless its version is not above the last.
func (u *unified) take(t T, s *model.Snapshot) (merge.Compared, error) {
	t.Helper()
	ctx, version := context.Background(), text(s.Version)
	above, err := u.comparer.Above(ctx, version, u.comparer.Last())
	must(t, err)
	if !above {
		must(t, u.comparer.Skip(ctx))
		return merge.Compared{}, nil
	}
	return stageAndApply(t, u.comparer, version, s.Rows)
}

func stageAndApply(t T, c *merge.Comparer, version string, rows []model.Row) (merge.Compared, error) {
	t.Helper()
	ctx := context.Background()
	staged, err := c.Stage(ctx, version, func(ctx context.Context, w merge.Filler) (int64, error) {
		return w.Copy(ctx, func(_ context.Context, to io.Writer) error {
			_, err := to.Write(copyText(w.Columns(), rows))
			return err
		})
	})
	must(t, err)
	return c.Apply(ctx, staged)
}

func copyText(columns []string, rows []model.Row) []byte {
	var out bytes.Buffer
	for _, row := range rows {
		for i, c := range columns {
			if i > 0 {
				out.WriteByte('\t')
			}
			if v := row[c]; v == nil {
				out.WriteString(`\N`)
			} else {
				out.WriteString(text(v))
			}
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// play brings batch after batch and compares with the model.
func (u *unified) play(t T, restart func(i int) bool) {
	t.Helper()
	for i, b := range u.c.Feed {
		if restart(i) {
			u.close()
			u.open(t)
		}
		if b.Snapshot != nil {
			_, err := u.take(t, b.Snapshot)
			must(t, err)
		} else {
			must(t, u.applier.Apply(context.Background(), u.tx(inserts(u.changes, b.Events)...)))
		}
		u.compare(t, u.snapshot, model.Expected(u.c.Until(i+1)), showMixed(u.c.Until(i+1)))
		u.mustBeSound(t, u.snapshot, showMixed(u.c.Until(i+1)))
	}
	u.close()
	u.drop(t, u.snapshot)
}

// showMixed is show with the snapshots.
func showMixed(c model.Case) func() string {
	return func() string {
		text := show(c)()
		for i, b := range c.Feed {
			if b.Snapshot == nil {
				text += fmt.Sprintf("batch %d: %d events\n", i, len(b.Events))
				continue
			}
			text += fmt.Sprintf("batch %d: snapshot %v\n", i, b.Snapshot.Version)
			for _, row := range b.Snapshot.Rows {
				text += "  " + row.String() + "\n"
			}
		}
		return text
	}
}

func TestCompare_GivesTheConformanceRows(t *testing.T) {
	t.Parallel()
	all, err := conformance.Cases()
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	for _, c := range slices.DeleteFunc(all, func(c conformance.Case) bool { return !c.Snapshots() }) {
		t.Run(c.Name, func(t *testing.T) {
			r.unify(t, c.Case).play(t, never)
			r.unify(t, c.OneBatch()).play(t, never)
			r.unify(t, c.EventByEvent()).play(t, never)
		})
	}
}

// TestCompare_EqualsTheModel mixes snapshots and changes at random.
func TestCompare_EqualsTheModel(t *testing.T) {
	t.Parallel()
	for _, kind := range []model.Kind{model.SCD1, model.SCD2} {
		t.Run(fmt.Sprintf("kind %d", kind), func(t *testing.T) {
			r := newRig(t)
			rapid.Check(t, func(t *rapid.T) {
				c := model.Cases(model.Everything(kind)).Filter(func(c model.Case) bool {
					return slices.ContainsFunc(c.Feed, func(b model.Batch) bool { return b.Snapshot != nil })
				}).Draw(t, "case")
				r.unify(t, c).play(t, func(int) bool { return rapid.IntRange(0, 4).Draw(t, "restart") == 0 })
			})
		})
	}
}
