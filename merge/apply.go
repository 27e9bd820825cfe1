package merge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/merge/batch"
)

// Apply applies a batch. Flows that fail on their data are stopped and recorded;
// any other error leaves the target as it was before the batch (Retryable tells
// whether trying again makes sense, with a new Applier and from its Start).
// Pieces are staged until the last one comes.
func (a *Applier) Apply(ctx context.Context, b *batch.Batch) error {
	if b.Piece || a.spill != nil {
		return a.applyPiece(ctx, b)
	}
	if len(b.Txs) > 0 {
		if err := a.applyTxs(ctx, b.Txs, b.LSN, b.Stamp, b.Bytes); err != nil {
			return err
		}
	}
	a.received = max(a.received, b.LSN)
	return nil
}

// applyTxs applies whole transactions. If a flow fails on its data, the
// transactions are halved until one is left, and the flow stops before that one.
func (a *Applier) applyTxs(ctx context.Context, txs []batch.Tx, lsn pglogrepl.LSN, stamp time.Time, bytes int) error {
	err := a.tryTxs(ctx, txs, lsn, stamp, bytes)
	var fault *targetError
	if !errors.As(err, &fault) || !dataFault(fault.err) && !isFlowError(fault.err) {
		return err
	}
	if len(txs) > 1 {
		half := len(txs) / 2
		last := txs[half-1]
		if err := a.applyTxs(ctx, txs[:half], last.EndLSN, last.Stamp, bytes/2); err != nil {
			return err
		}
		return a.applyTxs(ctx, txs[half:], lsn, stamp, bytes/2)
	}
	if err := a.stop(ctx, fault, txs[0].EndLSN); err != nil {
		return err
	}
	return a.applyTxs(ctx, txs, lsn, stamp, bytes)
}

func isFlowError(err error) bool {
	var fe *FlowError
	return errors.As(err, &fe)
}

func (a *Applier) tryTxs(ctx context.Context, txs []batch.Tx, lsn pglogrepl.LSN, stamp time.Time, bytes int) error {
	if err := a.evolve(ctx, txs); err != nil {
		return err
	}
	work := a.sort(txs)
	if len(work) == 0 && a.level(lsn) {
		return nil // nothing for any flow: the position moves with the next batch that has something
	}
	begun := time.Now()
	if err := a.begin(ctx); err != nil {
		return err
	}
	for _, w := range work {
		if err := a.applyTarget(ctx, w); err != nil {
			a.rollback()
			return err
		}
		failpoint.Pass(failpoint.TargetMerged)
	}
	if err := a.finish(ctx, lsn, stamp); err != nil {
		return err
	}
	a.report(work, len(txs), bytes, time.Since(begun), stamp)
	return nil
}

// level says that no flow is catching up, so that a batch without work changes
// nothing that must be durable.
func (a *Applier) level(lsn pglogrepl.LSN) bool {
	for _, f := range a.flows {
		if f.status == Streaming && f.pos < a.checkpoint && f.pos < lsn {
			return false
		}
	}
	return true
}

func (a *Applier) report(work []*work, txs, bytes int, took time.Duration, stamp time.Time) {
	counts := map[string]Counts{}
	for _, w := range work {
		for f, c := range w.counts {
			c.Expected = a.tellExpected(f.Name)
			counts[f.Name] = *c
		}
	}
	if a.cfg.Observer == nil {
		return
	}
	a.cfg.Observer.Applied(counts, txs, bytes, took, stamp)
}

// stop records that the flows of a fault stand before the transaction that ends
// at lsn.
func (a *Applier) stop(ctx context.Context, fault *targetError, lsn pglogrepl.LSN) error {
	for _, f := range fault.flows {
		err := f.fault(fault.err, lsn)
		if err := a.recordStop(ctx, f, err); err != nil {
			return err
		}
		f.status, f.err = Stopped, err
		a.cfg.Log.Error("flow stopped", "flow", f.Name, "lsn", lsn.String(), "error", err)
		if a.cfg.Observer != nil {
			a.cfg.Observer.FlowStopped(f.Name, err)
		}
	}
	return nil
}

func (f *flow) fault(cause error, lsn pglogrepl.LSN) error {
	var fe *FlowError
	if errors.As(cause, &fe) {
		return fe
	}
	return &FlowError{Flow: f.Name, Target: f.target.Name.String(), Position: lsn, Err: cause}
}

func (a *Applier) recordStop(ctx context.Context, f *flow, cause error) error {
	p := Point{LSN: f.pos, Stamp: f.stamp}
	if f.pos == a.checkpoint {
		p.Stamp = a.stamp
	}
	f.stamp = p.Stamp
	return a.transact(ctx, func() error {
		query := fmt.Sprintf(`UPDATE %s SET status = $3, position = $4, stamp = $5, error = $6, error_at = now() WHERE pipeline = $1 AND flow = $2`, a.state.table("flow"))
		_, err := a.conn.Exec(ctx, query, a.cfg.Pipeline, f.Name, Stopped, p.LSN.String(), p.Stamp, cause.Error())
		if err != nil {
			return fmt.Errorf("record that flow %q stopped: %w", f.Name, err)
		}
		failpoint.Pass(failpoint.FlowStopped)
		return nil
	})
}
