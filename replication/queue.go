package replication

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/autocdc/autocdc/merge/batch"
)

// idleEvery is how often a position without transactions is handed over.
const idleEvery = 2 * time.Second

// unit is how a transaction, or a piece of one, goes into the queue.
type unit struct {
	piece bool // more of it follows
	alone bool // it shares its batch with nothing
	bytes int  // of its tuples
	cost  int  // of memory
	stamp time.Time
}

// queue is the hand-over between the receiving goroutine (add, advance, close)
// and the one that calls next. Its bound is the receiver's to keep: cost says
// how much is queued, space tells when that was taken.
type queue struct {
	cost  atomic.Int64
	ready chan struct{} // something changed that next waits for
	space chan struct{} // something was taken

	mu      sync.Mutex
	batches []*batch.Batch
	costs   []int
	shut    bool // the last batch takes no more
	stamp   time.Time
	idle    pglogrepl.LSN // known to be received, not handed over
	handed  pglogrepl.LSN
	due     time.Time // when idle may be handed over
	urgent  bool      // at once
	closed  bool
	err     error
	drained chan struct{} // closed when next has returned err
}

func newQueue(from pglogrepl.LSN, stamp time.Time) *queue {
	return &queue{
		ready: make(chan struct{}, 1), space: make(chan struct{}, 1),
		drained: make(chan struct{}), handed: from, stamp: stamp,
	}
}

func signal(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// add queues a transaction, in the last batch if both may be joined.
func (q *queue) add(tx batch.Tx, u unit) {
	q.mu.Lock()
	n := len(q.batches) - 1
	if n < 0 || q.shut || u.alone {
		q.batches, q.costs = append(q.batches, &batch.Batch{Piece: u.piece}), append(q.costs, 0)
		n++
	}
	q.shut = u.alone
	b := q.batches[n]
	b.Txs, b.LSN, b.Stamp, b.Bytes = append(b.Txs, tx), tx.EndLSN, u.stamp, b.Bytes+u.bytes
	q.costs[n] += u.cost
	if !u.piece {
		q.stamp = u.stamp
	}
	q.cost.Add(int64(u.cost))
	q.mu.Unlock()
	signal(q.ready)
}

// advance says that everything that ends at or before lsn has been queued, and
// gives the stamp of the last commit, if it is a new one.
func (q *queue) advance(lsn pglogrepl.LSN, stamp time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !stamp.IsZero() {
		q.stamp = stamp
	}
	if n := len(q.batches) - 1; n >= 0 && !q.shut {
		b := q.batches[n]
		b.LSN, b.Stamp = max(b.LSN, lsn), q.stamp
		return
	}
	if lsn > max(q.idle, q.handed) {
		q.idle = lsn
		signal(q.ready)
	}
}

// hurry hands an idle position over at once: the server waits for it.
func (q *queue) hurry() {
	q.mu.Lock()
	q.urgent = true
	q.mu.Unlock()
	signal(q.ready)
}

// close ends the queue: next returns err once everything is handed over.
func (q *queue) close(err error) {
	q.mu.Lock()
	q.closed, q.err = true, err
	q.mu.Unlock()
	signal(q.ready)
}

// next waits for something to be queued and takes all of one batch.
func (q *queue) next(ctx context.Context) (*batch.Batch, error) {
	for {
		b, wait, err := q.poll(time.Now())
		if b != nil || err != nil {
			return b, err
		}
		if err := q.wait(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func (q *queue) wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-q.ready:
	case <-timer.C:
	}
	return nil
}

// poll is next without waiting; it says how long to wait at most.
func (q *queue) poll(now time.Time) (*batch.Batch, time.Duration, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.batches) > 0 {
		return q.pop(now), 0, nil
	}
	if q.idle > q.handed && (q.urgent || q.closed || !now.Before(q.due)) {
		return q.position(now), 0, nil
	}
	if q.closed {
		q.finish()
		return nil, 0, q.err
	}
	if q.idle > q.handed {
		return nil, q.due.Sub(now), nil
	}
	return nil, time.Hour, nil
}

func (q *queue) pop(now time.Time) *batch.Batch {
	b := q.batches[0]
	q.cost.Add(-int64(q.costs[0]))
	q.batches, q.costs = q.batches[1:], q.costs[1:]
	if len(q.batches) == 0 {
		q.batches, q.costs, q.shut = nil, nil, false
	}
	q.handed, q.due = max(q.handed, b.LSN), now.Add(idleEvery)
	signal(q.space)
	return b
}

func (q *queue) position(now time.Time) *batch.Batch {
	q.handed, q.due, q.urgent = q.idle, now.Add(idleEvery), false
	return &batch.Batch{LSN: q.idle, Stamp: q.stamp}
}

func (q *queue) finish() {
	select {
	case <-q.drained:
	default:
		close(q.drained)
	}
}
