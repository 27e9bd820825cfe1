package merge_test

import (
	"fmt"
	"testing"

	"github.com/autocdc/autocdc/test/model"
)

// images are pairs of values that are equal, or have no =, and look different.
var images = []struct{ sqlType, one, other string }{
	{"numeric", "1.0", "1.00"},
	{"double precision", "0", "-0"},
	{"interval", "1 day", "24:00:00"},
	{"json", `{"a":1}`, `{"a": 1}`},
}

// sequenced is an upsert of key 1 with a value, and a null that is not carried.
func sequenced(seq int64, value any) model.Event {
	return model.Event{Op: model.Upsert, Values: model.Row{"id": int64(1), "a": value, "b": nil, "seq": seq, "sys": 100 + seq}}
}

// of is a case with a column a of that type.
func of(sqlType string, kind model.Kind) model.Case {
	c := users(kind)
	c.Columns[1].Type = sqlType
	c.Columns = append(c.Columns, model.Column{Name: "b", Type: "text"}, model.Column{Name: "sys", Type: "bigint"})
	c.TargetColumns = []string{"id", "a", "b"}
	if kind == model.Bitemporal {
		c.SystemSequence = "sys"
	}
	return c
}

// TestApply_TellsImagesApart holds that the image counts, not =: where versions are
// told apart, where rows are only written if they differ, and where beliefs are
// joined.
func TestApply_TellsImagesApart(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, kind := range []model.Kind{model.SCD1, model.SCD2, model.Bitemporal} {
		for _, v := range images {
			for what, c := range imageCases(of(v.sqlType, kind), v.one, v.other) {
				t.Run(fmt.Sprintf("kind %d/%s/%s", kind, v.sqlType, what), func(t *testing.T) {
					r.play(t, c, never)
					r.play(t, c.OneBatch(), never)
				})
			}
		}
	}
}

func imageCases(c model.Case, one, other string) map[string]model.Case {
	untracked, partial := c, c
	untracked.Track = []string{"id"}
	partial.IgnoreNull = []string{"b"}
	end := event(model.Delete, 1, 30, nil)
	return map[string]model.Case{
		"in order":       feedOf(c, sequenced(10, one), sequenced(20, other), sequenced(30, other)),
		"late":           feedOf(c, sequenced(10, one), sequenced(30, one), sequenced(20, other), sequenced(15, one)),
		"tie":            feedOf(c, sequenced(10, one), at(sequenced(10, other), 110)),
		"tie of beliefs": feedOf(c, sequenced(10, one), at(sequenced(10, other), 120)),
		"partial tie":    feedOf(partial, sequenced(10, one), sequenced(10, other)),
		"untracked":      feedOf(untracked, sequenced(10, one), sequenced(20, other)),
		"untracked late": feedOf(untracked, sequenced(10, one), at(end, 130), sequenced(20, other)),
	}
}
