package files

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// kind is what the values of a column are; with several it is text, or JSON if one
// of them is nested.
type kind byte

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindText
	kindJSON
)

// kindOf tells the kind of a JSON value by its first byte.
func kindOf(value []byte) kind {
	switch value[0] {
	case 'n':
		return kindNull
	case 't', 'f':
		return kindBool
	case '"':
		return kindText
	case '{', '[':
		return kindJSON
	}
	return kindNumber
}

// with is the kind of a column that has values of both.
func (k kind) with(other kind) kind {
	switch {
	case k == other || other == kindNull:
		return k
	case k == kindNull:
		return other
	case k == kindJSON || other == kindJSON:
		return kindJSON
	}
	return kindText
}

func (k kind) postgresType() string {
	switch k {
	case kindBool:
		return "boolean"
	case kindNumber:
		return "numeric"
	case kindJSON:
		return "jsonb"
	}
	return "text"
}

// learnedKind is the kind whose postgresType it is.
func learnedKind(pgType string) kind {
	for _, k := range []kind{kindBool, kindNumber, kindJSON} {
		if k.postgresType() == pgType {
			return k
		}
	}
	return kindText
}

// kindOfType says how values go into a column of a type: JSON stays JSON, all else
// is text for Postgres to read.
func kindOfType(pgType string) kind {
	switch strings.ToLower(pgType) {
	case "json", "jsonb":
		return kindJSON
	}
	return kindText
}

// value is what Postgres takes for a JSON value.
func (r *jsonRows) value(raw []byte, k kind) ([]byte, error) {
	is := kindOf(raw)
	if is == kindNull {
		return nil, nil
	}
	if (k == kindBool || k == kindNumber) && k != is {
		return nil, hinted("the first rows of the file had no such value: say by schema => '…' which types the columns have", "it is no %s", k.postgresType())
	}
	if is == kindJSON || k == kindJSON {
		return raw, checkEscapes(raw)
	}
	if is != kindText {
		return raw, nil
	}
	start := len(r.text)
	text, err := unquote(r.text, raw)
	if err != nil {
		return nil, err
	}
	r.text = text
	return text[start:len(text):len(text)], nil
}

// errEscape and errNUL are what JSON can say and Postgres cannot hold.
var (
	errEscape = errors.New(`half of a surrogate pair (\ud800 to \udfff) is no character`)
	errNUL    = errors.New(`the character NUL (\u0000), which Postgres cannot hold`)
)

// checkEscapes looks for what Postgres would refuse in the strings of a value.
func checkEscapes(raw []byte) error {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return nil
		}
		_, n, err := escape(raw[i:])
		if err != nil {
			return err
		}
		raw = raw[i+n:]
	}
}

// unquote appends the text of a valid JSON string.
func unquote(dst, raw []byte) ([]byte, error) {
	raw = raw[1 : len(raw)-1]
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(dst, raw...), nil
		}
		dst = append(dst, raw[:i]...)
		c, n, err := escape(raw[i:])
		if err != nil {
			return nil, err
		}
		dst = utf8.AppendRune(dst, c)
		raw = raw[i+n:]
	}
}

// escape reads what begins with a backslash, in valid JSON.
func escape(raw []byte) (c rune, n int, err error) {
	switch raw[1] {
	case 'b':
		return '\b', 2, nil
	case 'f':
		return '\f', 2, nil
	case 'n':
		return '\n', 2, nil
	case 'r':
		return '\r', 2, nil
	case 't':
		return '\t', 2, nil
	case 'u':
		return unicodeEscape(raw)
	}
	return rune(raw[1]), 2, nil
}

func unicodeEscape(raw []byte) (rune, int, error) {
	c := hexRune(raw[2:6])
	if c == 0 {
		return 0, 0, errNUL
	}
	if !utf16.IsSurrogate(c) {
		return c, 6, nil
	}
	if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
		if pair := utf16.DecodeRune(c, hexRune(raw[8:12])); pair != utf8.RuneError {
			return pair, 12, nil
		}
	}
	return 0, 0, errEscape
}

func hexRune(digits []byte) rune {
	n, err := strconv.ParseUint(string(digits), 16, 16)
	if err != nil {
		return utf8.RuneError // not in valid JSON
	}
	return rune(n)
}

func errTwice(name []byte) error { return fmt.Errorf("the key %q stands twice", name) }
