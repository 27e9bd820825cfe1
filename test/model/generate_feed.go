package model

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"
)

// feedOf draws the events of a case in order of arrival.
func feedOf(t *rapid.T, c Case, allowed Clauses) []Event {
	most := allowed.MaxEvents
	if most == 0 {
		most = 24
	}
	events := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Event { return oneEvent(t, c, allowed) }), 1, most).Draw(t, "events")
	if !allowed.Ties {
		events = distinct(c, events)
	}
	return events
}

func oneEvent(t *rapid.T, c Case, allowed Clauses) Event {
	e := Event{Op: operation(t, allowed), Values: Row{}}
	if allowed.Flows > 1 {
		e.Flow = fmt.Sprintf("flow_%d", rapid.IntRange(1, allowed.Flows).Draw(t, "flow"))
	}
	if e.Op != Truncate {
		e.Values = contents(t, c)
	}
	for _, column := range c.Sequence {
		e.Values[column] = rapid.Int64Range(1, 40).Draw(t, column)
	}
	if c.SystemSequence != "" {
		e.Values[c.SystemSequence] = rapid.Int64Range(100, 130).Draw(t, "sys")
	}
	return e
}

func operation(t *rapid.T, allowed Clauses) string {
	switch n := rapid.IntRange(0, 19).Draw(t, "op"); {
	case n == 19 && allowed.Truncates:
		return Truncate
	case n >= 15:
		return Delete
	}
	return Upsert
}

// contents draws key and values; few of each, so that they collide.
func contents(t *rapid.T, c Case) Row {
	row := Row{
		"id": rapid.Int64Range(1, 3).Draw(t, "id"),
		"a":  rapid.SampledFrom([]any{"x", "y", nil}).Draw(t, "a"),
		"b":  rapid.SampledFrom([]any{int64(1), int64(2), nil}).Draw(t, "b"),
		"c":  rapid.SampledFrom([]any{"p", "q", nil}).Draw(t, "c"),
	}
	if slices.Contains(c.Keys, "region") {
		row["region"] = rapid.SampledFrom([]any{"eu", "us"}).Draw(t, "region")
	}
	if c.ColumnsToUpdate != "" {
		row[c.ColumnsToUpdate] = columnsToUpdate(t)
	}
	return row
}

func columnsToUpdate(t *rapid.T) any {
	if rapid.IntRange(0, 4).Draw(t, "all columns") == 0 {
		return nil
	}
	list := []any{}
	for _, name := range subset(t, "update", "a", "b", "c") {
		list = append(list, name)
	}
	return list
}

// distinct drops the events whose sequence another has already.
func distinct(c Case, events []Event) []Event {
	seen := map[string]bool{}
	return slices.DeleteFunc(events, func(e Event) bool {
		seq := e.Values.pick(c.Sequence).String()
		again := seen[seq]
		seen[seq] = true
		return again
	})
}

// cut draws batches.
func cut(t *rapid.T, events []Event) []Batch {
	var feed []Batch
	for len(events) > 0 {
		n := rapid.IntRange(1, len(events)).Draw(t, "batch")
		feed = append(feed, Batch{Events: events[:n:n]})
		events = events[n:]
	}
	return feed
}

// Recut returns the case with the same events in other batches.
func Recut(t *rapid.T, c Case) Case {
	var feed []Batch
	for _, b := range c.OneBatch().Feed {
		if b.Snapshot != nil {
			feed = append(feed, b)
		}
		feed = append(feed, cut(t, b.Events)...)
	}
	c.Feed = feed
	return c
}

// Permute returns the case with its events in another order, in one batch; events
// that tie keep theirs. The case must have no snapshots.
func Permute(t *rapid.T, c Case) Case {
	events := c.Events()
	order := make([]int, len(events))
	places := map[string][]int{} // in the new order, by sequence
	for i := range order {
		order[i] = i
	}
	order = rapid.Permutation(order).Draw(t, "order")
	for place, i := range order {
		tie := c.tie(events[i])
		places[tie] = append(places[tie], place)
	}
	permuted := make([]Event, len(events))
	for _, e := range events {
		tie := c.tie(e)
		permuted[places[tie][0]] = e
		places[tie] = places[tie][1:]
	}
	c.Feed = []Batch{{Events: permuted}}
	return c
}

// tie is the same for events whose order of arrival counts.
func (c Case) tie(e Event) string {
	return e.Values.pick(append(slices.Clone(c.Sequence), c.SystemSequence)).String()
}

// interleave puts snapshots between the batches, most of them with a greater
// version than the last.
func interleave(t *rapid.T, c Case, batches []Batch) []Batch {
	var feed []Batch
	for _, b := range batches {
		if rapid.IntRange(0, 2).Draw(t, "snapshot") == 0 {
			feed = append(feed, Batch{Snapshot: snapshot(t, c)})
		}
		feed = append(feed, b)
	}
	return append(feed, Batch{Snapshot: snapshot(t, c)})
}

func snapshot(t *rapid.T, c Case) *Snapshot {
	s := &Snapshot{Version: rapid.Int64Range(1, 40).Draw(t, "version")}
	seen := map[string]bool{}
	for range rapid.IntRange(0, 3).Draw(t, "rows") {
		row := contents(t, c).pick(c.TargetColumns)
		if key := c.keyOf(row); !seen[key] {
			seen[key] = true
			s.Rows = append(s.Rows, row)
		}
	}
	return s
}
