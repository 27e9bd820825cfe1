package merge

import (
	"regexp"
	"slices"
	"strconv"
)

// wider lists, per type, those that hold all of its values with the same text.
var wider = map[string][]string{
	"smallint":          {"integer", "bigint", "numeric", "text"},
	"integer":           {"bigint", "numeric", "text"},
	"bigint":            {"numeric", "text"},
	"character varying": {"text"},
}

var sized = regexp.MustCompile(`^(character varying|numeric)\((\d+)(?:,(\d+))?\)$`)

// widens tells whether a column may be altered from one type to another without
// losing or changing a value.
func widens(from, to string) bool {
	if slices.Contains(wider[from], to) {
		return true
	}
	f := sized.FindStringSubmatch(from)
	if f == nil {
		return false
	}
	if to == f[1] || f[1] == "character varying" && to == "text" {
		return true
	}
	t := sized.FindStringSubmatch(to)
	return t != nil && t[1] == f[1] && f[3] == t[3] && number(t[2]) >= number(f[2])
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
