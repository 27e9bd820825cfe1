package autocdc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/autocdc/autocdc/merge"
)

// relockFor is how long a run that has lost its lock waits for its own dead
// session on the target to go away.
const relockFor = time.Minute

// keeper holds the pipeline's locked state for the sources of a run, which use it
// one at a time, and opens it anew after its connection was lost.
type keeper struct {
	dsn      string
	metadata string
	pipeline string
	log      *slog.Logger

	mu    sync.Mutex
	state *merge.State
	life  int // counts how often the state was opened
}

// open takes the lock for the first time. It returns a *merge.RunningError while
// another run lives.
func (k *keeper) open(ctx context.Context) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.lock(ctx)
}

func (k *keeper) lock(ctx context.Context) error {
	state, err := merge.OpenState(ctx, k.dsn, k.metadata)
	if err != nil {
		return fmt.Errorf("open state: %w", err)
	}
	if err := state.Lock(ctx, k.pipeline); err != nil {
		return errors.Join(fmt.Errorf("lock pipeline: %w", err), state.Close())
	}
	k.state, k.life = state, k.life+1
	return nil
}

// use calls f with the locked state, which f must not keep using after another
// use. It returns which life of the state that was.
func (k *keeper) use(ctx context.Context, f func(*merge.State) error) (life int, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.revive(ctx); err != nil {
		return k.life, err
	}
	return k.life, f(k.state)
}

// current tells whether the state of that life is still the one in use.
func (k *keeper) current(life int) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.state != nil && k.life == life
}

// revive opens the state again if its connection, and with it the lock, is gone.
func (k *keeper) revive(ctx context.Context) error {
	if k.state != nil {
		if _, err := k.state.Flows(ctx, k.pipeline); err == nil || !merge.Retryable(err) {
			return err
		}
		_ = k.state.Close() // it is broken
		k.state = nil
	}
	ctx, cancel := context.WithTimeout(ctx, relockFor)
	defer cancel()
	for {
		err := k.lock(ctx)
		var running *merge.RunningError
		if !errors.As(err, &running) {
			return err
		}
		k.log.Warn("wait for the pipeline's lock", "holder", running.PID)
		if !sleep(ctx, time.Second) {
			return err
		}
	}
}

func (k *keeper) close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.state == nil {
		return nil
	}
	return k.state.Close()
}

// sleep returns false if ctx ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
