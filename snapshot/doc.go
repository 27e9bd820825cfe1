// Package snapshot reads the rows of a source as of one exported snapshot. It
// promises that every query of one Conn, and of all Conns opened with the same
// snapshot, sees the same committed state and the text form that the stream has.
// It writes nothing anywhere.
package snapshot
