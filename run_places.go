package autocdc

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/replication"
)

// places are the snapshots that wait for the stream of a source to come to their
// place. one and reserve are for any goroutine, the rest for the one that applies.
type places struct {
	mu      sync.Mutex // held while a batch is applied, or a place is found
	waiting []*placed

	copying sync.Mutex // one copy at a time, since each needs a slot

	last merge.Point // of the last commit that the applier was given
	g    sync.WaitGroup
	errs chan error
}

// startPlaces begins to take the snapshots of the source's positioned flows. In a
// triggered run they have been taken when it returns, so that the stream's end lies
// behind them.
func (s *sourceRun) startPlaces(ctx context.Context, applier *merge.Applier, slot string) *places {
	p := &places{errs: make(chan error, len(s.snapshots))}
	p.last.LSN, p.last.Stamp = applier.Start()
	var staged sync.WaitGroup
	for _, r := range s.snapshots {
		flow := &positioned{snapshotRun: r, source: s, slot: slot, queue: p}
		staged.Add(1)
		p.g.Go(func() { p.errs <- flow.loop(ctx, sync.OnceFunc(staged.Done)) })
	}
	if s.opts.Triggered {
		staged.Wait()
	}
	return p
}

// wait returns the errors of the flows when all have ended.
func (p *places) wait() []error {
	p.g.Wait()
	close(p.errs)
	var errs []error
	for err := range p.errs {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// one takes one snapshot at a time.
func (p *places) one(take func() (*placed, error)) (*placed, error) {
	p.copying.Lock()
	defer p.copying.Unlock()
	return take()
}

// reserve makes a slot, whose place is that of the snapshot. Meanwhile the stream
// stands still, so that it cannot have gone past that place before it is known.
func (p *places) reserve(s *placed, create func() (*replication.Export, error)) (*replication.Export, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	export, err := create()
	if err != nil {
		return nil, err
	}
	s.at = export.LSN
	p.waiting = append(p.waiting, s)
	return export, nil
}

// split cuts off the part of a batch that a waiting snapshot has seen, and returns
// the snapshot, if the stream is at its place after that part.
func (p *places) split(b *batch.Batch) (seen, rest *batch.Batch, s *placed) {
	for i, w := range p.waiting {
		if n, reached := seenBy(w.at, b); reached {
			p.waiting = append(p.waiting[:i:i], p.waiting[i+1:]...)
			seen, rest = divide(b, n)
			return seen, rest, w
		}
	}
	return b, nil, nil
}

// seenBy counts the transactions of a batch that end at or before a place, and
// tells whether none after them will.
func seenBy(at pglogrepl.LSN, b *batch.Batch) (n int, reached bool) {
	if b.Piece {
		return 0, b.Txs[0].CommitLSN >= at
	}
	for n < len(b.Txs) && b.Txs[n].EndLSN <= at {
		n++
	}
	return n, n < len(b.Txs) || b.LSN >= at
}

// divide cuts a batch after n transactions; a part with none is nil.
func divide(b *batch.Batch, n int) (seen, rest *batch.Batch) {
	switch n {
	case 0:
		return nil, b
	case len(b.Txs):
		return b, nil
	}
	last := b.Txs[n-1]
	seen = &batch.Batch{Txs: b.Txs[:n], LSN: last.EndLSN, Stamp: last.Stamp, Bytes: b.Bytes}
	return seen, &batch.Batch{Txs: b.Txs[n:], LSN: b.LSN, Stamp: b.Stamp}
}

// apply applies a batch, with the snapshots whose place lies in it; it waits there
// for those that are still being copied.
func (p *places) apply(ctx context.Context, b *batch.Batch, applier *merge.Applier) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for b != nil {
		seen, rest, s := p.split(b)
		if seen != nil {
			if err := applier.Apply(ctx, seen); err != nil {
				return fmt.Errorf("apply batch ending at %s: %w", seen.LSN, err)
			}
			p.passed(seen)
		}
		if s != nil {
			select {
			case <-s.ready:
			case <-ctx.Done():
				return ctx.Err()
			}
			p.compare(ctx, applier, s)
		}
		b = rest
	}
	return nil
}

func (p *places) passed(b *batch.Batch) {
	if n := len(b.Txs); n > 0 && !b.Piece {
		p.last = merge.Point{LSN: b.Txs[n-1].EndLSN, Stamp: b.Txs[n-1].Stamp}
	}
}

// compare brings a snapshot into its target, as of the last commit that it saw.
func (p *places) compare(ctx context.Context, applier *merge.Applier, s *placed) {
	if s.staged == nil {
		return // it could not be copied
	}
	s.staged.AcceptDeletes = s.run.accept
	began := time.Now()
	done, err := applier.CompareAt(ctx, s.staged, p.last)
	if err == nil {
		s.run.compared(s.staged, done, began)
		err = s.comparer.Applied(ctx, s.staged)
	}
	s.done <- err
}
