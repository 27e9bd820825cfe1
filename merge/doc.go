// Package merge applies batches of changes to targets. One target transaction
// holds the rows of a batch, the memory for late events and the checkpoint. It
// reads no source: replication and snapshot bring the changes.
package merge
