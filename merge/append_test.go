package merge_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
)

// appendFlow inserts what a query makes of a feed with the columns id and a; where
// the query says FEED the feed stands.
func appendFlow(query string, columns ...merge.Column) *merge.Flow {
	name := fmt.Sprintf("t%d", cases.Add(1))
	rel := &schema.Relation{OID: uint32(cases.Add(1)), Name: schema.Name{Schema: "public", Name: name + "_feed"}, Kind: 'r', Replica: schema.IdentityDefault}
	rel.Columns = []schema.Column{{Name: "id", TypeOID: 23, TypeMod: -1}, {Name: "a", TypeOID: 25, TypeMod: -1}}
	at := strings.Index(query, "FEED")
	f := &merge.Flow{
		Name: name, Source: "src", Feed: merge.Stream, Rel: rel, RawTypes: []string{"integer", "text"}, NoCopy: true, Follow: true,
		Query:  &merge.Query{SQL: query, Start: at, End: at + len("FEED"), Named: true},
		Target: &merge.Target{Name: schema.Name{Schema: "public", Name: name}, Kind: merge.Append, Columns: columns, InOrder: true},
	}
	for _, c := range columns {
		f.Columns = append(f.Columns, c.Name)
	}
	if strings.Contains(query, "__lsn") {
		f.Query.Rows = []string{"__lsn"}
	}
	return f
}

func line(f *merge.Flow, values ...any) batch.Change {
	var list []batch.Value
	for _, v := range values {
		list = append(list, value(v))
	}
	return batch.Change{Rel: f.Rel, Op: batch.Insert, New: batch.NewTuple(list...)}
}

func (r *rig) holds(t T, f *merge.Flow, list string, want ...string) {
	t.Helper()
	if got := r.texts(t, f.Target.Name.String(), list); !slices.Equal(got, want) {
		t.Fatalf("got  %q\nwant %q", got, want)
	}
}

const words = "SELECT s.id, word, s.__lsn AS at FROM FEED AS s, unnest(string_to_array(s.a, ' ')) AS word WHERE s.id > 0 -- no more"

func wordColumns() []merge.Column {
	return []merge.Column{{Name: "id", Type: "integer"}, {Name: "note", Type: "text"}, {Name: "word", Type: "text"}, {Name: "at", Type: "pg_lsn"}}
}

// counter is told how many rows were inserted.
type counter struct{ upserts int64 }

func (c *counter) Applied(counts map[string]merge.Counts, _, _ int, _ time.Duration, _ time.Time) {
	for _, n := range counts {
		c.upserts += n.Upserts
	}
}

func (c *counter) FlowStopped(string, error) {}

// TestAppend_InsertsWhatTheQueryGives also in pieces, where the end of the transaction
// is known last, and not again what comes again.
func TestAppend_InsertsWhatTheQueryGives(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, cut := range []string{"one transaction", "pieces"} {
		t.Run(cut, func(t *testing.T) {
			f := appendFlow(words, wordColumns()...)
			f.Columns[1] = ""
			p := r.pipeline(t)
			var seen counter
			config := r.config(p, f)
			config.Observer = &seen
			a, err := merge.NewApplier(t.Context(), config)
			must(t, err)
			first := r.cut(cut, []batch.Change{line(f, 1, "x y"), line(f, 0, "z"), line(f, 1, "x y"), line(f, 2, nil)})
			second := r.cut(cut, []batch.Change{line(f, 3, `it's \N`), line(f, -1, "x")})
			for _, b := range slices.Concat(first, second) {
				must(t, a.Apply(t.Context(), b))
			}
			_ = a.Close()
			a = r.open(t, p, f)
			for _, b := range slices.Concat(first, second) {
				must(t, a.Apply(t.Context(), b))
			}
			must(t, a.Apply(t.Context(), r.tx(line(f, 4, "w"))))
			one, two := first[len(first)-1].LSN, second[len(second)-1].LSN
			r.holds(t, f, "id, note, word, at",
				fmt.Sprintf("(1,,x,%s)", one), fmt.Sprintf("(1,,x,%s)", one), fmt.Sprintf("(1,,y,%s)", one), fmt.Sprintf("(1,,y,%s)", one),
				fmt.Sprintf(`(3,,"\\N",%s)`, two), fmt.Sprintf("(3,,it's,%s)", two), fmt.Sprintf("(4,,w,%s)", r.lsn))
			if seen.upserts != 6 {
				t.Errorf("counted %d rows", seen.upserts)
			}
			_ = a.Close()
		})
	}
}

// TestAppend_StopsTheFlowThatFails keeps what came before and what others bring into
// the same target, and goes on when the cause is gone.
func TestAppend_StopsTheFlowThatFails(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, cut := range []string{"many transactions", "pieces"} {
		t.Run(cut, func(t *testing.T) {
			f := appendFlow("SELECT id, 10 / id AS q FROM FEED AS s", merge.Column{Name: "id", Type: "integer"}, merge.Column{Name: "q", Type: "integer"})
			other := appendFlow("SELECT id FROM FEED AS s")
			other.Target, other.Columns = f.Target, []string{"id", ""}
			p := r.pipeline(t)
			a := r.open(t, p, f, other)
			batches := slices.Concat([]*batch.Batch{r.tx(line(f, 5, nil))}, r.cut(cut, []batch.Change{line(f, 1, nil), line(other, 7, nil), line(f, 0, nil), line(f, 2, nil)}))
			for _, b := range batches {
				err := a.Apply(t.Context(), b)
				if err == nil {
					continue
				}
				if cut != "pieces" || !merge.Retryable(err) {
					t.Fatal(err)
				}
				for _, again := range batches { // the stream is read again
					must(t, a.Apply(t.Context(), again))
				}
			}
			stopped := a.Stopped()
			if len(stopped) != 1 || stopped[f.Name] == nil || !strings.Contains(stopped[f.Name].Error(), "division by zero") {
				t.Fatalf("stopped: %v", stopped)
			}
			want := []string{"(1,10)", "(5,2)", "(7,)"}
			if cut == "pieces" {
				want = want[1:]
			}
			r.holds(t, f, "id, q", want...)
			_ = a.Close()
			f.Query.SQL = strings.Replace(f.Query.SQL, "10 / id", "10 / NULLIF(id, 0)", 1)
			f.Query.Start += len("NULLIF(, 0)")
			f.Query.End += len("NULLIF(, 0)")
			a = r.open(t, p, f, other)
			for _, b := range batches {
				must(t, a.Apply(t.Context(), b))
			}
			r.holds(t, f, "id, q", "(0,)", "(1,10)", "(2,5)", "(5,2)", "(7,)")
			_ = a.Close()
		})
	}
}

func TestAppend_StopsAtAnUpdateOfTheFeed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	f := appendFlow("SELECT id FROM FEED AS s", merge.Column{Name: "id", Type: "integer"})
	a := r.open(t, r.pipeline(t), f)
	c := line(f, 2, nil)
	c.Op = batch.Update
	gone := batch.Change{Rel: f.Rel, Op: batch.Delete, Old: line(f, 1, nil).New}
	must(t, a.Apply(t.Context(), r.tx(line(f, 1, nil))))
	must(t, a.Apply(t.Context(), r.tx(gone, batch.Change{Rel: f.Rel, Op: batch.Truncate})))
	must(t, a.Apply(t.Context(), r.tx(c)))
	if err := a.Stopped()[f.Name]; err == nil || !strings.Contains(err.Error(), "append-only") {
		t.Errorf("got %v", err)
	}
	r.holds(t, f, "id", "(1)")
	_ = a.Close()
}

// TestAppend_FollowsTheShapeOfTheFeed adds what SELECT * gives then, and widens what
// it gives otherwise.
func TestAppend_FollowsTheShapeOfTheFeed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	f := appendFlow("SELECT *, length(a) AS n FROM FEED AS s", merge.Column{Name: "id", Type: "integer"}, merge.Column{Name: "a", Type: "text"}, merge.Column{Name: "n", Type: "integer"})
	row := appendFlow("SELECT id, to_jsonb(s) AS doc FROM FEED AS s", merge.Column{Name: "id", Type: "integer"}, merge.Column{Name: "doc", Type: "jsonb"})
	row.Rel, row.Follow = f.Rel, false
	a := r.open(t, r.pipeline(t), f, row)
	must(t, a.Apply(t.Context(), r.tx(line(f, 1, "x"))))
	rel := *f.Rel
	rel.Columns = append(slices.Clone(rel.Columns), schema.Column{Name: "b", TypeOID: 25, TypeMod: -1})
	rel.Columns[0].TypeOID = 20
	changed := *f
	changed.Rel = &rel
	must(t, a.Apply(t.Context(), r.tx(line(&changed, int64(1)<<40, "xy", "new"))))
	if stopped := a.Stopped(); len(stopped) != 1 || stopped[row.Name] == nil || !strings.Contains(stopped[row.Name].Error(), "out of range") {
		t.Errorf("stopped: %v", stopped) // its id is declared as an integer
	}
	must(t, a.Apply(t.Context(), r.tx(line(&changed, 2, nil, nil))))
	r.holds(t, f, "id, a, n, b", "(1,x,1,)", "(1099511627776,xy,2,new)", "(2,,,)")
	r.holds(t, row, "id, doc", `(1,"{""a"": ""x"", ""id"": 1}")`)
	_ = a.Close()
}

// TestCheck_DescribesAppends reports what the query and the target disagree in.
func TestCheck_DescribesAppends(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for query, want := range map[string]string{
		"SELECT id, a FROM FEED AS s":                                              `-1 column "a" of the query is of type text, that of the target is integer`,
		"SELECT id, a::numeric(10,2) AS a FROM FEED AS s":                          "",
		"SELECT id, 1 AS a FROM FEED AS s WHERE b":                                 `39 column "b" does not exist`,
		"SELECT id, x AS a FROM FEED AS s":                                         `11 column "x" does not exist`,
		"SELECT id, ARRAY[1] AS a FROM FEED AS s":                                  `-1 column "a" of the query is of type integer[], that of the target is integer`,
		"SELECT count(*)::int AS id, 1 AS a FROM FEED AS s":                        "-1 the query gives rows where its STREAM has none, so that each batch would give them",
		"SELECT id, 1 AS a FROM FEED AS s FULL JOIN (VALUES (1)) AS v (v) ON true": "-1 the query gives rows where its STREAM has none, so that each batch would give them",
	} {
		f := appendFlow(query, merge.Column{Name: "id", Type: "integer"}, merge.Column{Name: "a", Type: "integer"})
		faults, err := merge.Check(context.Background(), r.conn, "autocdc", []*merge.Flow{f})
		must(t, err)
		got := ""
		for _, fault := range faults {
			got += fmt.Sprintf("%d %s", fault.Offset, fault.Message)
		}
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", query, got, want)
		}
	}
}

// TestApply_FollowsAnAddedColumnOfAFeedWithExpressions needs a raw stage in the new
// shape.
func TestApply_FollowsAnAddedColumnOfAFeedWithExpressions(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	f := appendFlow("FEED", merge.Column{Name: "id", Type: "integer"}, merge.Column{Name: "a", Type: "text"})
	f.Query, f.SequenceBy = nil, []string{"id + 1"}
	f.Target.Kind, f.Target.Keys, f.Target.Sequence, f.Target.InOrder = merge.SCD1, []string{"id"}, []merge.Column{{Type: "integer"}}, false
	a := r.open(t, r.pipeline(t), f)
	must(t, a.Apply(t.Context(), r.tx(line(f, 1, "x"))))
	rel := *f.Rel
	rel.Columns = append(slices.Clone(rel.Columns), schema.Column{Name: "b", TypeOID: 25, TypeMod: -1})
	changed := *f
	changed.Rel = &rel
	must(t, a.Apply(t.Context(), r.tx(line(&changed, 2, "y", "new"))))
	if stopped := a.Stopped(); len(stopped) > 0 {
		t.Errorf("stopped: %v", stopped)
	}
	r.holds(t, f, "id, a, b", "(1,x,)", "(2,y,new)")
	_ = a.Close()
}
