package merge

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/autocdc/autocdc/schema"
)

// differences lists what of a deployed definition has changed that must not.
func (t *Target) differences(was definition) []Fault {
	now := t.definition()
	var faults []Fault
	compare := func(clause, before, after string) {
		if before == after {
			return
		}
		faults = append(faults, Fault{
			Clause: clause, Offset: -1, Redefined: true,
			Message: fmt.Sprintf("%s of the deployed target %s was %s and is now %s", clause, t.Name, before, after),
			Hint:    redefinedHint(t.Name),
		})
	}
	compare("STORED AS", was.Kind.String(), now.Kind.String())
	compare("KEYS", list(was.Keys), list(now.Keys))
	if was.Kind == now.Kind {
		compare("SEQUENCE BY", list(was.Sequence), list(now.Sequence))
		compare("SYSTEM SEQUENCE BY", list(was.System), list(now.System))
		compare("TRACK HISTORY ON", tracked(was.Track), tracked(now.Track))
	}
	return faults
}

func redefinedHint(name schema.Name) string {
	return "take the change back, or: " + refreshHint(name) + "; a history begins anew with what they still have"
}

func refreshHint(name schema.Name) string {
	return fmt.Sprintf("autocdc refresh %s --full, which makes the table anew and fills it from its sources", typed(name))
}

// typed is the name as a shell takes it.
func typed(name schema.Name) string {
	if plain.MatchString(name.Schema) && plain.MatchString(name.Name) {
		return name.Schema + "." + name.Name
	}
	return "'" + strings.ReplaceAll(name.String(), "'", `'\''`) + "'"
}

var plain = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

func list(names []string) string { return "(" + strings.Join(names, ", ") + ")" }

func tracked(names []string) string {
	if names == nil {
		return "all columns"
	}
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	return list(sorted)
}
