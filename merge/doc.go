// Package merge applies batches of changes to targets. One target transaction
// holds the rows of a batch, the memory for late events and the checkpoint, so
// that a batch counts once whatever is killed and whenever. It reads no source:
// replication and snapshot bring the changes.
package merge
