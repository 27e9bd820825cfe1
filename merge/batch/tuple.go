package batch

import (
	"encoding/binary"
	"fmt"
	"iter"
)

// Kind says how a column travels in a Tuple.
type Kind byte

// The kinds of pgoutput's TupleData.
const (
	Null      Kind = 'n'
	Unchanged Kind = 'u' // a TOASTed value that the update left alone; not null, not sent
	Text      Kind = 't'
	Binary    Kind = 'b'
)

// Value is one column of a Tuple. Data aliases the tuple.
type Value struct {
	Kind Kind
	Data []byte
}

// Tuple is a row in the encoding of pgoutput's TupleData (a 16-bit count of
// columns, then a kind byte each, with a 32-bit length and the bytes for text
// and binary), so that rows pass through undecoded.
// https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html
type Tuple []byte

// NewTuple encodes values.
func NewTuple(values ...Value) Tuple {
	t := binary.BigEndian.AppendUint16(nil, uint16(len(values)))
	for _, v := range values {
		t = append(t, byte(v.Kind))
		if v.Kind == Text || v.Kind == Binary {
			t = binary.BigEndian.AppendUint32(t, uint32(len(v.Data)))
			t = append(t, v.Data...)
		}
	}
	return t
}

// Len returns the number of columns.
func (t Tuple) Len() int {
	if len(t) < 2 {
		return 0
	}
	return int(binary.BigEndian.Uint16(t))
}

// Size returns the length of the encoded tuple at the start of b, or an error if
// b ends within it or holds an unknown kind. The other methods trust a tuple
// that Size has accepted.
func Size(b []byte) (int, error) {
	if len(b) < 2 {
		return 0, fmt.Errorf("tuple ends after %d bytes", len(b))
	}
	at := 2
	for i := range int(binary.BigEndian.Uint16(b)) {
		if at >= len(b) {
			return 0, fmt.Errorf("tuple ends before column %d", i+1)
		}
		switch k := Kind(b[at]); k {
		case Null, Unchanged:
			at++
		case Text, Binary:
			if len(b)-at < 5 {
				return 0, fmt.Errorf("tuple ends in the length of column %d", i+1)
			}
			n := int(binary.BigEndian.Uint32(b[at+1:]))
			if n > len(b)-at-5 {
				return 0, fmt.Errorf("tuple ends in the value of column %d", i+1)
			}
			at += 5 + n
		default:
			return 0, fmt.Errorf("column %d of tuple has unknown kind %q", i+1, k)
		}
	}
	return at, nil
}

// All iterates over the columns.
func (t Tuple) All() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		at := 2
		for i := range t.Len() {
			v := Value{Kind: Kind(t[at])}
			at++
			if v.Kind == Text || v.Kind == Binary {
				n := int(binary.BigEndian.Uint32(t[at:]))
				v.Data = t[at+4 : at+4+n : at+4+n]
				at += 4 + n
			}
			if !yield(i, v) {
				return
			}
		}
	}
}

// Values appends the columns to buf[:0] and returns it.
func (t Tuple) Values(buf []Value) []Value {
	buf = buf[:0]
	for _, v := range t.All() {
		buf = append(buf, v)
	}
	return buf
}
