package autocdc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/autocdc/autocdc/schema"
)

// resolve finds targets of the flow files by their names, each once.
func (r *run) resolve(words []string) ([]schema.Name, error) {
	found := &faults{}
	decl := declare(r.Files, r.sourceNames(), found)
	if err := found.err(); err != nil {
		return nil, err
	}
	var targets []schema.Name
	for _, word := range words {
		name, err := pick(word, decl.order)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(decl.flows, func(f *flowDecl) bool { return f.target == name }) {
			return nil, fmt.Errorf("refresh %s: no flow feeds it", shown(name))
		}
		if !slices.Contains(targets, name) {
			targets = append(targets, name)
		}
	}
	return targets, nil
}

// NameError says that the caller named a target that there is not.
type NameError struct {
	Name  string
	cause string
}

func (e *NameError) Error() string { return "refresh " + e.Name + ": " + e.cause }

// pick finds the one name that a word means: folded as SQL does, with its schema,
// or without it where that is enough.
func pick(word string, names []schema.Name) (schema.Name, error) {
	folded := strings.ToLower(word)
	if strings.Contains(word, `"`) {
		folded = word
	}
	var whole, last []schema.Name
	var texts []string
	for _, n := range names {
		if slices.Contains([]string{shown(n), n.String()}, folded) || n.Schema+"."+n.Name == word {
			whole = append(whole, n)
		}
		if bare(n.Name) == folded || n.Name == word {
			last = append(last, n)
		}
		texts = append(texts, shown(n), bare(n.Name))
	}
	if len(whole) == 0 {
		whole = last
	}
	if len(whole) == 1 {
		return whole[0], nil
	}
	if len(whole) > 1 {
		return schema.Name{}, &HintError{&NameError{word, "several targets have that name"}, "name it with its schema"}
	}
	return schema.Name{}, &HintError{&NameError{word, "the flow files declare no such target"}, targetHint(folded, texts, names)}
}

func targetHint(word string, texts []string, names []schema.Name) string {
	if near := nearestText(word, texts); near != "" {
		return near
	}
	var all []string
	for _, n := range names {
		all = append(all, shown(n))
	}
	if len(all) == 0 {
		return ""
	}
	return "the targets are " + listed(all)
}
