package replication

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/autocdc/autocdc/merge/batch"
)

// cursor reads the parts of a message. It never reads beyond the end: the first
// part that is cut off sets err, and all later ones are zero.
type cursor struct {
	b   []byte
	at  int
	err error
}

// take returns the next n bytes, aliasing the message, or nil.
func (c *cursor) take(n int) []byte {
	if c.err != nil || n < 0 || len(c.b)-c.at < n {
		c.fail()
		return nil
	}
	b := c.b[c.at : c.at+n]
	c.at += n
	return b
}

func (c *cursor) fail() {
	if c.err == nil {
		c.err = fmt.Errorf("message of %d bytes is cut off after byte %d", len(c.b), c.at)
	}
}

func (c *cursor) u8() byte {
	if b := c.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) u16() uint16 {
	if b := c.take(2); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

func (c *cursor) u32() uint32 {
	if b := c.take(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

func (c *cursor) u64() uint64 {
	if b := c.take(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// str reads a string that ends in a zero byte.
func (c *cursor) str() string {
	if c.err != nil {
		return ""
	}
	n := bytes.IndexByte(c.b[c.at:], 0)
	if n < 0 {
		c.fail()
		return ""
	}
	s := string(c.b[c.at : c.at+n])
	c.at += n + 1
	return s
}

// tuple reads a TupleData of the given number of columns, aliasing the message.
func (c *cursor) tuple(columns int) batch.Tuple {
	if c.err != nil {
		return nil
	}
	n, err := batch.Size(c.b[c.at:])
	if err != nil {
		c.err = err
		return nil
	}
	t := batch.Tuple(c.take(n))
	if t.Len() != columns {
		c.err = fmt.Errorf("tuple has %d columns, its relation %d", t.Len(), columns)
	}
	return t
}

// end reports what went wrong, or bytes that are left over.
func (c *cursor) end() error {
	if c.err == nil && c.at != len(c.b) {
		return fmt.Errorf("message of %d bytes has %d left over", len(c.b), len(c.b)-c.at)
	}
	return c.err
}
