package model

import (
	"fmt"
	"slices"
)

// event is an Event, or a row or the absence of one in a snapshot, resolved
// against the clauses of its case.
type event struct {
	op      string
	key     string // text of the key's Row; empty where the event concerns all keys
	from    string // old key of an update that changed it
	except  map[string]bool
	seq     sequence
	system  sequence
	cdc     bool // not of a snapshot
	flow    string
	arrival int
	carried Row // the columns that an upsert sets
}

// concerns tells whether the event says something about a key.
func (e event) concerns(key string) bool {
	if e.key == "" {
		return !e.except[key]
	}
	return e.key == key || e.from == key
}

// deletes tells whether the key is absent after the event.
func (e event) deletes(key string) bool { return e.op != Upsert || e.from == key }

// events returns everything that the feed says, in order, and the keys it names.
// The feed must be free of errors (null keys, null sequences).
func (c Case) events() (all []event, keys []string) {
	var version sequence
	for _, b := range c.Feed {
		for _, e := range b.Events {
			all = append(all, c.event(e, len(all)))
		}
		if b.Snapshot == nil {
			continue
		}
		if v := (sequence{b.Snapshot.Version}); version == nil || v.compare(version) > 0 {
			version = v
			all = append(all, c.snapshot(*b.Snapshot, v)...)
		}
	}
	slices.SortStableFunc(all, before)
	return all, keysOf(all)
}

func keysOf(events []event) []string {
	var keys []string
	for _, e := range events {
		if e.key != "" && !slices.Contains(keys, e.key) {
			keys = append(keys, e.key)
		}
	}
	return keys
}

func (c Case) event(e Event, arrival int) event {
	out := event{op: e.Op, cdc: true, flow: e.Flow, arrival: arrival, seq: c.sequenceOf(e.Values)}
	if c.SystemSequence != "" {
		out.system = sequence{must(e.Values, c.SystemSequence)}
	}
	if e.Op == Truncate {
		return out
	}
	out.key = c.keyOf(e.Values)
	if e.From != nil {
		if from := c.keyOf(e.From); from != out.key {
			out.from = from
		}
	}
	out.carried = c.carried(e)
	return out
}

// snapshot is an upsert of each of its keys and a delete of every other.
func (c Case) snapshot(s Snapshot, version sequence) []event {
	rest := event{op: Delete, except: map[string]bool{}, seq: version}
	var all []event
	for _, row := range s.Rows {
		key := c.keyOf(row)
		rest.except[key] = true
		all = append(all, event{op: Upsert, key: key, seq: version, carried: row.pick(c.TargetColumns)})
	}
	return append(all, rest)
}

func (c Case) sequenceOf(values Row) sequence {
	seq := make(sequence, len(c.Sequence))
	for i, column := range c.Sequence {
		seq[i] = must(values, column)
	}
	return seq
}

func (c Case) keyOf(values Row) string {
	for _, k := range c.Keys {
		must(values, k)
	}
	return values.pick(c.Keys).String()
}

// must returns a value that may not be null.
func must(values Row, column string) any {
	if values[column] == nil {
		panic(fmt.Sprintf("model: column %q is null in %v", column, values))
	}
	return values[column]
}

// carried returns the columns that an upsert sets.
func (c Case) carried(e Event) Row {
	carried := Row{}
	for _, column := range c.TargetColumns {
		if slices.Contains(c.Keys, column) || c.carries(e, column) {
			carried[column] = e.Values[column]
		}
	}
	return carried
}

func (c Case) carries(e Event, column string) bool {
	if slices.Contains(e.Unchanged, column) {
		return false
	}
	if e.Values[column] == nil && slices.Contains(c.IgnoreNull, column) {
		return false
	}
	if c.ColumnsToUpdate == "" || e.Values[c.ColumnsToUpdate] == nil {
		return true
	}
	return slices.Contains(e.Values[c.ColumnsToUpdate].([]any), any(column))
}
