package conformance_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/autocdc/autocdc/test/conformance"
)

// groups are those that there must be, lest a file be lost.
var groups = []string{
	"seed documents", "ported",
	"scd1 out of order", "scd1 truncate", "scd1 ties", "scd1 composite key, struct sequence",
	"scd2 in order", "scd2 out of order", "scd2 out of order long", "scd2 ties", "scd2 truncate",
	"scd2 track history", "scd2 composite key, struct sequence", "scd2 timestamps",
	"snapshot scd1", "snapshot scd2", "snapshot scd2 track history", "unified scd1", "unified scd2", "unified scd2 track history",
}

// selected returns the cases; AUTOCDC_CASES, a regular
// expression over their names, narrows them down.
func selected(t *testing.T) []conformance.Case {
	t.Helper()
	only, err := regexp.Compile(os.Getenv("AUTOCDC_CASES"))
	if err != nil {
		t.Fatalf("AUTOCDC_CASES: %v", err)
	}
	return slices.DeleteFunc(cases(t), func(c conformance.Case) bool {
		return !only.MatchString(c.Name)
	})
}

func TestSelected_HasAllGroups(t *testing.T) {
	t.Parallel()
	for _, group := range groups {
		if !slices.ContainsFunc(cases(t), func(c conformance.Case) bool { return c.Group == group }) {
			t.Errorf("no case of group %q", group)
		}
	}
}
