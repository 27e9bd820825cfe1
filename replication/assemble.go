package replication

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"github.com/jackc/pglogrepl"

	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
)

// What a change and a transaction take beside their tuples.
const (
	changeCost = int(unsafe.Sizeof(batch.Change{}))
	txCost     = int(unsafe.Sizeof(batch.Tx{}))
	slab       = 512 // changes allocated at a time
)

// assembler puts changes together to transactions and those into the queue. It
// is for the receiving goroutine.
type assembler struct {
	q      *queue
	until  pglogrepl.LSN // 0: endless
	clock  stampClock
	floors []batch.Point
	mem    arena

	open    bool
	tx      batch.Tx
	changes []batch.Change // of the open transaction, at the end of a slab
	bytes   int            // its tuples
	cost    int            // its memory
	split   bool           // pieces of it have been queued
	marked  bool           // it holds a message of ours

	reached bool // everything up to until is queued
	count   *counts
}

func (a *assembler) begin(commitLSN pglogrepl.LSN, micros int64, xid uint32) error {
	if a.open {
		return errors.New("the transaction before has not ended")
	}
	if a.until != 0 && commitLSN >= a.until {
		a.reach(a.until)
		return nil
	}
	a.open = true
	a.raise(commitLSN)
	a.tx = batch.Tx{XID: xid, CommitLSN: commitLSN, Stamp: a.clock.stamp(micros, time.Now())}
	a.bytes, a.cost, a.split, a.marked = 0, txCost, false, false
	return nil
}

// mark has the open transaction handed over even if it changes nothing.
func (a *assembler) mark() { a.marked = a.open }

// raise lifts the series of stamps over the floors that lie behind.
func (a *assembler) raise(commitLSN pglogrepl.LSN) {
	for _, f := range a.floors {
		if f.LSN <= commitLSN {
			a.clock.last = max(a.clock.last, f.Stamp.UnixMicro())
		}
	}
}

// change adds one change; the tuples are copied.
func (a *assembler) change(rel *schema.Relation, op batch.Op, old, row batch.Tuple) error {
	if !a.open {
		return errors.New("no transaction has begun")
	}
	mem := a.mem.copy(old, row)
	c := batch.Change{Rel: rel, Op: op}
	if old != nil {
		c.Old = mem[:len(old):len(old)]
	}
	if row != nil {
		c.New = mem[len(old):]
	}
	a.push(c)
	a.bytes += len(mem)
	a.cost += len(mem) + changeCost
	a.count.changes.Add(1)
	return nil
}

func (a *assembler) push(c batch.Change) {
	if len(a.changes) == cap(a.changes) {
		grown := make([]batch.Change, len(a.changes), max(slab, len(a.changes)*3/2))
		copy(grown, a.changes)
		a.changes = grown
	}
	a.changes = append(a.changes, c)
}

// take empties the slab of the open transaction's changes.
func (a *assembler) take() []batch.Change {
	n := len(a.changes)
	taken := a.changes[:n:n]
	a.changes = a.changes[n:]
	return taken
}

// cut queues what there is of the open transaction as a piece.
func (a *assembler) cut() {
	piece := a.tx
	piece.Changes = a.take()
	a.q.add(piece, unit{piece: true, alone: true, bytes: a.bytes, cost: a.cost, stamp: a.clock.time()})
	a.bytes, a.cost, a.split = 0, txCost, true
}

func (a *assembler) commit(commitLSN, endLSN pglogrepl.LSN) error {
	if a.reached {
		return nil
	}
	if !a.open {
		return errors.New("no transaction has begun")
	}
	if endLSN < commitLSN || endLSN == 0 {
		return fmt.Errorf("it ends at %s, before its commit at %s", endLSN, commitLSN)
	}
	a.clock.last = a.tx.Stamp.UnixMicro()
	a.queue(endLSN)
	a.open, a.cost = false, 0
	if a.until != 0 && endLSN >= a.until {
		a.reach(endLSN)
	}
	return nil
}

func (a *assembler) queue(endLSN pglogrepl.LSN) {
	if len(a.changes) == 0 && !a.split && !a.marked {
		a.q.advance(endLSN, a.tx.Stamp)
		return
	}
	tx := a.tx
	tx.EndLSN, tx.Changes = endLSN, a.take()
	a.q.add(tx, unit{alone: a.split, bytes: a.bytes, cost: a.cost, stamp: tx.Stamp})
	a.count.txs.Add(1)
}

// keepalive tells that the server has nothing more that ends at or before
// walEnd; within a transaction that says nothing.
func (a *assembler) keepalive(walEnd pglogrepl.LSN) {
	if a.open {
		return
	}
	a.q.advance(walEnd, time.Time{})
	if a.until != 0 && walEnd >= a.until {
		a.reach(walEnd)
	}
}

func (a *assembler) reach(lsn pglogrepl.LSN) {
	a.q.advance(lsn, time.Time{})
	a.reached = true
}
