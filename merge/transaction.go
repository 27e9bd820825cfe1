package merge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/config/failpoint"
)

// transact runs work in a target transaction that holds the source's row, and
// with it the right to write. An error rolls it back.
func (a *Applier) transact(ctx context.Context, work func() error) error {
	if a.held {
		return work()
	}
	if err := a.begin(ctx); err != nil {
		return err
	}
	if err := work(); err != nil {
		a.rollback()
		return err
	}
	if _, err := a.conn.Exec(ctx, "COMMIT"); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	a.made = a.made[:0]
	return nil
}

// begin starts the transaction and locks the source's row, in one round trip.
func (a *Applier) begin(ctx context.Context) error {
	a.expected = map[string][]Expected{}
	batch := &pgx.Batch{}
	batch.Queue("BEGIN")
	a.queueFence(batch)
	results := a.conn.SendBatch(ctx, batch)
	err := a.readFence(results)
	if err = errors.Join(err, results.Close()); err != nil {
		a.rollback()
		return fmt.Errorf("begin batch: %w", err)
	}
	failpoint.Pass(failpoint.BatchBegun)
	return nil
}

// queueFence reads the token that is compared before anything is written.
func (a *Applier) queueFence(batch *pgx.Batch) {
	if a.snapshot {
		query := fmt.Sprintf(`SELECT fence FROM %s WHERE pipeline = $1 AND flow = $2 FOR UPDATE`, a.state.table("flow"))
		batch.Queue(query, a.cfg.Pipeline, a.flows[0].Name)
		return
	}
	query := fmt.Sprintf(`SELECT fence FROM %s WHERE pipeline = $1 AND source = $2 FOR UPDATE`, a.state.table("source"))
	batch.Queue(query, a.cfg.Pipeline, a.cfg.Source)
}

func (a *Applier) readFence(results pgx.BatchResults) error {
	if _, err := results.Exec(); err != nil {
		return err
	}
	var fence int64
	if err := results.QueryRow().Scan(&fence); err != nil {
		if a.snapshot && errors.Is(err, pgx.ErrNoRows) {
			return nil // the flow is about to be recorded
		}
		return err
	}
	if fence != a.state.fence {
		return ErrFenced
	}
	return nil
}

// rollback also takes back the temporary tables that the transaction made.
func (a *Applier) rollback() {
	a.unready()
	if a.conn.IsClosed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_, _ = a.conn.Exec(ctx, "ROLLBACK")
}

func (a *Applier) unready() {
	for _, flag := range a.made {
		*flag = false
	}
	a.made = a.made[:0]
}

// finish writes the checkpoint and the positions of flows that differ from it,
// and commits, in one round trip.
func (a *Applier) finish(ctx context.Context, lsn pglogrepl.LSN, stamp time.Time) error {
	moved := a.moved(lsn, stamp)
	batch := &pgx.Batch{}
	batch.Queue(fmt.Sprintf(`UPDATE %s SET checkpoint = $3, stamp = $4, updated_at = now() WHERE pipeline = $1 AND source = $2`, a.state.table("source")),
		a.cfg.Pipeline, a.cfg.Source, moved.point.LSN.String(), moved.point.Stamp)
	for f, p := range moved.flows {
		a.queuePosition(batch, f, p)
	}
	for _, f := range a.flows {
		if f.passed(moved) {
			a.queueForget(batch, f)
		}
	}
	batch.Queue("COMMIT")
	failpoint.Pass(failpoint.BatchMerged)
	if err := a.conn.SendBatch(ctx, batch).Close(); err != nil {
		a.rollback()
		return fmt.Errorf("commit batch ending at %s: %w", lsn, err)
	}
	failpoint.Pass(failpoint.BatchCommitted)
	a.settle(moved)
	return nil
}

// queuePosition writes a position of the flow's own, or null where it is the source's.
func (a *Applier) queuePosition(batch *pgx.Batch, f *flow, p Point) {
	query := fmt.Sprintf(`UPDATE %s SET status = $3, position = $4, stamp = $5, error = NULL, error_at = NULL WHERE pipeline = $1 AND flow = $2`, a.state.table("flow"))
	if p.LSN == 0 {
		batch.Queue(query, a.cfg.Pipeline, f.Name, Streaming, nil, nil)
		return
	}
	batch.Queue(query, a.cfg.Pipeline, f.Name, Streaming, p.LSN.String(), p.Stamp)
}

// movement is where a batch takes the source and the flows.
type movement struct {
	point Point
	flows map[*flow]Point // only those whose row changes; LSN 0: follows the source
	all   map[*flow]pglogrepl.LSN
}

func (a *Applier) moved(lsn pglogrepl.LSN, stamp time.Time) movement {
	m := movement{point: Point{LSN: a.checkpoint, Stamp: a.stamp}, flows: map[*flow]Point{}, all: map[*flow]pglogrepl.LSN{}}
	if lsn > a.checkpoint {
		m.point = Point{LSN: lsn, Stamp: stamp}
	}
	for _, f := range a.flows {
		if f.status != Streaming {
			continue
		}
		m.all[f] = max(f.pos, lsn)
		switch {
		case m.all[f] == m.point.LSN && f.own:
			m.flows[f] = Point{} // caught up
		case m.all[f] < m.point.LSN:
			m.flows[f] = Point{LSN: m.all[f], Stamp: stamp} // still catching up
		}
	}
	return m
}

func (a *Applier) settle(m movement) {
	a.made = a.made[:0]
	a.checkpoint, a.stamp = m.point.LSN, m.point.Stamp
	for f, lsn := range m.all {
		if f.passed(m) {
			f.points = nil
		}
		f.pos = lsn
		if p, ok := m.flows[f]; ok {
			f.stamp, f.own = p.Stamp, p.LSN != 0
		}
	}
}
