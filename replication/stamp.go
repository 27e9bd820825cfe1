package replication

import (
	"log/slog"
	"sync/atomic"
	"time"
)

// stampClock makes commit times strictly ascending. Times are microseconds
// since 1970.
type stampClock struct {
	last  int64
	log   *slog.Logger
	jumps *atomic.Uint64
	quiet time.Time // no warning before
}

func (c *stampClock) time() time.Time {
	if c.last == 0 {
		return time.Time{}
	}
	return time.UnixMicro(c.last).UTC()
}

// stamp returns the stamp of the next commit; the caller sets last when it ends.
func (c *stampClock) stamp(micros int64, now time.Time) time.Time {
	if ahead := micros - now.UnixMicro(); ahead > time.Minute.Microseconds() {
		c.warn(time.Duration(ahead)*time.Microsecond, now)
	}
	return time.UnixMicro(max(micros, c.last+1)).UTC()
}

// warn counts each transaction and speaks at most once a minute.
func (c *stampClock) warn(ahead time.Duration, now time.Time) {
	c.jumps.Add(1)
	if now.Before(c.quiet) {
		return
	}
	c.quiet = now.Add(time.Minute)
	c.log.Warn("commit time is ahead of the local clock", "ahead", ahead.Round(time.Second))
}
