package sqlgen

import (
	"fmt"
	"strings"
)

// Expectation is a condition that rows should fulfil before they are merged.
type Expectation struct {
	Name      string
	Condition string   // SQL over the flow's rows
	Of        []string // the source columns that it mentions: where one was not sent it holds as it did
	Drop      bool     // rows for which it does not hold are left out
}

// Expected is a select list with a column for each expectation: whether it holds.
func (f *Flow) Expected() []string { return f.held(f.Expectations) }

func (f *Flow) held(list []Expectation) []string {
	held := make([]string, len(list))
	for i, e := range list {
		held[i] = fmt.Sprintf("(%s\n) IS TRUE", e.Condition)
		for _, column := range e.Of {
			if at := f.rawIndex(column); f.Alters && at >= 0 {
				held[i] += fmt.Sprintf(` OR COALESCE(get_bit(%s."__missing", %d), 0) = 1`, f.Alias(), at)
			}
		}
	}
	return held
}

// Drops is a condition that is false for rows that are left out, empty if none is.
func (f *Flow) Drops() string {
	var drops []Expectation
	for _, e := range f.Expectations {
		if e.Drop {
			drops = append(drops, e)
		}
	}
	if len(drops) == 0 {
		return ""
	}
	return "(" + strings.Join(f.held(drops), ") AND (") + ")"
}

// Appends says that the flow's query makes rows of the target.
func (f *Flow) Appends() bool { return f.Table.Kind == Append }

// Expect returns the query that counts the staged rows, and per expectation those for
// which it does not hold.
func (g *Generator) Expect(f *Flow, spilled bool) (string, error) {
	return g.r.verbatim("expected", projection{f, spilled && (!f.Appends() || f.WantsEnd())})
}

// Unexpected returns the query for the key and the place of the first staged row for which
// the expectation of the given number does not hold.
func (g *Generator) Unexpected(f *Flow, spilled bool, number int) (string, error) {
	one := *f
	one.Expectations = f.Expectations[number : number+1]
	return g.r.verbatim("unexpected", projection{&one, spilled})
}

// Expected and Drops are those of Flow, over a staged snapshot.
func (s Snapshot) Expected() []string { return (&Flow{}).held(s.Expectations) }

// Drops is as that of Flow.
func (s Snapshot) Drops() string { return (&Flow{Expectations: s.Expectations}).Drops() }

// NoColumns is an empty relation of some columns, to describe expressions over.
func NoColumns(columns []Column) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = "CAST(NULL AS " + c.Type + ") AS " + c.Name.String()
	}
	return "(SELECT " + strings.Join(list, ", ") + " LIMIT 0) AS q"
}
