package fault

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// Proxy forwards TCP connections on loopback until it is told to break them.
type Proxy struct {
	listener net.Listener
	to       string

	mu      sync.Mutex
	open    map[net.Conn]struct{}
	gate    chan struct{} // closed while bytes may pass
	refused bool
	closed  bool
	done    sync.WaitGroup
}

// NewProxy forwards to the server of a DSN until the end of the test. It returns
// the DSN that leads through it.
func NewProxy(t testing.TB, dsn string) (*Proxy, string) {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: listener, to: u.Host, open: map[net.Conn]struct{}{}, gate: make(chan struct{})}
	close(p.gate)
	p.done.Add(1)
	go p.accept()
	t.Cleanup(p.close)
	u.Host = listener.Addr().String()
	return p, u.String()
}

// Cut closes all connections; new ones are taken.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.open {
		_ = conn.Close()
	}
}

// Refuse closes all connections and takes no new ones, until Admit.
func (p *Proxy) Refuse() {
	p.mu.Lock()
	p.refused = true
	p.mu.Unlock()
	p.Cut()
}

// Admit ends Refuse.
func (p *Proxy) Admit() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused = false
}

// Stall lets no byte pass, and closes nothing, until Flow.
func (p *Proxy) Stall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gate = make(chan struct{})
}

// Flow ends Stall.
func (p *Proxy) Flow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.gate:
	default:
		close(p.gate)
	}
}

func (p *Proxy) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.Flow()
	p.Cut()
	p.done.Wait()
}

func (p *Proxy) accept() {
	defer p.done.Done()
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.to)
		if err != nil {
			_ = client.Close()
			continue
		}
		if p.keep(client, server) {
			go p.forward(client, server)
			go p.forward(server, client)
		}
	}
}

// keep registers a pair of connections, or closes it while none are wanted.
func (p *Proxy) keep(pair ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range pair {
		if p.refused || p.closed {
			_ = conn.Close()
			continue
		}
		p.open[conn] = struct{}{}
		p.done.Add(1)
	}
	return !p.refused && !p.closed
}

// forward copies one direction and closes both ends when it ends.
func (p *Proxy) forward(from, to net.Conn) {
	defer p.done.Done()
	_, _ = io.Copy(&gated{p, to}, from)
	_, _ = from.Close(), to.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, from)
}

// gated writes when the proxy's gate is open.
type gated struct {
	p  *Proxy
	to net.Conn
}

func (g *gated) Write(text []byte) (int, error) {
	g.p.mu.Lock()
	gate := g.p.gate
	g.p.mu.Unlock()
	<-gate
	return g.to.Write(text)
}
