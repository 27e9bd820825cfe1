package arch

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Table says which packages a package may import. It is the table of DESIGN.md
// under "Rooms and what they may import" itself, so that the two cannot differ.
type Table struct {
	rooms []room
}

// room is one row: packages that may import one another and what is named.
type room struct {
	packages []string
	may      []string
	anything bool
}

// quoted finds the `package` names in the first column.
var quoted = regexp.MustCompile("`([^`]+)`")

// ParseTable reads the table from the text of DESIGN.md.
func ParseTable(design string) (Table, error) {
	var t Table
	for line := range strings.Lines(design) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 || !quoted.MatchString(cells[1]) {
			continue
		}
		r, err := t.parseRow(cells[1], strings.TrimSpace(cells[3]))
		if err != nil {
			return Table{}, err
		}
		t.rooms = append(t.rooms, r)
	}
	if len(t.rooms) == 0 {
		return Table{}, fmt.Errorf("DESIGN.md has no table of packages")
	}
	return t, nil
}

func (t Table) parseRow(names, may string) (room, error) {
	var r room
	for _, m := range quoted.FindAllStringSubmatch(names, -1) {
		name := m[1]
		if name == "autocdc" {
			name = Root
		}
		r.packages = append(r.packages, name)
	}
	switch may {
	case "–", "-":
		return r, nil
	case "anything":
		r.anything = true
		return r, nil
	case "all of the above":
		for _, above := range t.rooms {
			r.may = append(r.may, above.packages...)
		}
		return r, nil
	}
	for name := range strings.SplitSeq(may, ",") {
		packages, err := t.resolve(strings.Trim(strings.TrimSpace(name), "`"))
		if err != nil {
			return room{}, fmt.Errorf("row %s: %w", strings.TrimSpace(names), err)
		}
		r.may = append(r.may, packages...)
	}
	return r, nil
}

// later names rows that stand below the ones that name them.
var later = []string{"migrations"}

// resolve finds the room that the third column names: by a whole path, by its
// last part ("batch"), or as "root".
func (t Table) resolve(name string) ([]string, error) {
	if name == "root" {
		name = Root
	}
	for _, r := range t.rooms {
		for _, p := range r.packages {
			if p == name || strings.HasSuffix(p, "/"+name) {
				return r.packages, nil
			}
		}
	}
	if slices.Contains(later, name) {
		return []string{name}, nil
	}
	return nil, fmt.Errorf("no row above is named %q", name)
}

// Allows says whether the table lets package from import package to, and whether
// it knows from at all.
func (t Table) Allows(from, to string) (ok, known bool) {
	for _, r := range t.rooms {
		if r.holds(from) {
			return r.anything || r.holds(to) || slices.Contains(r.may, to), true
		}
	}
	return false, false
}

func (r room) holds(pkg string) bool {
	return slices.ContainsFunc(r.packages, func(p string) bool {
		prefix, wild := strings.CutSuffix(p, "/*")
		return p == pkg || wild && strings.HasPrefix(pkg, prefix+"/")
	})
}
