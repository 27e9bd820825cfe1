package fault

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"
)

// Proxy forwards TCP connections on loopback until it is told to break them.
type Proxy struct {
	listener net.Listener
	to       string

	mu      sync.Mutex
	open    map[net.Conn]bool // true for those to the server
	gate    chan struct{}     // closed while bytes may pass
	delay   time.Duration     // of each piece of data
	silent  bool              // clients are not told of ends
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
	p := &Proxy{listener: listener, to: u.Host, open: map[net.Conn]bool{}, gate: make(chan struct{})}
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
	p.silent = false
	for conn := range p.open {
		_ = conn.Close()
		delete(p.open, conn)
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

// Delay makes each piece of data late; 0 ends that.
func (p *Proxy) Delay(by time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = by
}

// Vanish closes all connections to the server and leaves their other ends open, on
// which nothing will ever come: half-open ones, until Cut.
func (p *Proxy) Vanish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent = true
	for conn, toServer := range p.open {
		if toServer {
			_ = conn.Close()
		}
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
	for i, conn := range pair {
		if p.refused || p.closed {
			_ = conn.Close()
			continue
		}
		p.open[conn] = i == 1
		p.done.Add(1)
	}
	return !p.refused && !p.closed
}

// forward copies one direction and closes both ends when it ends.
func (p *Proxy) forward(from, to net.Conn) {
	defer p.done.Done()
	_, _ = io.Copy(&gated{p, to}, from)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range []net.Conn{from, to} {
		if toServer, known := p.open[conn]; known && (toServer || !p.silent) {
			_ = conn.Close()
			delete(p.open, conn)
		}
	}
}

// gated writes when the proxy's gate is open.
type gated struct {
	p  *Proxy
	to net.Conn
}

func (g *gated) Write(text []byte) (int, error) {
	g.p.mu.Lock()
	gate, delay := g.p.gate, g.p.delay
	g.p.mu.Unlock()
	<-gate
	<-time.After(delay)
	return g.to.Write(text)
}
