package model

import (
	"cmp"
	"fmt"
	"strings"
)

// sequence is the value of SEQUENCE BY, compared field by field.
type sequence []any

func (s sequence) compare(t sequence) int {
	for i := range s {
		if c := compareValues(s[i], t[i]); c != 0 {
			return c
		}
	}
	return 0
}

// compareValues orders two values of one column. Text stands for types whose
// text form sorts as they do (timestamps of one format).
func compareValues(a, b any) int {
	switch a := a.(type) {
	case int64:
		return cmp.Compare(a, b.(int64))
	case string:
		return compareStrings(a, b.(string))
	}
	panic(fmt.Sprintf("model: %T is no type of a sequence", a))
}

func compareStrings(a, b string) int { return strings.Compare(a, b) }

// before orders the events of a key: by sequence, then system sequence; of those
// that tie a snapshot is before a CDC event, a lesser flow's name before a
// greater, an earlier arrival before a later.
func before(a, b event) int {
	return cmp.Or(
		a.seq.compare(b.seq),
		a.system.compare(b.system),
		compareBools(a.cdc, b.cdc),
		compareStrings(a.flow, b.flow),
		cmp.Compare(a.arrival, b.arrival),
	)
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
