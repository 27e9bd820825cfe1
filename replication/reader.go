package replication

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/merge/batch"
)

// DefaultMaxBytes bounds what waits to be taken unless the configuration does.
const DefaultMaxBytes = 32 << 20

// minBytes holds a transaction and a few changes.
const minBytes = 4 << 10

// ReaderConfig is what NewReader needs.
type ReaderConfig struct {
	DSN          string
	Slot         string
	Publications []string
	From         pglogrepl.LSN // everything that ends at or before it has been applied
	Stamp        time.Time     // the last stamp given at or before From; zero: none
	Floors       []batch.Point // commits after each get later stamps
	Until        pglogrepl.LSN // end when all that ends at or before it is read; 0: never
	MaxBytes     int           // bound of the memory of what waits; 0: DefaultMaxBytes
	Log          *slog.Logger  // nil: silent
}

// Reader reads one slot. Run is for one goroutine, Next for one other; the other
// methods are for any. A Reader is used once: after an error make a new one.
type Reader struct {
	cfg   ReaderConfig
	conn  *pgconn.Config
	log   *slog.Logger
	queue *queue
	out   *assembler
	dec   *decoder

	flushed  atomic.Uint64 // acknowledged by Ack
	received atomic.Uint64
	heard    atomic.Int64 // when, microseconds since 1970
	messages atomic.Uint64
	waiting  atomic.Bool   // the receiver, for the consumer
	acked    chan struct{} // Ack was called
	asked    chan struct{} // the server wants a reply
	count    counts
}

// counts are counted since the start.
type counts struct {
	txs, changes, skipped, clockJumps atomic.Uint64
}

// Stats are numbers since the Reader was made.
type Stats struct {
	Transactions uint64 // handed over, or waiting to be
	Changes      uint64
	Skipped      uint64 // messages nobody asked for, without data
	ClockJumps   uint64 // commits more than a minute ahead of the local clock
}

// NewReader checks the configuration; it does not connect.
func NewReader(cfg ReaderConfig) (*Reader, error) {
	conn, err := walsenderConfig(cfg.DSN)
	if err == nil && cfg.Slot == "" {
		err = errors.New("no slot is named")
	}
	if err == nil && len(cfg.Publications) == 0 {
		err = errors.New("no publication is named")
	}
	if err != nil {
		return nil, fmt.Errorf("configure reader: %w", err)
	}
	if cfg.MaxBytes <= 0 {
		cfg.MaxBytes = DefaultMaxBytes
	}
	cfg.MaxBytes = max(cfg.MaxBytes, minBytes)
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return newReader(cfg, conn), nil
}

func newReader(cfg ReaderConfig, conn *pgconn.Config) *Reader {
	r := &Reader{
		cfg: cfg, conn: conn, log: cfg.Log.With("slot", cfg.Slot),
		queue: newQueue(cfg.From, cfg.Stamp),
		acked: make(chan struct{}, 1), asked: make(chan struct{}, 1),
	}
	r.received.Store(uint64(cfg.From))
	r.out = &assembler{q: r.queue, until: cfg.Until, floors: cfg.Floors, count: &r.count}
	r.out.clock = stampClock{log: r.log, jumps: &r.count.clockJumps}
	if !cfg.Stamp.IsZero() {
		r.out.clock.last = cfg.Stamp.UnixMicro()
	}
	r.dec = newDecoder(r.out)
	return r
}

// Next waits until something has been received and returns all of it: whole
// transactions, or one piece of a large one, or, when the source is idle, every
// few seconds a batch without transactions whose LSN may be acknowledged. The
// batch is the caller's. Next returns io.EOF when everything up to Until has
// been returned, which also lets Run end: acknowledge before. It returns Run's
// error once what was received before it has been returned, and ctx's when that
// ends.
func (r *Reader) Next(ctx context.Context) (*batch.Batch, error) {
	return r.queue.next(ctx)
}

// Ack tells the server that everything that ends at or before lsn is durable in
// the target, so that its WAL may go. A position lower than one given before is
// ignored.
func (r *Reader) Ack(lsn pglogrepl.LSN) {
	for {
		old := r.flushed.Load()
		if uint64(lsn) <= old {
			return
		}
		if r.flushed.CompareAndSwap(old, uint64(lsn)) {
			signal(r.acked)
			return
		}
	}
}

// Received returns how far the source's WAL has been received, and the local
// time when the server was heard last; zero before that.
func (r *Reader) Received() (pglogrepl.LSN, time.Time) {
	lsn, micros := pglogrepl.LSN(r.received.Load()), r.heard.Load()
	if micros == 0 {
		return lsn, time.Time{}
	}
	return lsn, time.UnixMicro(micros)
}

// Stats returns the counters.
func (r *Reader) Stats() Stats {
	return Stats{
		Transactions: r.count.txs.Load(), Changes: r.count.changes.Load(),
		Skipped: r.count.skipped.Load(), ClockJumps: r.count.clockJumps.Load(),
	}
}
