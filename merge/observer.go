package merge

import (
	"context"
	"time"
)

// TypeNamer names types of the source by OID and modifier, as format_type does
// there, mapped to what the target has. Used when a column appears in the WAL.
type TypeNamer interface {
	TypeName(ctx context.Context, oid uint32, mod int32) (string, error)
}

// Counts are rows as the merge classified them.
type Counts struct {
	Upserts, Deletes, Truncates, Late int64

	Expected []Expected
}

// Observer is told what an Applier did; its methods must not block.
type Observer interface {
	// Applied reports a batch: counts per flow, transactions, bytes, the time the
	// target needed, and the stamp of the batch's last commit.
	Applied(counts map[string]Counts, txs, bytes int, took time.Duration, stamp time.Time)
	// FlowStopped reports a flow that has been cut out.
	FlowStopped(flow string, err error)
}
