// Package batch is the vocabulary in which replication, snapshot and merge
// meet: positions, changes, transactions and batches. It holds values only; it
// does no I/O and starts nothing.
package batch

import (
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/autocdc/autocdc/schema"
)

// Op is what a change did to its row, or to all rows of its table.
type Op byte

// The operations of a change.
const (
	Snapshot Op = 's' // a row of the initial copy
	Insert   Op = 'i'
	Update   Op = 'u'
	Delete   Op = 'd'
	Truncate Op = 't' // of the whole table; no tuples
)

// String returns the value of the column __op.
func (o Op) String() string {
	switch o {
	case Snapshot:
		return "snapshot"
	case Insert:
		return "insert"
	case Update:
		return "update"
	case Delete:
		return "delete"
	case Truncate:
		return "truncate"
	}
	return "unknown"
}

// Change is one change of one row of a source table.
type Change struct {
	Rel *schema.Relation // the table as of this change; pointer-equal while its shape is the same
	Op  Op
	Old Tuple // nil unless the WAL carries it: key columns only, or all under replica identity full
	New Tuple // nil for Delete and Truncate
}

// Tx is one source transaction, whole or a piece of one.
type Tx struct {
	XID       uint32
	CommitLSN pglogrepl.LSN // start of the commit record; known from the first piece on
	EndLSN    pglogrepl.LSN // end of the commit record; 0 in a piece that is not the last
	Stamp     time.Time     // commit time made strictly ascending, microseconds, UTC
	Changes   []Change      // in WAL order
}

// Point is a place in the WAL with the stamp that belongs to it: what ends at or
// before LSN has been given stamps up to Stamp.
type Point struct {
	LSN   pglogrepl.LSN
	Stamp time.Time
}

// Batch is what is applied together: whole transactions in commit order, or a
// piece of one transaction too large for memory.
type Batch struct {
	Txs   []Tx
	Piece bool          // Txs holds one Tx that goes on in the next batch
	LSN   pglogrepl.LSN // everything that ends at or before it has been received; 0 in a Piece
	Stamp time.Time     // the stamp of the last commit seen, published or not
	Bytes int           // size of all tuples
}
