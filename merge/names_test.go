package merge_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/autocdc/autocdc/test/model"
)

// unlucky are column names that statements might want for themselves.
var unlucky = map[string]string{
	"id": "n", "a": "seq", "b": "op", "c": "flow", "region": "grp", "s1": "pos", "s2": "base", "seq": "missing", "sys": "floor",
}

func rename(names []string) []string {
	var renamed []string
	for _, n := range names {
		if to, ok := unlucky[n]; ok {
			n = to
		}
		renamed = append(renamed, n)
	}
	return renamed
}

// withUnluckyNames is the case with other column names.
func withUnluckyNames(c model.Case) model.Case {
	for i := range c.Columns {
		c.Columns[i].Name = rename([]string{c.Columns[i].Name})[0]
	}
	c.Keys, c.Sequence, c.TargetColumns = rename(c.Keys), rename(c.Sequence), rename(c.TargetColumns)
	c.Track, c.IgnoreNull = rename(c.Track), rename(c.IgnoreNull)
	if c.SystemSequence != "" {
		c.SystemSequence = rename([]string{c.SystemSequence})[0]
	}
	for i := range c.Feed {
		for j, e := range c.Feed[i].Events {
			values := model.Row{}
			for name, v := range e.Values {
				values[rename([]string{name})[0]] = v
			}
			c.Feed[i].Events[j].Values = values
		}
	}
	return c
}

// TestApply_TakesAnyColumnNames uses names of the statements' own columns without
// their underscores.
func TestApply_TakesAnyColumnNames(t *testing.T) {
	r := newRig(t)
	for _, kind := range []model.Kind{model.SCD1, model.SCD2, model.Bitemporal} {
		clauses := model.Everything(kind)
		clauses.Snapshots = false
		rapid.Check(t, func(t *rapid.T) {
			c := model.Cases(clauses).Filter(func(c model.Case) bool { return c.ColumnsToUpdate == "" }).Draw(t, "case")
			r.play(t, withUnluckyNames(c), never)
		})
	}
}
