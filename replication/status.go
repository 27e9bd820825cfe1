package replication

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/autocdc/autocdc/config/failpoint"
)

const (
	ackEvery  = 100 * time.Millisecond // at most
	statusMax = 10 * time.Second       // at least
	untilPoll = 100 * time.Millisecond // in Until mode, to find the end quickly
	deafAfter = 5 * time.Minute        // without a message although one was asked for
)

// copyData handles one message of the copy stream.
func (r *Reader) copyData(data []byte) error {
	if len(data) == 0 {
		return fmt.Errorf("read copy data: it is empty")
	}
	switch data[0] {
	case pglogrepl.XLogDataByteID:
		return r.walData(data)
	case pglogrepl.PrimaryKeepaliveMessageByteID:
		return r.keepalive(data)
	}
	return fmt.Errorf("read copy data: unknown kind %q", data[0])
}

// walData strips the header: start and end in the WAL, the server's clock.
func (r *Reader) walData(data []byte) error {
	if len(data) < 26 {
		return fmt.Errorf("read WAL data: header of %d bytes", len(data))
	}
	r.hear(binary.BigEndian.Uint64(data[1:]), data[25] == 'C')
	return r.dec.decode(data[25:])
}

func (r *Reader) keepalive(data []byte) error {
	if len(data) != 18 {
		return fmt.Errorf("read keepalive: %d bytes", len(data))
	}
	walEnd := binary.BigEndian.Uint64(data[1:])
	r.hear(walEnd, true)
	r.out.keepalive(pglogrepl.LSN(walEnd))
	if data[17] != 0 {
		r.queue.hurry()
		signal(r.asked)
	}
	return nil
}

// hear notes a position, and the time where it is worth reading the clock: not
// for each row.
func (r *Reader) hear(lsn uint64, tell bool) {
	if lsn > r.received.Load() {
		r.received.Store(lsn)
	}
	if tell {
		r.heard.Store(time.Now().UnixMicro())
	}
}

// sendStatus reports positions until ctx ends: at least as often as the server's
// time-out needs, soon after each Ack, at once when the server asks. Nothing that
// the consumer or the receiver does can hold it up.
func (r *Reader) sendStatus(ctx context.Context, l *link, timeout time.Duration) error {
	every := r.statusEvery(timeout)
	ear := listener{reader: r, limit: max(deafAfter, 2*timeout), since: time.Now()}
	for reply := true; ; {
		if err := l.send(r.status(reply)); err != nil {
			return fmt.Errorf("send status: %w", err)
		}
		failpoint.Pass(failpoint.StatusSent)
		reply = r.untilStatus(ctx, every)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // to be told to stop is no error
		}
		if ear.deaf(time.Now()) {
			return fmt.Errorf("%w: nothing heard for %s", ErrConnectionLost, ear.limit)
		}
	}
}

func (r *Reader) statusEvery(timeout time.Duration) time.Duration {
	every := statusMax
	if timeout > 0 {
		every = min(every, timeout/3)
	}
	if r.cfg.Until != 0 {
		every = min(every, untilPoll)
	}
	return every
}

// untilStatus waits until a status is due; true if nothing else was the cause,
// so that a reply is to be asked for.
func (r *Reader) untilStatus(ctx context.Context, every time.Duration) bool {
	sent := time.Now()
	timer := time.NewTimer(every)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
		return true
	case <-r.asked:
	case <-r.acked:
		sleep(ctx, ackEvery-time.Since(sent))
	}
	return false
}

// listener notices a server that has fallen silent while we wait for it. A
// status now and then asks for a reply, so that silence means something.
type listener struct {
	reader   *Reader
	limit    time.Duration
	messages uint64
	since    time.Time
}

func (l *listener) deaf(now time.Time) bool {
	n := l.reader.messages.Load()
	if n != l.messages || l.reader.waiting.Load() {
		l.messages, l.since = n, now
	}
	return now.Sub(l.since) > l.limit
}

// status encodes a standby status update as CopyData: written is what was
// received, flushed and applied what was acknowledged.
// https://www.postgresql.org/docs/current/protocol-replication.html
func (r *Reader) status(reply bool) []byte {
	flushed := r.flushed.Load()
	b := make([]byte, 0, 39)
	b = append(b, 'd')
	b = binary.BigEndian.AppendUint32(b, 38)
	b = append(b, pglogrepl.StandbyStatusUpdateByteID)
	b = binary.BigEndian.AppendUint64(b, max(flushed, r.received.Load()))
	b = binary.BigEndian.AppendUint64(b, flushed)
	b = binary.BigEndian.AppendUint64(b, flushed)
	b = binary.BigEndian.AppendUint64(b, uint64(time.Now().UnixMicro()-epoch2000))
	if reply {
		return append(b, 1)
	}
	return append(b, 0)
}
