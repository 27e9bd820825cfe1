package autocdc

import (
	"context"
	"time"
)

// How long to wait before the next attempt: doubled each time, reset by an
// attempt that lasted.
const (
	firstWait = 200 * time.Millisecond
	longWait  = 15 * time.Second
	lasted    = time.Minute
)

// backoff is the pause before an attempt.
type backoff struct{ wait time.Duration }

// after returns the pause that follows an attempt of the given length.
func (b *backoff) after(attempt time.Duration) time.Duration {
	if attempt >= lasted || b.wait == 0 {
		b.wait = firstWait
	} else {
		b.wait = min(2*b.wait, longWait)
	}
	return b.wait
}

// outlive returns a context that ends some time after ctx, so that what is under
// way when ctx ends can be finished.
func outlive(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		sleep(longer, grace)
		cancel()
	})
	return longer, func() {
		stop()
		cancel()
	}
}
