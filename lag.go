package autocdc

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/schema/catalog"
)

const (
	lagEvery   = 2 * time.Second
	lagSamples = 4096
)

// lag compares the end of a source's WAL with what was applied. It needs no
// clock but its own: a position seen at the source and not yet applied is as old
// as the moment it was first seen.
type lag struct {
	metrics *metrics
	source  Source

	mu      sync.Mutex
	at      pglogrepl.LSN // applied
	stamp   time.Time     // of the last commit applied
	samples []lagSample   // not yet applied, ascending
	caught  bool          // was up to date once
}

type lagSample struct {
	lsn  pglogrepl.LSN
	seen time.Time
}

func newLag(m *metrics, source Source) *lag { return &lag{metrics: m, source: source} }

// applied notes progress.
func (l *lag) applied(lsn pglogrepl.LSN, stamp time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at, l.stamp = max(l.at, lsn), stamp
}

// run asks the source for the end of its WAL until ctx ends. A failure only makes
// it ask again later: the reader notices what is wrong.
func (l *lag) run(ctx context.Context, enabled bool) error {
	for enabled && ctx.Err() == nil {
		l.ask(ctx)
		sleep(ctx, lagEvery)
	}
	return nil
}

func (l *lag) ask(ctx context.Context) {
	conn, err := catalog.Connect(ctx, l.source.DSN)
	if err != nil {
		return
	}
	defer closeConn(conn)
	for ctx.Err() == nil {
		end, err := endOfWAL(ctx, conn)
		if err != nil {
			return
		}
		bytes, seconds := l.sample(end, time.Now())
		l.metrics.lagBytes.WithLabelValues(l.source.Name).Set(float64(bytes))
		l.metrics.lagSeconds.WithLabelValues(l.source.Name).Set(seconds.Seconds())
		sleep(ctx, lagEvery)
	}
}

// sample adds a position and returns the distance to it in bytes and time.
func (l *lag) sample(end pglogrepl.LSN, now time.Time) (bytes uint64, age time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.samples) > 0 && l.samples[0].lsn <= l.at {
		l.samples = l.samples[1:]
	}
	if end <= l.at {
		l.caught = true
		return 0, 0
	}
	if n := len(l.samples); n < lagSamples && (n == 0 || l.samples[n-1].lsn < end) {
		l.samples = append(l.samples, lagSample{end, now})
	}
	if len(l.samples) > 0 {
		age = now.Sub(l.samples[0].seen)
	}
	if !l.caught && !l.stamp.IsZero() {
		age = max(age, now.Sub(l.stamp)) // behind since before this run
	}
	return uint64(end - l.at), age
}

// endOfWAL is how far the WAL of a server has been written.
func endOfWAL(ctx context.Context, conn *pgx.Conn) (pglogrepl.LSN, error) {
	var end int64
	const query = `
SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END - '0/0')::bigint`
	if err := conn.QueryRow(ctx, query).Scan(&end); err != nil {
		return 0, fmt.Errorf("read the end of the WAL: %w", err)
	}
	return pglogrepl.LSN(end), nil
}
