package merge

import "github.com/autocdc/autocdc/schema"

// Kind is how a target stores its history.
type Kind int

// The kinds of target.
const (
	SCD1 Kind = iota + 1
	SCD2
	Bitemporal
	Append // rows are inserted, and neither updated nor deleted
)

// Column is a column of a target, or a field of a STRUCT sequence. Type is SQL
// text as CREATE TABLE takes it; Collation is quoted and qualified, or empty.
type Column struct {
	Name      string
	Type      string
	Collation string
}

// Target is a table that flows keep current. It is immutable once an Applier
// has it; a changed target is a new Target.
type Target struct {
	Name    schema.Name
	Kind    Kind
	Comment string
	// ChangeFeed lets a table beside the target record what changes in it.
	ChangeFeed bool
	Keys       []string // in the order of KEYS; none where Kind is Append
	Columns    []Column // the flows' own columns, keys included, in order

	// Sequence has one entry (its Name is ignored), or one per field of a STRUCT;
	// none where Kind is Append.
	Sequence []Column
	// SystemSequence is set for Bitemporal only.
	SystemSequence []Column
	// Track names the tracked columns; nil means all.
	Track []string
	// Several says that more than one flow brings events of one sequence that must be
	// told apart: the flow's name decides ties between changes, a snapshot loses them
	// all. Beside one flow of changes a snapshot counts only if Partial.
	Several bool
	// InOrder says that no event can be late, so that nothing has to be remembered:
	// the flows are one that reads CHANGES with the default sequence, or snapshots,
	// or both where a snapshot's version is its position in the same WAL. It is so
	// where Kind is Append.
	InOrder bool
	// Partial says that events of some flow may carry less than all columns; set where
	// snapshots feed the target.
	Partial bool
}

// Feed is how a flow's source gives events.
type Feed int

// The feeds.
const (
	Changes  Feed = iota + 1 // row changes of the table itself
	Stream                   // every inserted row is an event
	Snapshot                 // all rows there are, again and again
)

// Flow carries the events of one source table into a target. Expressions are
// SQL text over the columns of the source table and __op, __lsn, __commit_ts,
// __xid. A flow that reads snapshots has the columns of its query in Rel, which
// then has no name, and none of the expressions.
type Flow struct {
	Name   string
	Source string // name of the source, as in the configuration
	Target *Target
	Feed   Feed
	Rel    *schema.Relation // of the source table when the plan was made
	// RawTypes has, per column of Rel, the type its value has on the target: the
	// source's, or what it is mapped to there (enum and unknown: text).
	RawTypes []string
	// Views make the flow's rows of those that the source gives, one after the other.
	Views []*ViewQuery
	// Columns has, per column of Target.Columns, the column of the flow's rows that fills
	// it; empty where the flow does not carry it. With a Query it is a column of that.
	Columns []string
	// Follow says that columns which appear at the source are added to the target
	// (no COLUMNS clause, or COLUMNS * EXCEPT); Except names those left out.
	Follow bool
	Except []string

	SequenceBy       []string // nil: the default sequence
	SystemSequenceBy []string // nil: the default system sequence
	DeleteWhen       string   // empty: never
	TruncateWhen     string
	// IgnoreNull names the target columns whose nulls are not carried.
	IgnoreNull []string
	// ColumnsToUpdate names the source column of type text[], or is empty.
	ColumnsToUpdate string
	// Query is set where the target's Kind is Append and the flow reads STREAM.
	Query *Query

	// Expectations are conditions on the rows that the flow brings.
	Expectations []Expectation

	NoCopy            bool // WITH (copy = false)
	SkipChangeCommits bool // WITH (skip_change_commits = true)
	IgnoreTruncate    bool // WITH (truncate = 'ignore')

	Once bool // ONCE: it runs to its end one time
	// Checksum says that only those rows of a snapshot need come whose checksums, taken
	// of buckets of keys, differ from the target's. For a target of one flow.
	Checksum bool
	// MaxDeletes is the share of the current keys that a snapshot may lack.
	MaxDeletes float64
}

// String returns the kind as SQL says it.
func (k Kind) String() string {
	switch k {
	case SCD1:
		return "SCD TYPE 1"
	case SCD2:
		return "SCD TYPE 2"
	case Bitemporal:
		return "BITEMPORAL"
	case Append:
		return "APPEND"
	}
	return "unknown kind"
}
