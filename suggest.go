package autocdc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/autocdc/autocdc/config/flowsql"
)

// didYouMean returns a hint that names the candidate nearest to word, or "" if
// none is near.
func didYouMean(word string, candidates []string) string {
	if near := flowsql.Nearest(word, candidates); near != "" {
		return fmt.Sprintf("did you mean %s?", bare(near))
	}
	return ""
}

// nearestText is didYouMean for names that are quoted already.
func nearestText(text string, candidates []string) string {
	if near := flowsql.Nearest(text, candidates); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// bare gives an identifier as a user would write it in a flow file: quoted only
// where it must be.
func bare(name string) string { return flowsql.Ident{Name: name}.String() }

// listed gives names for people: sorted, at most ten.
func listed(names []string) string {
	names = slices.Sorted(slices.Values(names))
	rest := ""
	if len(names) > 10 {
		rest = fmt.Sprintf(" and %d more", len(names)-10)
		names = names[:10]
	}
	return strings.Join(names, ", ") + rest
}
