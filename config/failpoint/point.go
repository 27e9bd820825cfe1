// Package failpoint names the places of the pipeline at which tests end a run, as
// a power cut would. In a binary built without the tag failpoints, which is every
// one that users get, Pass is an empty function that the compiler removes, and no
// environment variable is read.
package failpoint

// Point is a place that a run passes.
type Point string

// The points, in the order in which a run comes past them first.
const (
	StateLocked     Point = "state.locked"     // this run is the only one
	PublicationMade Point = "publication.made" // the slot is not
	SlotNamed       Point = "slot.named"       // in the target, before there is one
	SlotMade        Point = "slot.made"        // the target does not know where it starts
	SlotSaved       Point = "slot.saved"
	TargetsMaking   Point = "targets.making" // made, but not committed
	TargetsMade     Point = "targets.made"
	CopyFrozen      Point = "copy.frozen"  // tables are locked, the snapshot is taken
	CopyBrought     Point = "copy.brought" // the rows are written, but not committed
	PartBrought     Point = "part.brought" // the same of a range of pages
	PartRecorded    Point = "part.recorded"
	CopyRecorded    Point = "copy.recorded"
	StreamStarted   Point = "stream.started"
	BatchReceived   Point = "batch.received"
	BatchBegun      Point = "batch.begun"
	TargetMerged    Point = "target.merged" // one of those in the batch
	PieceStaged     Point = "piece.staged"  // of a transaction larger than memory
	PiecesMerged    Point = "pieces.merged"
	BatchMerged     Point = "batch.merged" // all targets are, the position is not written
	BatchCommitted  Point = "batch.committed"
	BatchAcked      Point = "batch.acked"
	StatusSent      Point = "status.sent"     // the source knows
	ShapeFollowed   Point = "shape.followed"  // not committed
	FlowStopped     Point = "flow.stopped"    // not committed
	SnapshotPlaced  Point = "snapshot.placed" // its slot is made
	SnapshotStaged  Point = "snapshot.staged"
	SnapshotMerged  Point = "snapshot.merged" // not committed
	SnapshotApplied Point = "snapshot.applied"
	RefreshFilled   Point = "refresh.filled"
	RefreshSwapped  Point = "refresh.swapped" // not committed
	Refreshed       Point = "refreshed"
	Forgotten       Point = "forgotten" // some of what late events would need
)

// Points lists them all.
func Points() []Point {
	return []Point{
		StateLocked, PublicationMade, SlotNamed, SlotMade, SlotSaved, TargetsMaking, TargetsMade,
		CopyFrozen, CopyBrought, PartBrought, PartRecorded, CopyRecorded,
		StreamStarted, BatchReceived, BatchBegun, TargetMerged, PieceStaged, PiecesMerged, BatchMerged, BatchCommitted, BatchAcked, StatusSent,
		ShapeFollowed, FlowStopped, SnapshotPlaced, SnapshotStaged, SnapshotMerged, SnapshotApplied,
		RefreshFilled, RefreshSwapped, Refreshed, Forgotten,
	}
}
