package merge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/merge/sqlgen"
)

// spill is a source transaction that is staged in pieces within one target
// transaction and merged when its commit comes.
type spill struct {
	begun   time.Time
	end     pglogrepl.LSN
	bytes   int
	pieces  map[*target]*spilled
	ordered []*target
}

// spilled is what the pieces have brought for one target.
type spilled struct {
	work    *work // counts only
	rows    int64
	partial bool
	cleared bool
	clearAt string
}

// applyPiece stages a piece; with the last one the transaction is merged and
// committed. An error gives the whole transaction up.
func (a *Applier) applyPiece(ctx context.Context, b *batch.Batch) error {
	err := a.tryPiece(ctx, b)
	if err == nil {
		return nil
	}
	a.spill = nil
	a.rollback()
	var fault *targetError
	if !errors.As(err, &fault) || !dataFault(fault.err) && !isFlowError(fault.err) {
		return err
	}
	if err := a.stop(ctx, fault, b.Txs[0].EndLSN); err != nil {
		return err
	}
	return ErrReread
}

func (a *Applier) tryPiece(ctx context.Context, b *batch.Batch) error {
	if err := a.evolve(ctx, b.Txs); err != nil {
		return err
	}
	if a.spill == nil {
		if err := a.begin(ctx); err != nil {
			return err
		}
		a.spill = &spill{begun: time.Now(), pieces: map[*target]*spilled{}}
	}
	a.spill.bytes += b.Bytes
	for _, w := range a.sort(b.Txs) {
		if err := a.stagePiece(ctx, w); err != nil {
			return w.blame(err)
		}
	}
	failpoint.Pass(failpoint.PieceStaged)
	if b.Piece {
		return nil
	}
	return a.mergePieces(ctx, b)
}

func (a *Applier) stagePiece(ctx context.Context, w *work) error {
	if len(w.gone) > 0 {
		return a.removeGone(ctx, w) // the copy shows the whole transaction
	}
	s := a.spill.of(w)
	if !w.target.direct || w.target.Kind == Append {
		return a.stageRawPiece(ctx, w)
	}
	c, err := a.chain(ctx, w, s.rows)
	if err != nil {
		return err
	}
	if c.cleared {
		if err := a.clearPieces(ctx, w.target, s, c); err != nil {
			return err
		}
	}
	s.rows += int64(len(c.rows))
	s.partial = s.partial || c.partial
	return a.stageChains(ctx, w.target, c)
}

// clearPieces forgets what earlier pieces staged: the truncate ends it all.
func (a *Applier) clearPieces(ctx context.Context, t *target, s *spilled, c *chains) error {
	if !s.cleared {
		s.cleared, s.clearAt = true, c.clearAt
	}
	if err := a.ready(ctx, t); err != nil {
		return err
	}
	_, err := a.conn.Exec(ctx, fmt.Sprintf("DELETE FROM %s", t.table.Events()))
	return err
}

func (a *Applier) stageRawPiece(ctx context.Context, w *work) error {
	for _, f := range w.flowsOf() {
		if err := a.readyRaw(ctx, f); err != nil { // rows may start from what earlier pieces staged
			return failed(f, err)
		}
		rows, err := a.rawRows(ctx, f, w.items)
		if err != nil {
			return failed(f, err)
		}
		if err := a.stageRaw(ctx, f, rows); err != nil {
			return failed(f, err)
		}
	}
	return nil
}

func (s *spill) of(w *work) *spilled {
	p := s.pieces[w.target]
	if p == nil {
		p = &spilled{work: &work{target: w.target, counts: map[*flow]*Counts{}}}
		s.pieces[w.target] = p
		s.ordered = append(s.ordered, w.target)
	}
	for f, c := range w.counts {
		sum := p.work.counts[f]
		if sum == nil {
			sum = &Counts{}
			p.work.counts[f] = sum
		}
		sum.Upserts += c.Upserts
		sum.Deletes += c.Deletes
		sum.Truncates += c.Truncates
	}
	return p
}

func (a *Applier) mergePieces(ctx context.Context, b *batch.Batch) error {
	sp := a.spill
	sp.end = b.Txs[0].EndLSN
	var all []*work
	for _, t := range a.targets {
		p := sp.pieces[t]
		if p == nil {
			continue
		}
		if err := a.mergePiece(ctx, t, p); err != nil {
			return p.work.blame(err)
		}
		all = append(all, p.work)
	}
	failpoint.Pass(failpoint.PiecesMerged)
	if err := a.finish(ctx, b.LSN, b.Stamp); err != nil {
		return err
	}
	a.spill = nil
	a.received = max(a.received, b.LSN)
	a.report(all, 1, sp.bytes, time.Since(sp.begun), b.Stamp)
	return nil
}

func (a *Applier) mergePiece(ctx context.Context, t *target, p *spilled) error {
	if t.Kind == Append {
		return a.appendAll(ctx, p.work, a.spill.end)
	}
	if t.direct {
		v := sqlgen.Variant{Spilled: true, Partial: p.partial, Large: large(p.rows)}
		if p.partial {
			if err := a.run(ctx, t, v, nil, "spilled_index", "spilled_fill"); err != nil {
				return err
			}
		}
		return a.mergeDirect(ctx, t, v, p.cleared, p.clearAt)
	}
	if err := a.lockTarget(ctx, t); err != nil {
		return err
	}
	if err := a.ready(ctx, t); err != nil {
		return err
	}
	for _, f := range p.work.flowsOf() {
		if err := a.project(ctx, f, a.spill.end); err != nil {
			return failed(f, err)
		}
	}
	return a.mergeEvents(ctx, t)
}
