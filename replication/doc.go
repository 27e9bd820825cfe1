// Package replication reads the changes of a source by logical decoding: it
// makes publications and slots, and its Reader turns the stream of pgoutput into
// batches of whole transactions.
//
// It promises that no committed change of a published table is lost, repeated
// or reordered between the position it is started from and the one that is
// acknowledged, that memory stays within about twice ReaderConfig.MaxBytes plus
// the largest row, and that the server hears from it in time however slow the
// consumer is. It does not write to a target, and it does not try again: an
// error ends Run, Retryable tells whether another Run makes sense.
package replication
