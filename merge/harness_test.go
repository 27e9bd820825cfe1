package merge_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/test/model"
	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
)

func TestMain(m *testing.M) {
	workload.FixRapid()
	os.Exit(pgtest.Main(m))
}

// T is what testing.T and rapid.T share.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
}

// rig drives an Applier with hand-made batches, without a source.
type rig struct {
	dsn   string
	state *merge.State
	conn  *pgx.Conn
	lsn   pglogrepl.LSN
}

var cases atomic.Int64

func newRig(t testing.TB) *rig {
	t.Helper()
	return rigOn(t, pgtest.Database(t))
}

func rigOn(t testing.TB, dsn string) *rig {
	t.Helper()
	r := &rig{dsn: dsn, lsn: 1 << 32}
	state, err := merge.OpenState(t.Context(), r.dsn, "autocdc")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = state.Close() })
	r.state = state
	r.conn, err = merge.Connect(t.Context(), r.dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.conn.Close(context.Background()) })
	if err := state.Lock(t.Context(), "p"); err != nil {
		t.Fatal(err)
	}
	return r
}

// pipeline makes a pipeline of its own, with a state that begins here.
func (r *rig) pipeline(t T) string {
	t.Helper()
	name := fmt.Sprintf("p%d", cases.Add(1))
	src := merge.SourceState{Name: "src", Slot: "s", Database: "d", SystemID: "1", Timeline: 1, Checkpoint: r.lsn, Stamp: time.Unix(0, 0)}
	if err := r.state.SaveSource(context.Background(), name, src); err != nil {
		t.Fatalf("save source: %v", err)
	}
	return name
}

func (r *rig) open(t T, pipeline string, flows ...*merge.Flow) *merge.Applier {
	t.Helper()
	a, err := merge.NewApplier(context.Background(), r.config(pipeline, flows...))
	if err != nil {
		t.Fatalf("open applier: %v", err)
	}
	return a
}

func (r *rig) config(pipeline string, flows ...*merge.Flow) merge.ApplierConfig {
	return merge.ApplierConfig{
		DSN: r.dsn, State: r.state, Pipeline: pipeline, Source: "src", Flows: flows, Types: namer{}, Log: slog.New(slog.DiscardHandler),
	}
}

// namer names the types that the tests use.
type namer struct{}

func (namer) TypeName(_ context.Context, oid uint32, _ int32) (string, error) {
	switch oid {
	case 20:
		return "bigint", nil
	case 23:
		return "integer", nil
	case 25:
		return "text", nil
	}
	return "", fmt.Errorf("no name for type %d", oid)
}

// tx wraps changes in the next source transaction.
func (r *rig) tx(changes ...batch.Change) *batch.Batch {
	r.lsn += 100
	stamp := time.UnixMicro(int64(r.lsn)).UTC()
	return &batch.Batch{
		Txs: []batch.Tx{{XID: uint32(r.lsn), CommitLSN: r.lsn - 40, EndLSN: r.lsn, Stamp: stamp, Changes: changes}},
		LSN: r.lsn, Stamp: stamp,
	}
}

// feed is a case as a flow over a feed table of its own.
func feed(c model.Case) *merge.Flow {
	name := fmt.Sprintf("t%d", cases.Add(1))
	rel := &schema.Relation{OID: uint32(cases.Add(1)), Name: schema.Name{Schema: "public", Name: name + "_feed"}, Kind: 'r', Replica: schema.IdentityDefault}
	f := &merge.Flow{Name: name, Source: "src", Feed: merge.Stream, Rel: rel, NoCopy: true, ColumnsToUpdate: c.ColumnsToUpdate, IgnoreNull: c.IgnoreNull}
	types := map[string]string{}
	for i, col := range c.Columns {
		rel.Columns = append(rel.Columns, schema.Column{Name: col.Name, TypeOID: 25, TypeMod: -1, AttNum: int16(i + 1)})
		f.RawTypes = append(f.RawTypes, col.Type)
		types[col.Name] = col.Type
	}
	rel.Columns = append(rel.Columns, schema.Column{Name: "the op", TypeOID: 25, TypeMod: -1})
	f.RawTypes = append(f.RawTypes, "text")
	f.DeleteWhen, f.TruncateWhen = `"the op" = 'delete'`, `"the op" = 'truncate'`
	t := &merge.Target{Name: schema.Name{Schema: "public", Name: name}, Kind: merge.Kind(c.Kind), Keys: c.Keys, Track: c.Track}
	for _, n := range c.TargetColumns {
		t.Columns = append(t.Columns, merge.Column{Name: n, Type: types[n]})
		f.Columns = append(f.Columns, n)
	}
	for _, n := range c.Sequence {
		f.SequenceBy = append(f.SequenceBy, schema.Ident(n).String())
		t.Sequence = append(t.Sequence, merge.Column{Name: n, Type: types[n]})
	}
	if c.SystemSequence != "" {
		f.SystemSequenceBy = []string{schema.Ident(c.SystemSequence).String()}
		t.SystemSequence = []merge.Column{{Name: c.SystemSequence, Type: types[c.SystemSequence]}}
	}
	f.Target = t
	return f
}

// inserts are the events of a batch as inserts into the feed.
func inserts(f *merge.Flow, events []model.Event) []batch.Change {
	var changes []batch.Change
	for _, e := range events {
		var values []batch.Value
		for _, col := range f.Rel.Columns {
			v := e.Values[col.Name]
			if col.Name == "the op" {
				v = e.Op
			}
			values = append(values, value(v))
		}
		changes = append(changes, batch.Change{Rel: f.Rel, Op: batch.Insert, New: batch.NewTuple(values...)})
	}
	return changes
}

func value(v any) batch.Value {
	if v == nil {
		return batch.Value{Kind: batch.Null}
	}
	return batch.Value{Kind: batch.Text, Data: []byte(text(v))}
}

func text(v any) string {
	list, ok := v.([]any)
	if !ok {
		return fmt.Sprint(v)
	}
	parts := make([]string, len(list))
	brackets := "()"
	for i, e := range list {
		if _, ok := e.(string); ok {
			brackets = "{}"
		}
		parts[i] = fmt.Sprint(e)
	}
	if len(list) == 0 {
		brackets = "{}"
	}
	return brackets[:1] + strings.Join(parts, ",") + brackets[1:]
}

// compare holds the target's rows against the model's, as Postgres writes both.
func (r *rig) compare(t T, f *merge.Flow, want []model.Row, context_ func() string) {
	t.Helper()
	ctx := context.Background()
	columns := slices.Clone(f.Columns)
	switch f.Target.Kind {
	case merge.SCD2:
		columns = append(columns, "__start_at", "__end_at")
	case merge.Bitemporal:
		columns = append(columns, "__start_at", "__end_at", "__system_start_at", "__system_end_at")
	}
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = schema.Ident(c).String()
	}
	list := strings.Join(names, ", ")
	expected := fmt.Sprintf(`"expected_%s"`, f.Name)
	must(t, r.exec(ctx, fmt.Sprintf("CREATE TEMP TABLE IF NOT EXISTS %s AS SELECT %s FROM %s WITH NO DATA; DELETE FROM %s", expected, list, f.Target.Name, expected)))
	for _, row := range want {
		var values []string
		for _, c := range columns {
			if v := row[c]; v == nil {
				values = append(values, "NULL")
			} else {
				values = append(values, schema.Literal(text(v)))
			}
		}
		must(t, r.exec(ctx, fmt.Sprintf("INSERT INTO %s VALUES (%s)", expected, strings.Join(values, ", "))))
	}
	a := r.texts(t, expected, list)
	b := r.texts(t, f.Target.Name.String(), list)
	if !slices.Equal(a, b) {
		t.Fatalf("target differs\nwant %s\ngot  %s\n%s", strings.Join(a, "\n     "), strings.Join(b, "\n     "), context_())
	}
}

func (r *rig) exec(ctx context.Context, sql string) error {
	_, err := r.conn.Exec(ctx, sql)
	return err
}

// drop removes a target with all that belongs to it, so that thousands of cases
// fit into one database.
func (r *rig) drop(t T, f *merge.Flow) {
	t.Helper()
	var id int64
	must(t, r.conn.QueryRow(context.Background(), "SELECT id FROM autocdc.target WHERE table_name = $1", f.Target.Name.Name).Scan(&id))
	must(t, r.exec(context.Background(), fmt.Sprintf(`DROP TABLE IF EXISTS %s, "expected_%s", autocdc.shadow_%d, autocdc.floor_%d CASCADE;
DROP TYPE IF EXISTS %s CASCADE;
DELETE FROM autocdc.flow WHERE target_id = %d;
DELETE FROM autocdc.target WHERE id = %d`, f.Target.Name, f.Name, id, id, schema.Name{Schema: "public", Name: f.Target.Name.Name + "__sequence"}, id, id)))
}

func (r *rig) texts(t T, table, list string) []string {
	t.Helper()
	rows, err := r.conn.Query(context.Background(), fmt.Sprintf("SELECT ROW(%s)::text FROM %s ORDER BY 1", list, table))
	must(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	return lines
}

func must(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

func idents(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = schema.Ident(n).String()
	}
	return strings.Join(quoted, ", ")
}
