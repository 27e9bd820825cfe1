package merge_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/test/model"
	"github.com/autocdc/autocdc/test/workload"
)

var errCut = errors.New("cut")

// table is a source table that is there, with what its WAL would say.
type table struct {
	source
	*rig
	rng     *rand.Rand
	txs     []batch.Tx
	history history
	sent    int // rows that copies have read
}

// The interrupted copies of a table that changes all the time, and the stream after
// them, give what the source held at the last copy and at each commit after it.
func TestCopyParts_GoesOnAfterInterruptions(t *testing.T) {
	t.Parallel()
	seed := workload.Seed(t)
	r := newRig(t)
	for n := range uint64(6) {
		for _, kind := range []merge.Kind{merge.SCD1, merge.SCD2} {
			for _, identity := range []schema.ReplicaIdentity{schema.IdentityDefault, schema.IdentityFull} {
				s := newTable(t, r, changesFlow(kind, identity, false), workload.Rand(seed, n))
				s.interrupted(t, int(n%4))
			}
		}
	}
}

func newTable(t *testing.T, r *rig, f *merge.Flow, rng *rand.Rand) *partedTable {
	t.Helper()
	f.NoCopy = false
	s := &table{source: source{rel: f.Rel, rows: map[int]model.Row{}}, rig: r, rng: rng}
	must(t, r.exec(t.Context(), fmt.Sprintf(`CREATE TABLE %s (id integer PRIMARY KEY, a text, doc text) WITH (fillfactor = 10, autovacuum_enabled = off)`, f.Rel.Name)))
	s.write(t, 40)
	return &partedTable{s, f, r.pipeline(t)}
}

type partedTable struct {
	*table
	flow     *merge.Flow
	pipeline string
}

func (p *partedTable) interrupted(t *testing.T, times int) {
	t.Helper()
	var at merge.Point
	for n := 0; n <= times; n++ {
		cfg := p.config(p.pipeline, p.flow)
		cfg.PartPages = 1
		a, err := merge.NewApplier(t.Context(), cfg)
		must(t, err)
		p.holds(t, a)
		if p.rng.IntN(8) == 0 {
			_, err := a.StartOver(t.Context(), p.flow)
			must(t, err)
		}
		limit := 1 + p.rng.IntN(4)
		if n == times {
			limit = 1000
		}
		at, err = p.copy(t, a, limit)
		if err == nil {
			p.stream(t, a, at)
			return
		}
		if !errors.Is(err, errCut) {
			t.Fatal(err)
		}
		must(t, a.Close())
		p.write(t, p.rng.IntN(30))
		if p.rng.IntN(8) == 0 {
			p.truncate(t)
		}
	}
}

// holds shows that the source keeps its WAL from the first point of an unfinished
// copy on, whatever other flows have applied.
func (p *partedTable) holds(t *testing.T, a *merge.Applier) {
	t.Helper()
	last := p.txs[len(p.txs)-1]
	must(t, a.Apply(t.Context(), &batch.Batch{Txs: []batch.Tx{last}, LSN: last.EndLSN, Stamp: last.Stamp}))
	var first *string
	must(t, p.conn.QueryRow(t.Context(), `SELECT min(c.position)::text FROM autocdc.copy_point AS c JOIN autocdc.flow AS f ON f.id = c.flow_id WHERE f.flow = $1`, p.flow.Name).Scan(&first))
	if first == nil {
		return
	}
	if lsn, err := pglogrepl.ParseLSN(*first); err != nil || a.Confirmed() > lsn {
		t.Fatalf("WAL up to %s may be forgotten, the copy began at %s (%v)", a.Confirmed(), *first, err)
	}
}

// copy lets a copy read some parts, while the table changes.
func (p *partedTable) copy(t *testing.T, a *merge.Applier, limit int) (merge.Point, error) {
	t.Helper()
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, p.dsn)
	must(t, err)
	defer conn.Close(context.Background())
	view := merge.View{Point: merge.Point{LSN: p.lsn, Stamp: time.UnixMicro(int64(p.lsn)).UTC()}}
	leaf := merge.Leaf{OID: 7, Name: p.flow.Rel.Name}
	_, err = conn.Exec(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ")
	must(t, err)
	must(t, conn.QueryRow(ctx, "SELECT pg_snapshot_xmin(pg_current_snapshot())::text, pg_relation_filenode($1), pg_relation_size($1) / 8192", p.flow.Rel.Name.String()).
		Scan(&view.Horizon, &leaf.File, &leaf.Pages))
	view.Leaves = []merge.Leaf{leaf}
	p.write(t, p.rng.IntN(3))
	_, err = a.CopyParts(ctx, p.flow, view, func(ctx context.Context, query string, w io.Writer) error {
		p.write(t, p.rng.IntN(5))
		if limit--; limit < 0 {
			return errCut
		}
		tag, err := conn.PgConn().CopyTo(ctx, w, query)
		p.sent += int(tag.RowsAffected())
		return err
	})
	return view.Point, err
}

// stream applies what the WAL holds from the start on, in batches of any size, with
// restarts between them.
func (p *partedTable) stream(t *testing.T, a *merge.Applier, at merge.Point) {
	t.Helper()
	p.write(t, 20)
	from, _ := a.Start()
	txs := slices.DeleteFunc(slices.Clone(p.txs), func(tx batch.Tx) bool { return tx.EndLSN <= from })
	for len(txs) > 0 {
		n := 1 + p.rng.IntN(min(len(txs), 20))*p.rng.IntN(2)
		last := txs[n-1]
		if n == 1 {
			first, rest := inPieces(txs[0])
			must(t, a.Apply(t.Context(), first))
			must(t, a.Apply(t.Context(), rest))
		} else {
			must(t, a.Apply(t.Context(), &batch.Batch{Txs: txs[:n], LSN: last.EndLSN, Stamp: last.Stamp}))
		}
		txs = txs[n:]
		if p.rng.IntN(4) == 0 {
			must(t, a.Close())
			a = p.open(t, p.pipeline, p.flow)
		}
	}
	defer a.Close()
	if p.flow.Target.Kind == merge.SCD1 {
		p.compare(t, p.flow, p.history.current(), func() string { return "at the end" })
		return
	}
	for i, lsn := range p.txs {
		if lsn.EndLSN > at.LSN {
			p.asOf(t, i)
		}
	}
	var points int
	must(t, p.conn.QueryRow(t.Context(), "SELECT count(*) FROM autocdc.copy_point").Scan(&points))
	if points != 0 {
		t.Errorf("%d points are left", points)
	}
}

// inPieces is a transaction that came in two pieces.
func inPieces(tx batch.Tx) (first, rest *batch.Batch) {
	begin, end := tx, tx
	half := len(tx.Changes) / 2
	begin.Changes, begin.EndLSN, end.Changes = tx.Changes[:half], 0, tx.Changes[half:]
	return &batch.Batch{Txs: []batch.Tx{begin}, Piece: true}, &batch.Batch{Txs: []batch.Tx{end}, LSN: tx.EndLSN, Stamp: tx.Stamp}
}

// A copy that was interrupted starts over where its flow is declared otherwise now.
func TestCopyParts_StartsOverForAnotherDeclaration(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, change := range map[string]func(*merge.Flow){
		"once":    func(f *merge.Flow) { f.Once = true },
		"general": func(f *merge.Flow) { f.Target.InOrder = false },
	} {
		p := newTable(t, r, changesFlow(merge.SCD2, schema.IdentityDefault, false), workload.Rand(workload.Seed(t), 1))
		cfg := p.config(p.pipeline, p.flow)
		cfg.PartPages = 1
		a, err := merge.NewApplier(t.Context(), cfg)
		must(t, err)
		if _, err := p.copy(t, a, 2); !errors.Is(err, errCut) {
			t.Fatal(err)
		}
		must(t, a.Close())
		change(p.flow)
		a = p.open(t, p.pipeline, p.flow)
		defer a.Close()
		var rows, points int
		must(t, r.conn.QueryRow(t.Context(), fmt.Sprintf("SELECT (SELECT count(*) FROM %s), (SELECT count(*) FROM autocdc.copy_point)", p.flow.Target.Name)).Scan(&rows, &points))
		if rows+points > 0 || len(a.NeedCopy()) != 1 || a.Parted(p.flow) {
			t.Errorf("%s: %d rows and %d points are left", name, rows, points)
		}
	}
}

// asOf compares the history as of a commit.
func (p *partedTable) asOf(t *testing.T, i int) {
	t.Helper()
	stamp := p.history.stamps[i]
	got := p.texts(t, fmt.Sprintf("(SELECT * FROM %s WHERE __start_at <= '%s' AND (__end_at > '%s' OR __end_at IS NULL)) AS t", p.flow.Target.Name, stamp, stamp), "id, a, doc")
	var want []string
	for _, row := range p.history.states[i] {
		var line string
		must(t, p.conn.QueryRow(t.Context(), "SELECT ROW($1::int, $2::text, $3::text)::text", row["id"], row["a"], row["doc"]).Scan(&line))
		want = append(want, line)
	}
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Fatalf("as of commit %d\ngot  %s\nwant %s", i, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// write commits transactions of several changes.
func (s *table) write(t *testing.T, n int) {
	t.Helper()
	for range n {
		var changes []batch.Change
		var sql []string
		for range 1 + s.rng.IntN(4) {
			c, q := s.random()
			changes, sql = append(changes, c...), append(sql, q...)
		}
		s.commit(t, changes, sql)
	}
}

func (s *table) truncate(t *testing.T) {
	t.Helper()
	s.source.rows = map[int]model.Row{}
	s.commit(t, []batch.Change{{Rel: s.rel, Op: batch.Truncate}}, []string{"TRUNCATE " + s.rel.Name.String()})
}

func (s *table) commit(t *testing.T, changes []batch.Change, sql []string) {
	t.Helper()
	must(t, s.exec(context.Background(), "BEGIN;"+strings.Join(sql, ";")+";COMMIT"))
	tx := s.tx(changes...).Txs[0]
	s.txs = append(s.txs, tx)
	s.history.stamps = append(s.history.stamps, tx.Stamp.Format("2006-01-02 15:04:05.999999-07"))
	s.history.states = append(s.history.states, maps.Clone(s.source.rows))
}

// random is one statement of one row.
func (s *table) random() ([]batch.Change, []string) {
	const ids = 60
	name := s.rel.Name.String()
	id := s.rng.IntN(ids)
	row := model.Row{"id": int64(id), "a": fmt.Sprint(s.rng.IntN(1000)), "doc": fmt.Sprint(s.rng.IntN(3))}
	old, ok := s.source.rows[id]
	if !ok {
		s.source.rows[id] = row
		return []batch.Change{s.change(batch.Insert, nil, row)}, []string{fmt.Sprintf("INSERT INTO %s VALUES (%d, '%s', '%s')", name, id, row["a"], row["doc"])}
	}
	if s.rng.IntN(3) == 0 {
		delete(s.source.rows, id)
		return []batch.Change{s.change(batch.Delete, old, nil)}, []string{fmt.Sprintf("DELETE FROM %s WHERE id = %d", name, id)}
	}
	to := id
	if s.rng.IntN(3) == 0 {
		to = s.rng.IntN(ids)
	}
	if _, taken := s.source.rows[to]; taken && to != id {
		return nil, nil
	}
	if s.rng.IntN(2) == 0 {
		row["doc"] = old["doc"]
	}
	row["id"] = int64(to)
	delete(s.source.rows, id)
	s.source.rows[to] = row
	return []batch.Change{s.change(batch.Update, old, row)}, []string{fmt.Sprintf("UPDATE %s SET id = %d, a = '%s', doc = '%s' WHERE id = %d", name, to, row["a"], row["doc"], id)}
}
