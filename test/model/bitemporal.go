package model

import "slices"

// believed returns the bitemporal rows of a key: for every member of its history
// as known at some system time, the maximal system intervals of that belief.
func (c Case) believed(events []event, key string) []Row {
	var done, open []Row
	for _, system := range systemTimes(events) {
		known := slices.DeleteFunc(slices.Clone(events), func(e event) bool { return e.system.compare(system) > 0 })
		history := c.stamped(c.versions(known, key))
		var still []Row
		for _, row := range open {
			if contains(history, row.without(SystemStartAt, SystemEndAt)) {
				still = append(still, row)
			} else {
				done = append(done, row.with(SystemEndAt, system[0]))
			}
		}
		for _, row := range history {
			if !slices.ContainsFunc(open, func(o Row) bool { return o.without(SystemStartAt, SystemEndAt).String() == row.String() }) {
				still = append(still, row.with(SystemStartAt, system[0]).with(SystemEndAt, nil))
			}
		}
		open = still
	}
	return append(done, open...)
}

// systemTimes returns the system sequences of the events, each once, ascending.
func systemTimes(events []event) []sequence {
	var times []sequence
	for _, e := range events {
		times = append(times, e.system)
	}
	slices.SortFunc(times, sequence.compare)
	return slices.CompactFunc(times, func(a, b sequence) bool { return a.compare(b) == 0 })
}

func contains(rows []Row, row Row) bool {
	return slices.ContainsFunc(rows, func(r Row) bool { return r.String() == row.String() })
}

// without returns a copy of the row without some columns.
func (r Row) without(columns ...string) Row {
	narrower := Row{}
	for c, v := range r {
		if !slices.Contains(columns, c) {
			narrower[c] = v
		}
	}
	return narrower
}
