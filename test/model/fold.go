package model

import (
	"maps"
	"slices"
)

// state is what holds of a key from a sequence on; row is nil where it is absent.
type state struct {
	seq sequence
	row Row
}

// version is a row of the SCD 2 history of a key; end is nil where it is open.
type version struct {
	start, end sequence
	row        Row
}

// fold returns the states of a key after each sequence. The events are in order.
func (c Case) fold(events []event, key string) []state {
	var states []state
	var row Row
	for i, e := range events {
		if !e.concerns(key) {
			continue
		}
		row = c.apply(row, e, key, events[:i])
		if last := len(states) - 1; last >= 0 && states[last].seq.compare(e.seq) == 0 {
			states[last].row = row
			continue
		}
		states = append(states, state{e.seq, row})
	}
	return states
}

// apply returns the state of a key after an event; earlier are those before it.
func (c Case) apply(row Row, e event, key string, earlier []event) Row {
	if e.deletes(key) {
		return nil
	}
	after := maps.Clone(row)
	if e.from != "" {
		after = maps.Clone(c.last(earlier, e.from))
	}
	if after == nil {
		after = Row{}.pick(c.TargetColumns)
	}
	maps.Copy(after, e.carried)
	return after
}

// last returns the state of a key after all events.
func (c Case) last(events []event, key string) Row {
	states := c.fold(events, key)
	if len(states) == 0 {
		return nil
	}
	return states[len(states)-1].row
}

// versions returns the SCD 2 history of a key.
func (c Case) versions(events []event, key string) []version {
	var all []version
	open := false
	for _, s := range c.fold(events, key) {
		last := len(all) - 1
		switch {
		case open && s.row != nil && c.sameTracked(all[last].row, s.row):
			all[last].row = s.row
			continue
		case open:
			all[last].end = s.seq
		}
		open = s.row != nil
		if open {
			all = append(all, version{start: s.seq, row: s.row})
		}
	}
	return all
}

func (c Case) sameTracked(a, b Row) bool {
	tracked := c.Track
	if tracked == nil {
		tracked = c.TargetColumns
	}
	return a.pick(tracked).String() == b.pick(tracked).String()
}

// Expected returns the rows of the target after the whole feed, in no order.
func Expected(c Case) []Row {
	events, keys := c.events()
	var rows []Row
	for _, key := range keys {
		rows = append(rows, c.rowsOf(events, key)...)
	}
	return rows
}

func (c Case) rowsOf(events []event, key string) []Row {
	switch c.Kind {
	case SCD1:
		if row := c.last(events, key); row != nil {
			return []Row{row}
		}
		return nil
	case SCD2:
		return c.stamped(c.versions(events, key))
	case Bitemporal:
		return c.believed(events, key)
	}
	panic("model: case without a kind")
}

// stamped returns versions as rows.
func (c Case) stamped(versions []version) []Row {
	rows := make([]Row, len(versions))
	for i, v := range versions {
		rows[i] = v.row.with(StartAt, c.stamp(v.start)).with(EndAt, c.stamp(v.end))
	}
	return rows
}

// stamp returns a sequence as the value of a column.
func (c Case) stamp(s sequence) any {
	switch {
	case s == nil:
		return nil
	case c.Struct:
		return []any(slices.Clone(s))
	}
	return s[0]
}
