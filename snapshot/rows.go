package snapshot

import "context"

// Column is a column of rows that a source gives. Type is SQL text that Postgres
// understands; text where the source knows no types.
type Column struct {
	Name string
	Type string
}

// Rows is a stream of rows of a source that is not Postgres: a file, another
// database. It is for one goroutine and holds a bounded number of rows in memory.
type Rows interface {
	// Columns never change.
	Columns() []Column
	// Next goes to the next row; false at the end, and on an error.
	Next(ctx context.Context) bool
	// Values are those of the row as Postgres's input functions take them, nil for
	// null. They are valid until the next call of Next.
	Values() [][]byte
	// Where says where the row is, for an error about it: "snapshot_2.csv:17".
	Where() string
	// Err is what ended the stream, nil at its end.
	Err() error
	Close() error
}
