package autocdc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// readiness knows which sources are copied or followed. It is safe for
// concurrent use.
type readiness struct {
	mu      sync.Mutex
	pending map[string]bool
}

func newReadiness(sources []string) *readiness {
	r := &readiness{pending: map[string]bool{}}
	for _, s := range sources {
		r.pending[s] = true
	}
	return r
}

func (r *readiness) set(source string, ready bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.pending, source)
	if !ready {
		r.pending[source] = true
	}
}

// waiting names the sources that are not ready.
func (r *readiness) waiting() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for s := range r.pending {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// handler serves health, readiness and metrics.
func handler(m *metrics, r *readiness) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if waiting := r.waiting(); len(waiting) > 0 {
			http.Error(w, "waiting for "+strings.Join(waiting, ", "), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ready")
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	return mux
}

// listen opens the address at once, so that a wrong one is reported before
// anything starts; serve then blocks until ctx ends.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	return l, nil
}

func serve(ctx context.Context, l net.Listener, h http.Handler, log *slog.Logger) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	log.Info("serve http", "address", l.Addr().String())
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve http: %w", err)
	}
	return nil
}
