package merge

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge/sqlgen"
	"github.com/autocdc/autocdc/schema"
)

// Violation is what becomes of a row for which an expectation does not hold.
type Violation int

// The violations; whichever it is, they are counted.
const (
	Warn Violation = iota
	DropRow
	FailUpdate
)

// Expectation is a condition on the rows that a flow brings for insert or update; null
// is a violation.
type Expectation struct {
	Name        string
	Condition   string   // SQL over the flow's rows; over the query's where Kind is Append
	Of          []string // source columns that it mentions
	OnViolation Violation
}

// Expected counts rows for which an expectation held, and for which it did not.
type Expected struct {
	Name           string
	Passed, Failed int64
}

func expectations(list []Expectation) []sqlgen.Expectation {
	out := make([]sqlgen.Expectation, len(list))
	for i, e := range list {
		out[i] = sqlgen.Expectation{Name: e.Name, Condition: e.Condition, Of: e.Of, Drop: e.OnViolation == DropRow}
	}
	return out
}

// expectedRows is an empty relation with the columns of the rows that are tested.
func (f *Flow) expectedRows() string {
	if f.Feed != Snapshot {
		return sqlgen.NoRows(f.statement(f.Target.table(0, ""), 0))
	}
	var columns []Column
	for i, c := range f.Target.Columns {
		if f.Columns[i] != "" {
			columns = append(columns, c)
		}
	}
	return sqlgen.NoColumns(statementColumns(columns))
}

// expect tests what is staged for a flow. end is as in project.
func (a *Applier) expect(ctx context.Context, f *flow, s *sqlgen.Flow, end pglogrepl.LSN) error {
	if len(f.Expectations) == 0 {
		return nil
	}
	sql, err := a.gen.Expect(s, end != 0)
	if err != nil {
		return err
	}
	if s.Appends() && !s.WantsEnd() {
		end = 0
	}
	failing, err := a.test(ctx, f.Flow, sql, endArgs(end)...)
	if err != nil || failing < 0 {
		return err
	}
	return a.unexpected(ctx, f, s, failing, end)
}

// test counts and records; it returns the number of a violated expectation that fails
// the update, or -1.
func (a *Applier) test(ctx context.Context, f *Flow, sql string, args ...any) (failing int, err error) {
	counts := make([]int64, len(f.Expectations)+1)
	dest := make([]any, len(counts))
	for i := range counts {
		dest[i] = &counts[i]
	}
	if err := a.conn.QueryRow(ctx, sql, args...).Scan(dest...); err != nil {
		return -1, fmt.Errorf("test expectations: %w", err)
	}
	total := counts[0]
	var found []Expected
	for i, e := range f.Expectations {
		if counts[i+1] > 0 && e.OnViolation == FailUpdate {
			return i, nil
		}
		found = append(found, Expected{Name: e.Name, Passed: total - counts[i+1], Failed: counts[i+1]})
	}
	if total == 0 {
		return -1, nil
	}
	a.expected[f.Name] = append(a.expected[f.Name], found...)
	return -1, a.recordExpected(ctx, f, found)
}

// recordExpected adds to the counts, in the transaction that merges the rows.
func (a *Applier) recordExpected(ctx context.Context, f *Flow, found []Expected) error {
	query := fmt.Sprintf(`INSERT INTO %s AS e (flow_id, expectation, passed, failed)
SELECT f.id, $3, $4, $5 FROM %s AS f WHERE f.pipeline = $1 AND f.flow = $2
ON CONFLICT (flow_id, expectation) DO UPDATE SET passed = e.passed + EXCLUDED.passed, failed = e.failed + EXCLUDED.failed`,
		a.state.table("expectation"), a.state.table("flow"))
	queries := &pgx.Batch{}
	for _, e := range found {
		queries.Queue(query, a.cfg.Pipeline, f.Name, e.Name, e.Passed, e.Failed)
	}
	if err := a.conn.SendBatch(ctx, queries).Close(); err != nil {
		return fmt.Errorf("count rows that were not as expected: %w", err)
	}
	return nil
}

// unexpected tells which row fails the update.
func (a *Applier) unexpected(ctx context.Context, f *flow, s *sqlgen.Flow, number int, end pglogrepl.LSN) error {
	fault := f.violated(number)
	if s.Appends() {
		return fault
	}
	sql, err := a.gen.Unexpected(s, end != 0, number)
	if err != nil {
		return err
	}
	var lsn *string
	if err := a.conn.QueryRow(ctx, sql, endArgs(end)...).Scan(&fault.Key, &lsn); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("find the row that is not as expected: %w", err)
	}
	if lsn != nil {
		fault.Position, _ = pglogrepl.ParseLSN(*lsn)
	}
	return fault
}

func (f *Flow) violated(number int) *FlowError {
	e := f.Expectations[number]
	return &FlowError{
		Flow: f.Name, Target: f.Target.Name.String(), Err: fmt.Errorf("a row is not as expected: CONSTRAINT %s EXPECT (%s)", schema.Ident(e.Name), e.Condition),
		Hint: "ON VIOLATION DROP ROW leaves such rows out, and without ON VIOLATION they are let through; both count them",
	}
}

// expectSnapshot tests the staged rows of a snapshot, and removes those that are dropped.
func (c *comparison) expectSnapshot(ctx context.Context) error {
	f := c.staged.Flow
	if len(f.Expectations) == 0 {
		return nil
	}
	sql, err := c.gen.Compare("snapshot_expected", c.plan)
	if err != nil {
		return err
	}
	failing, err := c.test(ctx, f, sql)
	switch {
	case err != nil:
		return err
	case failing >= 0:
		fault := f.violated(failing)
		return c.fault(fault.Err, fault.Hint)
	case c.plan.Drops() == "":
		return nil
	}
	if sql, err = c.gen.Compare("snapshot_drop", c.plan); err != nil {
		return err
	}
	tag, err := c.conn.Exec(ctx, sql)
	if err != nil {
		return fmt.Errorf("drop rows that are not as expected: %w", err)
	}
	fewer := *c.staged // a comparison that is tried again finds all of them
	fewer.Rows -= tag.RowsAffected()
	c.staged = &fewer
	return nil
}

// tellExpected hands over what was counted in a transaction that has been committed.
func (a *Applier) tellExpected(flow string) []Expected {
	told := a.expected[flow]
	delete(a.expected, flow)
	for _, e := range told {
		if e.Failed > 0 {
			a.cfg.Log.Warn("rows are not as expected", "flow", flow, "expectation", e.Name, "rows", e.Failed)
		}
	}
	return told
}
