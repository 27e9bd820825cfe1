package compare

import (
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
)

// meter is a proxy that counts what the server sends.
type meter struct{ bytes atomic.Int64 }

// newMeter returns a proxy of a server, and the DSN that leads through it, until the
// end of the benchmark.
func newMeter(b *testing.B, dsn string) (*meter, string) {
	b.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		b.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = l.Close() })
	m, server := &meter{}, u.Host
	u.Host = l.Addr().String()
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go m.forward(client, server)
		}
	}()
	return m, u.String()
}

func (m *meter) forward(client net.Conn, server string) {
	defer client.Close()
	conn, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer conn.Close()
	go func() {
		_, _ = io.Copy(conn, client)
		_ = conn.Close()
	}()
	_, _ = io.Copy(io.MultiWriter(client, m), conn)
}

// Write counts.
func (m *meter) Write(p []byte) (int, error) {
	m.bytes.Add(int64(len(p)))
	return len(p), nil
}
