package model

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"
)

// Clauses restricts what a generated case may use; the zero value means SCD 1
// upserts and deletes with distinct sequences.
type Clauses struct {
	Kinds     []Kind // one is drawn; empty means SCD1
	Ties      bool   // events of a key may share a sequence
	Truncates bool
	Partial   bool // IGNORE NULL UPDATES in its forms, COLUMNS TO UPDATE
	Track     bool // TRACK HISTORY ON
	Composite bool // composite keys, STRUCT sequences
	Snapshots bool // a snapshot flow beside the CDC flow; not for Bitemporal
	Flows     int  // CDC flows into the target; 0 means 1
	MaxEvents int  // 0 means 24
}

// Everything returns the clauses that allow all that a target of a kind may use.
func Everything(kind Kind) Clauses {
	return Clauses{
		Kinds: []Kind{kind}, Ties: true, Truncates: true, Partial: true, Track: true, Composite: true,
		Snapshots: kind != Bitemporal,
	}
}

// Cases generates cases with feeds in random order, cut at random.
func Cases(allowed Clauses) *rapid.Generator[Case] {
	return rapid.Custom(func(t *rapid.T) Case {
		c := shape(t, allowed)
		events := feedOf(t, c, allowed)
		c.Feed = cut(t, events)
		if allowed.Snapshots && !c.Struct && rapid.Bool().Draw(t, "with snapshots") {
			c.Feed = interleave(t, c, c.Feed)
		}
		return c
	})
}

// shape draws the columns and clauses of a case.
func shape(t *rapid.T, allowed Clauses) Case {
	c := Case{
		Name:          "generated",
		Columns:       []Column{{"id", "integer"}, {"a", "text"}, {"b", "integer"}, {"c", "text"}},
		Keys:          []string{"id"},
		TargetColumns: []string{"id", "a", "b", "c"},
		Kind:          SCD1,
	}
	if len(allowed.Kinds) > 0 {
		c.Kind = rapid.SampledFrom(allowed.Kinds).Draw(t, "kind")
	}
	if allowed.Composite && rapid.Bool().Draw(t, "composite key") {
		c.Columns = append(c.Columns, Column{"region", "text"})
		c.Keys = []string{"region", "id"}
		c.TargetColumns = append(c.TargetColumns, "region")
	}
	c.sequenced(allowed.Composite && rapid.Bool().Draw(t, "struct sequence"))
	if allowed.Track && rapid.Bool().Draw(t, "track history") {
		c.Track = append(slices.Clone(c.Keys), subset(t, "tracked", "a", "b", "c")...)
	}
	if allowed.Partial {
		c.partial(t)
	}
	return c
}

func (c *Case) sequenced(byStruct bool) {
	c.Struct = byStruct
	c.Sequence = []string{"seq"}
	if byStruct {
		c.Sequence = []string{"s1", "s2"}
	}
	for _, column := range c.Sequence {
		c.Columns = append(c.Columns, Column{column, "bigint"})
	}
	if c.Kind == Bitemporal {
		c.SystemSequence = "sys"
		c.Columns = append(c.Columns, Column{"sys", "bigint"})
	}
}

func (c *Case) partial(t *rapid.T) {
	switch rapid.SampledFrom([]string{"none", "all", "some", "columns"}).Draw(t, "partial") {
	case "all":
		c.IgnoreNull = []string{"a", "b", "c"}
	case "some":
		c.IgnoreNull = subset(t, "ignored", "a", "b", "c")
	case "columns":
		c.ColumnsToUpdate = "upd"
		c.Columns = append(c.Columns, Column{"upd", "text[]"})
	}
}

func subset(t *rapid.T, label string, of ...string) []string {
	chosen := []string{}
	for _, name := range of {
		if rapid.Bool().Draw(t, fmt.Sprintf("%s %s", label, name)) {
			chosen = append(chosen, name)
		}
	}
	return chosen
}
