package replication

import (
	"errors"
	"fmt"

	"github.com/jackc/pglogrepl"

	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
)

// decoder takes pgoutput's messages, protocol version 1, and tells the assembler
// what they say. It keeps nothing of a message but what it copies.
// https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html
type decoder struct {
	out  *assembler
	rels map[uint32]*relation
	last *relation // of the last row: rows of one table come in runs
}

func newDecoder(out *assembler) *decoder {
	return &decoder{out: out, rels: map[uint32]*relation{}}
}

// decode handles one message. After an error the decoder must not be used.
func (d *decoder) decode(msg []byte) error {
	if len(msg) == 0 {
		return errors.New("decode message: it is empty")
	}
	c := cursor{b: msg, at: 1}
	if err := d.message(msg[0], &c); err != nil {
		return fmt.Errorf("decode %s: %w", messageName(msg[0]), err)
	}
	return nil
}

func (d *decoder) message(kind byte, c *cursor) error {
	switch kind {
	case 'I':
		return d.insert(c)
	case 'U':
		return d.update(c)
	case 'D':
		return d.delete(c)
	case 'B':
		return d.begin(c)
	case 'C':
		return d.commit(c)
	case 'R':
		return d.relation(c)
	case 'T':
		return d.truncate(c)
	case 'M':
		return d.logical(c)
	case 'Y', 'O': // type, origin: nothing follows from them
		return nil
	case 'A', 'E', 'r': // stream abort, stream stop, rollback prepared
		d.out.count.skipped.Add(1)
		return nil
	}
	return errors.New("it does not belong to protocol version 1")
}

func messageName(kind byte) string {
	names := map[byte]string{
		'B': "begin", 'C': "commit", 'I': "insert", 'U': "update", 'D': "delete", 'T': "truncate",
		'R': "relation", 'S': "stream start", 'c': "stream commit", 'b': "begin prepare",
		'P': "prepare", 'K': "commit prepared", 'p': "stream prepare",
	}
	if name := names[kind]; name != "" {
		return name
	}
	return fmt.Sprintf("message of type %q", kind)
}

func (d *decoder) begin(c *cursor) error {
	commitLSN, stamp, xid := pglogrepl.LSN(c.u64()), c.u64(), c.u32()
	if err := c.end(); err != nil {
		return err
	}
	return d.out.begin(commitLSN, pgTime(stamp), xid)
}

func (d *decoder) commit(c *cursor) error {
	_, commitLSN, endLSN, _ := c.u8(), c.u64(), pglogrepl.LSN(c.u64()), c.u64()
	if err := c.end(); err != nil {
		return err
	}
	return d.out.commit(pglogrepl.LSN(commitLSN), endLSN)
}

func (d *decoder) insert(c *cursor) error {
	rel, err := d.lookup(c)
	if err != nil {
		return err
	}
	if kind := c.u8(); kind != 'N' {
		return fmt.Errorf("tuple of unknown kind %q", kind)
	}
	t := c.tuple(rel.columns)
	if err := c.end(); err != nil {
		return err
	}
	return d.out.change(rel.Relation, batch.Insert, nil, t)
}

func (d *decoder) update(c *cursor) error {
	rel, err := d.lookup(c)
	if err != nil {
		return err
	}
	var old batch.Tuple
	kind := c.u8()
	if kind == 'K' || kind == 'O' {
		old = c.tuple(rel.columns)
		kind = c.u8()
	}
	if kind != 'N' && c.err == nil {
		return fmt.Errorf("tuple of unknown kind %q", kind)
	}
	t := c.tuple(rel.columns)
	if err := c.end(); err != nil {
		return err
	}
	return d.out.change(rel.Relation, batch.Update, old, t)
}

func (d *decoder) delete(c *cursor) error {
	rel, err := d.lookup(c)
	if err != nil {
		return err
	}
	if kind := c.u8(); kind != 'K' && kind != 'O' {
		return fmt.Errorf("tuple of unknown kind %q", kind)
	}
	t := c.tuple(rel.columns)
	if err := c.end(); err != nil {
		return err
	}
	return d.out.change(rel.Relation, batch.Delete, t, nil)
}

// truncate makes one change per relation that the statement names.
func (d *decoder) truncate(c *cursor) error {
	n, _ := c.u32(), c.u8()
	if rest := len(c.b) - c.at; c.err == nil && uint64(n)*4 != uint64(rest) {
		return fmt.Errorf("%d relations in %d bytes", n, rest)
	}
	for range n {
		rel, err := d.lookup(c)
		if err != nil {
			return err
		}
		if err := d.out.change(rel.Relation, batch.Truncate, nil, nil); err != nil {
			return err
		}
	}
	return c.end()
}

// lookup reads the OID of a relation and returns what was said about it last.
func (d *decoder) lookup(c *cursor) (*relation, error) {
	oid := c.u32()
	if c.err != nil {
		return nil, c.err
	}
	if d.last != nil && d.last.OID == oid {
		return d.last, nil
	}
	rel := d.rels[oid]
	if rel == nil {
		return nil, fmt.Errorf("relation %d has not been described", oid)
	}
	d.last = rel
	return rel, nil
}

// epoch2000 is the zero of Postgres's clock in microseconds since 1970.
const epoch2000 = 946_684_800_000_000

// pgTime converts microseconds since 2000 to microseconds since 1970.
func pgTime(micros uint64) int64 { return int64(micros) + epoch2000 }

// relation is a description and the message that it came in.
type relation struct {
	*schema.Relation
	columns int
	raw     string
}
