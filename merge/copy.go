package merge

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/schema"
)

// Copy fills a flow's target from its source table, in one transaction with the
// flow's new position. read runs the given COPY … TO STDOUT on the source, inside
// the snapshot that belongs to at, and writes its output to w.
func (a *Applier) Copy(ctx context.Context, plan *Flow, at Point, read func(ctx context.Context, query string, w io.Writer) error) (rows int64, err error) {
	f := a.find(plan.Name)
	if f == nil {
		return 0, fmt.Errorf("copy flow %q: not a flow of this applier", plan.Name)
	}
	if _, err := a.StartOver(ctx, plan); err != nil {
		return 0, f.copyError(err)
	}
	if err := a.begin(ctx); err != nil {
		return 0, err
	}
	rows, err = a.copyFlow(ctx, f, at, read)
	if err == nil {
		failpoint.Pass(failpoint.CopyBrought)
		err = a.recordCopy(ctx, f, at)
	}
	if err != nil {
		a.rollback()
		return 0, f.copyError(err)
	}
	if _, err := a.conn.Exec(ctx, "COMMIT"); err != nil {
		a.rollback()
		return 0, f.copyError(err)
	}
	a.made = a.made[:0]
	f.status, f.pos, f.stamp, f.own = f.copied(), at.LSN, at.Stamp, true
	a.report([]*work{{target: f.target, counts: map[*flow]*Counts{f: {Upserts: rows}}}}, 0, 0, 0, at.Stamp)
	return rows, nil
}

// NotCopied records why a flow could not be copied, for those who ask for the
// status; it still needs a copy.
func (a *Applier) NotCopied(ctx context.Context, plan *Flow, cause error) error {
	return a.transact(ctx, func() error { return a.recordError(ctx, plan.Name, cause) })
}

func (f *flow) copyError(err error) error {
	var fe *FlowError
	if errors.As(err, &fe) {
		return fe
	}
	return fmt.Errorf("copy %s into %s for flow %q: %w", f.Rel.Name, f.target.Name, f.Name, err)
}

func (a *Applier) find(name string) *flow {
	for _, f := range a.flows {
		if f.Name == name {
			return f
		}
	}
	return nil
}

func (a *Applier) copyFlow(ctx context.Context, f *flow, at Point, read reader) (int64, error) {
	if f.target.Kind == Append {
		return a.copyAppend(ctx, f, at, read)
	}
	if f.target.direct {
		return a.copyDirect(ctx, f, at, read)
	}
	if err := a.lockTarget(ctx, f.target); err != nil {
		return 0, err
	}
	if err := a.ready(ctx, f.target); err != nil {
		return 0, err
	}
	if err := a.readyRaw(ctx, f); err != nil {
		return 0, err
	}
	rows, err := a.copyRaw(ctx, f, at, read)
	if err != nil || rows == 0 {
		return rows, err
	}
	if err := a.project(ctx, f, 0); err != nil {
		return 0, err
	}
	return rows, a.mergeEvents(ctx, f.target)
}

type reader = func(ctx context.Context, query string, w io.Writer) error

// copyDirect passes the source's rows through into the target as they are.
func (a *Applier) copyDirect(ctx context.Context, f *flow, at Point, read reader) (int64, error) {
	columns, values := f.directColumns(f.target.sequence(at))
	return a.pipe(ctx, f.copyQuery(values), copySQL(f.target.Name, columns), read)
}

// directColumns are those of the target that a copy fills, the sequence last, and what
// is read for them.
func (f *flow) directColumns(sequence string) (columns, values []string) {
	for i, c := range f.target.Columns {
		if f.Columns[i] == "" {
			continue
		}
		columns = append(columns, c.Name)
		values = append(values, schema.Ident(f.Columns[i]).String())
	}
	return append(columns, string(f.target.table.SeqColumn())), append(values, schema.Literal(sequence))
}

// copyRaw stages the source's rows.
func (a *Applier) copyRaw(ctx context.Context, f *flow, at Point, read reader) (int64, error) {
	var columns, values []string
	for _, c := range f.rel.Columns {
		columns = append(columns, c.Name)
		values = append(values, schema.Ident(c.Name).String())
	}
	columns = append(columns, "__op", "__lsn", "__commit_ts")
	values = append(values, "'snapshot'", schema.Literal(at.LSN.String()), schema.Literal(stampText(at.Stamp)))
	return a.pipe(ctx, f.copyQuery(values), copySQL(f.statement(f.target.table, f.number).Raw(), columns), read)
}

// copyQuery reads the source table. The rows of a feed come in ctid order.
func (f *flow) copyQuery(values []string) string {
	from := f.Rel.Name.String()
	if f.Rel.Kind != 'p' {
		from = "ONLY " + from
	}
	order := ""
	if f.Feed == Stream && f.Rel.Kind != 'p' {
		order = " ORDER BY ctid"
	}
	return fmt.Sprintf("COPY (SELECT %s FROM %s%s) TO STDOUT", strings.Join(values, ", "), from, order)
}

// pipeBytes are handed from one connection to the other at a time.
const pipeBytes = 64 << 10

// pipe streams from the source's COPY into the target's.
func (a *Applier) pipe(ctx context.Context, query, into string, read reader) (int64, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		buffered := bufio.NewWriterSize(w, pipeBytes) // the server sends row by row
		err := read(ctx, query, buffered)
		if err == nil {
			err = buffered.Flush()
		}
		_ = w.CloseWithError(err)
		done <- err
	}()
	tag, err := a.conn.PgConn().CopyFrom(ctx, r, into)
	_ = r.CloseWithError(err)
	readErr := <-done
	if readErr != nil && !errors.Is(readErr, io.ErrClosedPipe) && (err == nil || strings.Contains(err.Error(), readErr.Error())) {
		return 0, fmt.Errorf("read rows of the source: %w", readErr)
	}
	if err != nil {
		return 0, fmt.Errorf("write rows: %w", err)
	}
	return tag.RowsAffected(), nil
}

func (a *Applier) recordCopy(ctx context.Context, f *flow, at Point) error {
	batch := &pgx.Batch{}
	a.queueForget(batch, f)
	query := fmt.Sprintf(`UPDATE %s SET status = $3, position = $4, stamp = $5, error = NULL, error_at = NULL WHERE pipeline = $1 AND flow = $2`, a.state.table("flow"))
	batch.Queue(query, a.cfg.Pipeline, f.Name, f.copied(), at.LSN.String(), at.Stamp)
	if err := a.conn.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("record copy: %w", err)
	}
	return nil
}

// copied is the state of a flow whose first copy is done: one that runs ONCE rests.
func (f *Flow) copied() FlowStatus {
	if f.Once {
		return Done
	}
	return Streaming
}
