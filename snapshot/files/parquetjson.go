package files

import (
	"encoding/json"
	"errors"
	"slices"
)

// value appends the value of a column in the current row.
func (s *shape) value(dst []byte, c *cursor) (text []byte, null bool, err error) {
	switch {
	case s.leaves > 0 && s.optional && c.peek(s.leaf).DefinitionLevel() < s.def:
		c.skip(s)
		return dst, true, nil
	case s.form == formLeaf && !s.repeated:
		dst, err = s.scalar.append(dst, c.take(s.leaf), s.nanos)
	default:
		dst, err = s.json(dst, c)
	}
	return dst, false, err
}

// json appends a node as JSON: null, a list of what is repeated, or one value. The
// levels that the values bear say which
// (https://github.com/apache/parquet-format#nested-encoding).
func (s *shape) json(dst []byte, c *cursor) ([]byte, error) {
	there := s.leaves == 0 || c.peek(s.leaf).DefinitionLevel() >= s.def
	switch {
	case s.optional && !there:
		c.skip(s)
		return append(dst, "null"...), nil
	case s.repeated:
		return s.list(dst, c, s.one)
	}
	return s.one(dst, c)
}

// list appends what the repeated node s holds, by each.
func (s *shape) list(dst []byte, c *cursor, each func([]byte, *cursor) ([]byte, error)) ([]byte, error) {
	dst = append(dst, '[')
	if c.peek(s.leaf).DefinitionLevel() < s.def {
		c.skip(s)
		return append(dst, ']'), nil
	}
	for n := 0; ; n++ {
		if n > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = each(dst, c); err != nil {
			return dst, err
		}
		if len(c.values[s.leaf]) == 0 || c.peek(s.leaf).RepetitionLevel() != s.rep {
			return append(dst, ']'), nil
		}
	}
}

// one appends a node that is there, once.
func (s *shape) one(dst []byte, c *cursor) ([]byte, error) {
	switch s.form {
	case formLeaf:
		return s.scalar.json(dst, c)(s.leaf)
	case formList:
		group, element := s.children[0], s.element()
		if element == group {
			return group.list(dst, c, group.one)
		}
		return group.list(dst, c, element.json)
	case formMap:
		return s.mapping(dst, c)
	}
	return s.object(dst, c)
}

func (s *shape) object(dst []byte, c *cursor) ([]byte, error) {
	dst = append(dst, '{')
	for i, child := range s.children {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendJSON(dst, []byte(child.name)), ':')
		var err error
		if dst, err = child.json(dst, c); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// mapping appends a map as an object if its keys are text, else as a list of pairs.
func (s *shape) mapping(dst []byte, c *cursor) ([]byte, error) {
	entry := s.children[0]
	key, value := entry.children[0], entry.children[1]
	if key.form != formLeaf || key.scalar.kind != kindText || key.optional {
		return entry.list(dst, c, entry.object)
	}
	start := len(dst)
	dst, err := entry.list(dst, c, func(dst []byte, c *cursor) ([]byte, error) {
		dst, err := key.json(dst, c)
		if err != nil {
			return dst, err
		}
		return value.json(append(dst, ':'), c)
	})
	if err != nil {
		return dst, err
	}
	dst[start], dst[len(dst)-1] = '{', '}'
	return dst, nil
}

// json appends the next value of a leaf.
func (s scalar) json(dst []byte, c *cursor) func(leaf int) ([]byte, error) {
	return func(leaf int) ([]byte, error) {
		start := len(dst)
		dst, err := s.append(dst, c.take(leaf), true)
		if err != nil {
			return dst, err
		}
		text := slices.Clone(dst[start:])
		switch {
		case s.kind == kindBool, s.kind == kindNumber && isNumber(text), s.kind == kindJSON && json.Valid(text):
			return dst, nil
		}
		return appendJSON(dst[:start], text), nil
	}
}

// isNumber tells numbers from NaN and Infinity, which JSON has not.
func isNumber(text []byte) bool {
	last := text[len(text)-1]
	return last >= '0' && last <= '9'
}

// appendJSON appends text as a JSON string.
func appendJSON(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, b := range text {
		switch {
		case b == '"' || b == '\\':
			dst = append(dst, '\\', b)
		case b < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
		default:
			dst = append(dst, b)
		}
	}
	return append(dst, '"')
}

var errNoText = errors.New("the text is not valid UTF-8")
