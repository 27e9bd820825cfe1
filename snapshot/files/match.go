package files

import (
	"fmt"
	"strings"

	"github.com/autocdc/autocdc/snapshot"
)

// match finds wanted columns among those of a file: by name and, where the name was
// folded, without regard to case.
func match(want, have []snapshot.Column, opts Options) ([]int, error) {
	places := make([]int, len(want))
	used := make([]bool, len(have))
	var missing, other []string
	for i, w := range want {
		at, err := find(w, have, opts)
		switch {
		case err != nil:
			return nil, err
		case at < 0:
			missing = append(missing, fmt.Sprintf("%q", w.Name))
		case opts.Schema == nil && have[at].Type != w.Type:
			return nil, hinted("say which type it has by the option schema", "column %q is %s, in the first file it is %s", w.Name, have[at].Type, w.Type)
		default:
			used[at] = true
		}
		places[i] = at
	}
	for i, h := range have {
		if !used[i] {
			other = append(other, fmt.Sprintf("%q", h.Name))
		}
	}
	return places, differ(missing, other, opts)
}

// find returns the place of a column; -1 if there is none.
func find(want snapshot.Column, have []snapshot.Column, opts Options) (int, error) {
	at := -1
	foldable := opts.FoldNames || opts.Schema != nil && want.Name == strings.ToLower(want.Name)
	for i, h := range have {
		switch {
		case h.Name == want.Name && !opts.FoldNames:
			return i, nil
		case !foldable || !strings.EqualFold(h.Name, want.Name):
		case at >= 0:
			return -1, hinted(`name the columns exactly: schema => '"Id" bigint, …'`, "columns %q and %q differ in nothing but case", have[at].Name, h.Name)
		default:
			at = i
		}
	}
	return at, nil
}

func differ(missing, other []string, opts Options) error {
	var parts []string
	if len(missing) > 0 {
		parts = append(parts, "lacks "+strings.Join(missing, ", "))
	}
	if len(other) > 0 {
		parts = append(parts, "has "+strings.Join(other, ", ")+" besides")
	}
	if parts == nil {
		return nil
	}
	than, note := "the first file has", "the files of one snapshot have the same columns; leave others out by a pattern, or by a condition on _metadata.file_name"
	if opts.Schema != nil {
		than, note = "the schema declares", "the schema must name every column of the files"
	}
	return hinted(note, "its columns are not those that %s: it %s", than, strings.Join(parts, ", and "))
}
