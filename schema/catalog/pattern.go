package catalog

import (
	"fmt"
	"strings"

	"github.com/autocdc/autocdc/schema"
)

// anything is how a * outside quotes is kept apart from one inside.
const anything = -1

// pattern is what a table's name is matched with.
type pattern struct {
	text          string
	schema, table []rune
	used          bool
}

func parsePatterns(texts []string) ([]*pattern, error) {
	patterns := make([]*pattern, len(texts))
	for i, text := range texts {
		p, err := parsePattern(text)
		if err != nil {
			return nil, fmt.Errorf("read pattern %q: %w", text, err)
		}
		patterns[i] = p
	}
	return patterns, nil
}

func parsePattern(text string) (*pattern, error) {
	parts, err := patternParts(text)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if len(part) == 0 {
			return nil, fmt.Errorf("a name is empty")
		}
	}
	switch len(parts) {
	case 1:
		return &pattern{text: text, schema: []rune{anything}, table: parts[0]}, nil
	case 2:
		return &pattern{text: text, schema: parts[0], table: parts[1]}, nil
	}
	return nil, fmt.Errorf("it has %d parts, want schema.table", len(parts))
}

// patternParts splits at the dots outside quotes. Outside quotes ASCII letters
// fold to lower case, as the server folds them in UTF-8.
func patternParts(text string) ([][]rune, error) {
	parts := [][]rune{nil}
	quoted := false
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		last := &parts[len(parts)-1]
		switch r := runes[i]; {
		case r == '"' && quoted && i+1 < len(runes) && runes[i+1] == '"':
			*last = append(*last, '"')
			i++
		case r == '"':
			quoted = !quoted
		case quoted:
			*last = append(*last, r)
		case r == '.':
			parts = append(parts, nil)
		case r == '*':
			*last = append(*last, anything)
		default:
			*last = append(*last, fold(r))
		}
	}
	if quoted {
		return nil, fmt.Errorf("a quote is not closed")
	}
	return parts, nil
}

func fold(r rune) rune {
	if strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZ", r) {
		return r + 'a' - 'A'
	}
	return r
}

func (p *pattern) matches(n schema.Name) bool {
	return matchRunes(p.schema, []rune(n.Schema)) && matchRunes(p.table, []rune(n.Name))
}

// matchRunes goes back to the last * only: linear in practice, never worse than
// the product of both lengths.
func matchRunes(p, s []rune) bool {
	i, star, mark := 0, -1, 0
	for at := 0; at < len(s); {
		switch {
		case i < len(p) && p[i] == anything:
			star, mark = i, at
			i++
		case i < len(p) && p[i] == s[at]:
			i++
			at++
		case star >= 0:
			mark++
			i, at = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == anything {
		i++
	}
	return i == len(p)
}
