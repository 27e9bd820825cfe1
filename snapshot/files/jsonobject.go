package files

import (
	"bytes"
	"slices"
	"strings"
)

// object is a JSON object taken apart. It is reused from line to line.
type object struct {
	members []member
	text    []byte // names that had escapes
}

type member struct{ name, value []byte }

// parse takes a valid JSON object apart; only a key that cannot be, or is there
// twice, is an error.
func (o *object) parse(line []byte) error {
	o.members, o.text = o.members[:0], o.text[:0]
	rest := space(line[1:])
	for rest[0] != '}' {
		end := stringEnd(rest)
		name, err := o.name(rest[:end])
		if err != nil {
			return err
		}
		rest = space(space(rest[end:])[1:]) // the colon
		end = valueEnd(rest)
		if slices.ContainsFunc(o.members, func(m member) bool { return bytes.Equal(m.name, name) }) {
			return errTwice(name)
		}
		o.members = append(o.members, member{name, rest[:end:end]})
		if rest = space(rest[end:]); rest[0] == ',' {
			rest = space(rest[1:])
		}
	}
	return nil
}

func (o *object) name(quoted []byte) ([]byte, error) {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1], nil
	}
	start := len(o.text)
	text, err := unquote(o.text, quoted)
	if err != nil {
		return nil, err
	}
	o.text = text
	return text[start:len(text):len(text)], nil
}

func space(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t' || b[0] == '\r' || b[0] == '\n') {
		b = b[1:]
	}
	return b
}

// stringEnd is behind the closing quote.
func stringEnd(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

// valueEnd is behind the value at the begin of b.
func valueEnd(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			i += stringEnd(b[i:]) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 {
				return i // of the object around a number
			}
			depth--
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(b)
}

// place finds the column of a key. A column of the schema in small letters takes
// keys whatever their case.
func (r *jsonRows) place(name []byte) (int, bool) {
	at, ok := r.places[string(name)]
	if !ok && r.fold {
		at, ok = r.places[strings.ToLower(string(name))]
	}
	return at, ok
}
