package conformance_test

import (
	"strings"
	"testing"

	"github.com/autocdc/autocdc/test/conformance"
	"github.com/autocdc/autocdc/test/model"
)

func cases(t *testing.T) []conformance.Case {
	t.Helper()
	all, err := conformance.Cases()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCases_AreAllThere(t *testing.T) {
	t.Parallel()
	if got := len(cases(t)); got != 299 {
		t.Errorf("loaded %d cases, want 299", got)
	}
}

func TestModel_GivesTheExpectedRowsInEveryCut(t *testing.T) {
	t.Parallel()
	for _, c := range cases(t) {
		for cut, feed := range map[string]model.Case{
			"as given": c.Case, "one batch": c.OneBatch(), "event by event": c.EventByEvent(),
		} {
			if got := model.Expected(feed); !model.Equal(got, c.Expected) {
				t.Errorf("%s, %s\ngot\n%s\nwant\n%s", c.Name, cut, lines(got), lines(c.Expected))
			}
		}
	}
}

func lines(rows []model.Row) string {
	var text strings.Builder
	for _, row := range model.Sort(rows) {
		text.WriteString("  " + row.String() + "\n")
	}
	return text.String()
}
