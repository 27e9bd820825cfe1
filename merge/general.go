package merge

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge/sqlgen"
)

// applyTarget stages and merges what a batch brings for one target.
func (a *Applier) applyTarget(ctx context.Context, w *work) error {
	switch {
	case w.target.Kind == Append:
		return w.blame(a.applyAppend(ctx, w))
	case w.target.direct:
		return w.blame(a.applyDirect(ctx, w))
	}
	return w.blame(a.applyGeneral(ctx, w))
}

// blame names the flows on whose behalf a statement failed.
func (w *work) blame(err error) error {
	if err == nil {
		return nil
	}
	var known *targetError
	if errors.As(err, &known) {
		return err
	}
	flows := w.flowsOf()
	var fe *FlowError
	if errors.As(err, &fe) {
		flows = named(flows, fe.Flow)
	}
	return &targetError{flows: flows, step: fmt.Sprintf("apply batch to %s", w.target.Name), err: err}
}

func named(flows []*flow, name string) []*flow {
	for _, f := range flows {
		if f.Name == name {
			return []*flow{f}
		}
	}
	return flows
}

// applyGeneral stages rows as the events that they are, or in their source's shape
// and lets Postgres turn them into events; and merges those.
func (a *Applier) applyGeneral(ctx context.Context, w *work) error {
	remembers, err := a.lockAndRecall(ctx, w.target)
	if err != nil {
		return err
	}
	if err := a.ready(ctx, w.target); err != nil {
		return err
	}
	s := &plainStage{keys: make(map[string]bool, len(w.items))}
	known := true
	for _, f := range w.flowsOf() {
		plain, err := a.stageEvents(ctx, f, w.items, s)
		if err != nil {
			return failed(f, err)
		}
		known = known && plain
	}
	if !known {
		return a.mergeEvents(ctx, w.target)
	}
	s.Remembers = remembers
	return a.mergeContents(ctx, w.target, s.contents)
}

// stageEvents stages what a batch brings for a flow, and says whether what it
// holds is known without a look.
func (a *Applier) stageEvents(ctx context.Context, f *flow, items []item, s *plainStage) (bool, error) {
	rows, err := a.rawRows(ctx, f, items)
	if err != nil {
		return false, err
	}
	if plain, err := a.stagePlain(ctx, f, rows, s); plain || err != nil {
		return plain, err
	}
	if err := a.stageRaw(ctx, f, rows); err != nil {
		return false, err
	}
	return false, a.project(ctx, f, 0)
}

func failed(f *flow, err error) error {
	return &targetError{flows: []*flow{f}, step: fmt.Sprintf("stage flow %q", f.Name), err: err}
}

// lockTarget keeps the appliers of other sources, and Forget, out of a target.
func (a *Applier) lockTarget(ctx context.Context, t *target) error {
	if err := a.conn.QueryRow(ctx, a.lockSQL(), t.id).Scan(&t.forgotten); err != nil {
		return fmt.Errorf("lock target: %w", err)
	}
	return nil
}

func (a *Applier) lockSQL() string {
	return fmt.Sprintf("SELECT forgotten FROM %s WHERE id = $1 FOR UPDATE", a.state.table("target"))
}

// lockAndRecall locks a target and then looks whether anything is remembered, in
// one round trip.
func (a *Applier) lockAndRecall(ctx context.Context, t *target) (remembers bool, err error) {
	queries := &pgx.Batch{}
	queries.Queue(a.lockSQL(), t.id)
	queries.Queue(fmt.Sprintf("SELECT EXISTS (SELECT FROM %s)", t.table.Shadow()))
	results := a.conn.SendBatch(ctx, queries)
	err = errors.Join(results.QueryRow().Scan(&t.forgotten), results.QueryRow().Scan(&remembers), results.Close())
	if err != nil {
		return false, fmt.Errorf("lock target: %w", err)
	}
	return remembers, nil
}

// countBeyond counts events that are older than what is still remembered.
func (a *Applier) countBeyond(ctx context.Context, t *target) error {
	if t.forgotten == nil {
		return nil
	}
	query := fmt.Sprintf(`UPDATE %s SET late_beyond_window = late_beyond_window + n
FROM (SELECT count(*) AS n FROM %s AS e WHERE e."__seq" <= CAST($2 AS %s)) AS late
WHERE id = $1 AND n > 0`, a.state.table("target"), t.table.Events(), t.table.SequenceType())
	if _, err := a.conn.Exec(ctx, query, t.id, *t.forgotten); err != nil {
		return fmt.Errorf("count events beyond the window of %s: %w", t.Name, err)
	}
	return nil
}

// project turns a flow's staged rows into events. end is that of the source
// transaction where it was not known when they were staged.
func (a *Applier) project(ctx context.Context, f *flow, end pglogrepl.LSN) error {
	s := f.statement(f.target.table, f.number)
	if err := a.expect(ctx, f, s, end); err != nil {
		return err
	}
	sql, err := a.gen.Project(s, end != 0)
	if err != nil {
		return err
	}
	if _, err := a.conn.Exec(ctx, sql, endArgs(end)...); err != nil {
		return fmt.Errorf("evaluate expressions: %w", err)
	}
	return nil
}

func endArgs(end pglogrepl.LSN) []any {
	if end == 0 {
		return nil
	}
	return []any{end.String()}
}

// contents are what a batch holds for a target.
type contents struct {
	Faulty, Truncates, Deletes, Chained, Partial, Remembers bool
	Events                                                  int64
}

func (a *Applier) look(ctx context.Context, t *target) (c contents, err error) {
	sql, err := a.gen.Statement("look", t.table, sqlgen.Variant{})
	if err != nil {
		return c, err
	}
	if err := a.conn.QueryRow(ctx, sql).Scan(&c.Faulty, &c.Truncates, &c.Deletes, &c.Chained, &c.Partial, &c.Remembers, &c.Events); err != nil {
		return c, fmt.Errorf("look at events of %s: %w", t.Name, err)
	}
	return c, nil
}

// nullFault finds the first row with a null key or sequence, and its flow.
func (a *Applier) nullFault(ctx context.Context, t *target) error {
	for _, f := range t.flows {
		if !f.staged {
			continue
		}
		if err := a.nullFaultOf(ctx, f); err != nil {
			return failed(f, err)
		}
	}
	return fmt.Errorf("an event of %s has a null key or sequence", t.Name)
}

func (a *Applier) nullFaultOf(ctx context.Context, f *flow) error {
	var end pglogrepl.LSN
	if a.spill != nil {
		end = a.spill.end
	}
	s := f.statement(f.target.table, f.number)
	sql, err := a.gen.Faults(s, end != 0)
	if err != nil {
		return err
	}
	rows, err := a.conn.Query(ctx, "SELECT x.key, x.null_key, x."+`"__lsn"`+" FROM ("+sql+"\n) AS x", endArgs(end)...)
	if err != nil {
		return fmt.Errorf("find null key or sequence: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[nullRow])
	if err != nil {
		return fmt.Errorf("find null key or sequence: %w", err)
	}
	for _, fault := range found {
		return fault.error(f, s)
	}
	return nil
}

type nullRow struct {
	Key     string
	NullKey *string
	LSN     *string
}

func (n nullRow) error(f *flow, s *sqlgen.Flow) error {
	e := &FlowError{Flow: f.Name, Target: f.target.Name.String(), Key: n.Key}
	if n.LSN != nil {
		e.Position, _ = pglogrepl.ParseLSN(*n.LSN)
	}
	if n.NullKey != nil {
		e.Column, e.Err = *n.NullKey, errNullKey
		e.Hint = "a key must not be null: choose other KEYS, or give the column a value at the source"
		return e
	}
	e.Err = fmt.Errorf("sequence is null: SEQUENCE BY %s", strings.Join(s.SequenceBy, ", "))
	e.Hint = "every event needs a sequence value: choose another SEQUENCE BY, or COALESCE it; a physical delete has only its key columns"
	return e
}

// mergeEvents brings the events of a target into it.
func (a *Applier) mergeEvents(ctx context.Context, t *target) error {
	c, err := a.look(ctx, t)
	if err != nil {
		return err
	}
	if c.Faulty {
		return a.nullFault(ctx, t)
	}
	return a.mergeContents(ctx, t, c)
}

// mergeContents brings them into it, when it is known what they are.
func (a *Applier) mergeContents(ctx context.Context, t *target, c contents) (err error) {
	if err := a.countBeyond(ctx, t); err != nil {
		return err
	}
	v := sqlgen.Variant{Truncates: c.Truncates, Chained: c.Chained, Remembers: c.Remembers, Large: large(c.Events)}
	switch t.Kind {
	case Bitemporal:
		return a.mergeBeliefs(ctx, t, v)
	case SCD1:
		err = a.mergeCurrentEvents(ctx, t, v, c)
	default:
		err = a.mergeHistory(ctx, t, v)
	}
	if err != nil || !c.Truncates {
		return err
	}
	return a.run(ctx, t, v, nil, "floor_add")
}

// mergeCurrentEvents folds where the row and a tombstone do not tell enough:
// events are partial, or ties between flows must be decided.
func (a *Applier) mergeCurrentEvents(ctx context.Context, t *target, v sqlgen.Variant, c contents) error {
	folds := t.Several || c.Partial
	if !folds && c.Remembers && t.partial() {
		var err error
		if folds, err = a.ask(ctx, t, v, "scd1_needs_fold"); err != nil {
			return err
		}
	}
	if folds {
		return a.foldCurrent(ctx, t, v)
	}
	return a.mergeLateCurrent(ctx, t, v, c.Deletes)
}

// ask runs a statement that answers yes or no.
func (a *Applier) ask(ctx context.Context, t *target, v sqlgen.Variant, name string) (yes bool, err error) {
	sql, err := a.gen.Statement(name, t.table, v)
	if err != nil {
		return false, err
	}
	if err := a.conn.QueryRow(ctx, sql).Scan(&yes); err != nil {
		return false, fmt.Errorf("look at events of %s: %w", t.Name, err)
	}
	return yes, nil
}

// partial says that events may carry less than all columns.
func (t *target) partial() bool {
	if t.Partial {
		return true
	}
	for _, f := range t.flows {
		if f.Feed != Snapshot && f.statement(t.table, f.number).Partial() {
			return true
		}
	}
	return false
}

func (a *Applier) mergeLateCurrent(ctx context.Context, t *target, v sqlgen.Variant, deletes bool) error {
	var names []string
	if v.Truncates {
		names = append(names, "scd1_late_truncate")
	}
	names = append(names, "scd1_late_merge")
	if deletes {
		names = append(names, "scd1_tombstones")
	}
	if v.Remembers || deletes {
		names = append(names, "scd1_superseded")
	}
	return a.run(ctx, t, v, nil, names...)
}

func (a *Applier) foldCurrent(ctx context.Context, t *target, v sqlgen.Variant) error {
	if err := a.readyFold(ctx, t); err != nil {
		return err
	}
	if err := a.run(ctx, t, v, nil, "scd1_fold_keys", "fold_events"); err != nil {
		return err
	}
	if err := a.fillFold(ctx, t); err != nil {
		return err
	}
	return a.run(ctx, t, v, nil, "fold_step", "scd1_fold_delete", "scd1_fold_write", "scd1_fold_forget", "scd1_fold_remember")
}

func (a *Applier) fillFold(ctx context.Context, t *target) error {
	partial, err := a.ask(ctx, t, sqlgen.Variant{}, "fold_partial")
	if err != nil || !partial || len(t.table.Values()) == 0 {
		return err
	}
	return a.run(ctx, t, sqlgen.Variant{}, nil, "fold_fill")
}
