// Package model is the semantics of docs/semantics.md in Go maps: what a target
// must contain, given its feed. It is written from that page alone, not from
// any SQL, and prefers to be plainly right over being fast: every answer is
// computed from the whole feed. It talks to no database.
package model

import (
	"encoding/json"
	"maps"
	"slices"
)

// Kind is how a target stores its history.
type Kind int

// The kinds of target.
const (
	SCD1 Kind = iota + 1
	SCD2
	Bitemporal
)

// The operations of an Event.
const (
	Upsert   = "upsert"
	Delete   = "delete"
	Truncate = "truncate"
)

// The columns that a history target has after its own.
const (
	StartAt       = "__start_at"
	EndAt         = "__end_at"
	SystemStartAt = "__system_start_at"
	SystemEndAt   = "__system_end_at"
)

// Row maps columns to values: nil, int64, string, or []any of those (a text[],
// or the value of a STRUCT sequence). Values of one column are of one type.
type Row map[string]any

// String returns the row as JSON with sorted columns: equal rows, equal text.
func (r Row) String() string {
	text, err := json.Marshal(r)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// pick returns the named columns, null where the row lacks them.
func (r Row) pick(columns []string) Row {
	picked := make(Row, len(columns))
	for _, c := range columns {
		picked[c] = r[c]
	}
	return picked
}

// Column is a column of a feed with its Postgres type.
type Column struct{ Name, Type string }

// Event is one row of a feed.
type Event struct {
	Op     string
	Flow   string // decides ties between flows
	Values Row    // columns of the feed; those that are missing are null

	// Unchanged names columns that a WAL update left alone and did not send.
	Unchanged []string
	// From is the old key of an update that changed the key; nil otherwise. Such
	// an event is a delete of From and an upsert of its own key.
	From Row
}

// Snapshot is the full set of rows of a source at a version.
type Snapshot struct {
	Version any
	Rows    []Row
}

// Batch is a step of a feed: events in order of arrival, or a snapshot.
type Batch struct {
	Events   []Event
	Snapshot *Snapshot
}

// Case is a target with its clauses and everything that its flows bring.
type Case struct {
	Name    string
	Columns []Column // of the feed
	Keys    []string

	Sequence       []string // one column, or the fields of a STRUCT
	Struct         bool     // Sequence is a STRUCT
	SystemSequence string   // bitemporal only

	TargetColumns   []string
	Kind            Kind
	Track           []string // nil: all target columns
	IgnoreNull      []string // target columns whose nulls are not carried
	ColumnsToUpdate string   // the text[] column, or empty
	Feed            []Batch
}

// OneBatch returns the case with all events between two snapshots in one batch.
func (c Case) OneBatch() Case {
	var feed []Batch
	for _, b := range c.Feed {
		last := len(feed) - 1
		if b.Snapshot != nil || last < 0 || feed[last].Snapshot != nil {
			feed = append(feed, Batch{Events: slices.Clone(b.Events), Snapshot: b.Snapshot})
			continue
		}
		feed[last].Events = append(feed[last].Events, b.Events...)
	}
	c.Feed = feed
	return c
}

// EventByEvent returns the case with every event in a batch of its own.
func (c Case) EventByEvent() Case {
	var feed []Batch
	for _, b := range c.Feed {
		if b.Snapshot != nil {
			feed = append(feed, b)
		}
		for _, e := range b.Events {
			feed = append(feed, Batch{Events: []Event{e}})
		}
	}
	c.Feed = feed
	return c
}

// Until returns the case as it is after the first n batches of its feed.
func (c Case) Until(n int) Case {
	c.Feed = c.Feed[:min(n, len(c.Feed))]
	return c
}

// Events returns the events of all batches in order of arrival.
func (c Case) Events() []Event {
	var all []Event
	for _, b := range c.Feed {
		all = append(all, b.Events...)
	}
	return all
}

// Sort orders rows by their text, so that sets of rows can be compared.
func Sort(rows []Row) []Row {
	sorted := slices.Clone(rows)
	slices.SortFunc(sorted, func(a, b Row) int {
		return compareStrings(a.String(), b.String())
	})
	return sorted
}

// Equal tells whether two sets of rows are the same.
func Equal(a, b []Row) bool {
	return slices.EqualFunc(Sort(a), Sort(b), func(a, b Row) bool { return a.String() == b.String() })
}

// with returns a copy of the row with one more column.
func (r Row) with(column string, value any) Row {
	wider := maps.Clone(r)
	wider[column] = value
	return wider
}
