package replication

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/merge/batch"
)

// The encoders write messages as the protocol's page shows them, apart from the
// decoder's code.

func u16(n int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(n)) }
func u32(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }
func u64(n int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

func msg(kind byte, parts ...any) []byte {
	b := []byte{kind}
	for _, p := range parts {
		switch p := p.(type) {
		case []byte:
			b = append(b, p...)
		case string:
			b = append(append(b, p...), 0)
		case byte:
			b = append(b, p)
		case batch.Tuple:
			b = append(b, p...)
		}
	}
	return b
}

func tuple(values ...string) batch.Tuple {
	var vs []batch.Value
	for _, v := range values {
		vs = append(vs, batch.Value{Kind: batch.Text, Data: []byte(v)})
	}
	return batch.NewTuple(vs...)
}

func beginMsg(lsn, micros, xid int) []byte { return msg('B', u64(lsn), u64(micros), u32(xid)) }
func commitMsg(lsn, end int) []byte        { return msg('C', byte(0), u64(lsn), u64(end), u64(0)) }

func relationMsg(oid int, name string, columns ...string) []byte {
	b := msg('R', u32(oid), "public", name, byte('d'), u16(len(columns)))
	for i, c := range columns {
		b = append(b, msg(byte(max(0, 1-i)), c, u32(25), u32(-1))...)
	}
	return b
}

// feed decodes messages into a queue without a server.
func feed(t testing.TB, cfg ReaderConfig, msgs ...[]byte) (*Reader, error) {
	t.Helper()
	cfg.DSN, cfg.Slot, cfg.Publications = "host=/nowhere", "s", []string{"p"}
	r, err := NewReader(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range msgs {
		if err := r.dec.decode(m); err != nil {
			return r, err
		}
	}
	return r, nil
}

func TestDecode_SkipsWhatCarriesNoData(t *testing.T) {
	t.Parallel()
	r, err := feed(t, ReaderConfig{},
		msg('A', u32(1), u32(2)), beginMsg(10, 1, 7), msg('O', u64(1), "origin"), msg('Y', u32(9), "s", "t"),
		relationMsg(1, "a", "id"), msg('I', u32(1), byte('N'), tuple("1")), msg('A', u32(1), u32(2)),
		msg('M', byte(1), u64(3), "prefix", u32(2), []byte("hi")), commitMsg(10, 20))
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := r.queue.poll(time.Now())
	if err != nil || len(b.Txs) != 1 || len(b.Txs[0].Changes) != 1 || b.LSN != 20 || r.Stats().Skipped != 2 {
		t.Errorf("got %+v, %v, %+v", b, err, r.Stats())
	}
}

func TestDecode_Refuses(t *testing.T) {
	t.Parallel()
	open := [][]byte{beginMsg(10, 1, 7), relationMsg(1, "a", "id", "v")}
	for want, bad := range map[string][]byte{
		"it is empty":                       {},
		"stream start: it does not belong":  msg('S', u32(1), byte(1)),
		`message of type '?'`:               msg('?'),
		"insert: message of 3 bytes is cut": msg('I', u16(1)),
		"relation 2 has not been described": msg('I', u32(2), byte('N'), tuple("1", "2")),
		"tuple has 1 columns":               msg('I', u32(1), byte('N'), tuple("1")),
		"unknown kind 'X'":                  msg('I', u32(1), byte('X'), tuple("1", "2")),
		"has 1 left over":                   msg('I', u32(1), byte('N'), tuple("1", "2"), byte(0)),
		"delete: tuple of unknown kind 'N'": msg('D', u32(1), byte('N'), tuple("1", "2")),
		"9 relations in 4 bytes":            msg('T', u32(9), byte(0), u32(1)),
		"has not ended":                     beginMsg(11, 1, 8),
		"before its commit":                 commitMsg(10, 9),
	} {
		_, err := feed(t, ReaderConfig{}, append(open[:2:2], bad)...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", bad, err, want)
		}
	}
	if _, err := feed(t, ReaderConfig{}, open[1], msg('I', u32(1), byte('N'), tuple("1", "2"))); err == nil {
		t.Error("a change outside a transaction is accepted")
	}
}

func TestDecode_RelationKeepsItsPointer(t *testing.T) {
	t.Parallel()
	insert := msg('I', u32(1), byte('N'), tuple("1"))
	r, err := feed(t, ReaderConfig{}, beginMsg(10, 1, 7), relationMsg(1, "a", "id"), insert,
		relationMsg(1, "a", "id"), insert, relationMsg(1, "b", "id"), insert, commitMsg(10, 20))
	if err != nil {
		t.Fatal(err)
	}
	b, _, _ := r.queue.poll(time.Now())
	c := b.Txs[0].Changes
	if c[0].Rel != c[1].Rel || c[1].Rel == c[2].Rel || c[2].Rel.Name.Name != "b" || !c[0].Rel.Columns[0].Identity {
		t.Errorf("got %+v", c)
	}
}

func TestStamps_AscendWhenTheClockStepsBack(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	commits := []time.Duration{0, time.Second, -time.Hour, -time.Hour, 2 * time.Second}
	want := []time.Duration{1000, time.Second, time.Second + 1000, time.Second + 2000, 2 * time.Second}
	var msgs [][]byte
	for i, d := range commits {
		msgs = append(msgs, beginMsg(10*i+1, int(at.Add(d).UnixMicro()-epoch2000), i), relationMsg(1, "a", "id"),
			msg('T', u32(1), byte(0), u32(1)), commitMsg(10*i+1, 10*i+2))
	}
	r, err := feed(t, ReaderConfig{Stamp: at}, msgs...)
	if err != nil {
		t.Fatal(err)
	}
	b, _, _ := r.queue.poll(time.Now())
	for i, tx := range b.Txs {
		if got := tx.Stamp.Sub(at); got != want[i] {
			t.Errorf("commit %d: got %s, want %s", i, got, want[i])
		}
	}
	if !b.Stamp.Equal(b.Txs[4].Stamp) || r.Stats().ClockJumps != 0 {
		t.Errorf("got %s, %+v", b.Stamp, r.Stats())
	}
}

func TestStamps_CountJumps(t *testing.T) {
	t.Parallel()
	ahead := int(time.Now().Add(time.Hour).UnixMicro() - epoch2000)
	r, err := feed(t, ReaderConfig{}, beginMsg(10, ahead, 1), commitMsg(10, 20), beginMsg(30, ahead, 1))
	if err != nil || r.Stats().ClockJumps != 2 {
		t.Errorf("got %v, %+v", err, r.Stats())
	}
}

func TestQueue_EmptyTransactionsAdvance(t *testing.T) {
	t.Parallel()
	r, err := feed(t, ReaderConfig{From: 5}, beginMsg(10, 1, 7), commitMsg(10, 20))
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := r.queue.poll(time.Now())
	if err != nil || b == nil || len(b.Txs) != 0 || b.LSN != 20 || b.Stamp.UnixMicro() != epoch2000+1 {
		t.Errorf("got %+v, %v", b, err)
	}
	r.out.keepalive(30)
	if b, wait, _ := r.queue.poll(time.Now()); b != nil || wait <= 0 || wait > idleEvery {
		t.Errorf("a second position at once: %+v, %s", b, wait)
	}
	r.queue.hurry()
	if b, _, _ := r.queue.poll(time.Now()); b == nil || b.LSN != 30 {
		t.Errorf("the server asked, got %+v", b)
	}
}

func TestAssemble_KeepaliveWithinATransactionSaysNothing(t *testing.T) {
	t.Parallel()
	r, err := feed(t, ReaderConfig{Until: 25}, beginMsg(10, 1, 7), relationMsg(1, "a", "id"))
	if err != nil {
		t.Fatal(err)
	}
	r.out.keepalive(30)
	if b, _, _ := r.queue.poll(time.Now()); b != nil || r.out.reached {
		t.Errorf("got %+v", b)
	}
}

func TestAssemble_UntilExcludesWhatEndsAfter(t *testing.T) {
	t.Parallel()
	r, err := feed(t, ReaderConfig{Until: 20}, beginMsg(10, 1, 7), relationMsg(1, "a", "id"),
		msg('T', u32(1), byte(0), u32(1)), commitMsg(10, 15), beginMsg(20, 1, 8))
	if err != nil || !r.out.reached {
		t.Fatalf("reached %v, %v", r.out.reached, err)
	}
	b, _, _ := r.queue.poll(time.Now())
	if len(b.Txs) != 1 || b.LSN != 20 {
		t.Errorf("got %+v", b)
	}
}

func FuzzDecode(f *testing.F) {
	for _, m := range [][]byte{
		beginMsg(10, 1, 7), commitMsg(10, 20), relationMsg(1, "a", "id", "v"), msg('T', u32(1), byte(0), u32(1)),
		msg('I', u32(1), byte('N'), tuple("1", "2")), msg('D', u32(1), byte('K'), tuple("1", "2")),
		msg('U', u32(1), byte('O'), tuple("1", "2"), byte('N'), tuple("1", "2")), msg('A'), nil,
	} {
		f.Add(m)
	}
	f.Fuzz(func(t *testing.T, m []byte) {
		r, err := feed(t, ReaderConfig{}, beginMsg(10, 1, 7), relationMsg(1, "a", "id", "v"))
		if err != nil {
			t.Fatal(err)
		}
		if r.dec.decode(m) == nil {
			_ = r.dec.decode(commitMsg(10, 20))
		}
		for b, _, _ := r.queue.poll(time.Now()); b != nil; b, _, _ = r.queue.poll(time.Now()) {
			checkTuples(t, b)
		}
		_ = r.copyData(m)
	})
}

// checkTuples reads every value: a tuple that was accepted can be read.
func checkTuples(t *testing.T, b *batch.Batch) {
	for _, tx := range b.Txs {
		for _, c := range tx.Changes {
			for _, tuple := range []batch.Tuple{c.Old, c.New} {
				if tuple != nil && len(tuple.Values(nil)) != len(c.Rel.Columns) {
					t.Errorf("%d columns, %d values", len(c.Rel.Columns), tuple.Len())
				}
			}
		}
	}
}

// BenchmarkDecode decodes rows of about 110 bytes, in transactions of one row
// and of ten thousand, and hands them over.
func BenchmarkDecode(b *testing.B) {
	for _, rows := range []int{1, 10000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) { benchmarkDecode(b, rows) })
	}
}

func benchmarkDecode(b *testing.B, rows int) {
	row := msg('U', u32(1), byte('N'), tuple("123456", strings.Repeat("x", 60), "2024-01-01 00:00:00.123456+00", "12.50"))
	header := append([]byte{'w'}, make([]byte, 24)...)
	row = append(header, row...)
	r, err := feed(b, ReaderConfig{}, relationMsg(1, "a", "id", "v", "w", "x"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(row)))
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		if n%rows == 0 {
			_ = r.dec.decode(beginMsg(n+1, n, n))
		}
		if err := r.copyData(row); err != nil {
			b.Fatal(err)
		}
		if n%rows == rows-1 {
			_ = r.dec.decode(commitMsg(n+1, n+1))
		}
		if n%10000 == 9999 {
			_, _, _ = r.queue.poll(time.Now())
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
