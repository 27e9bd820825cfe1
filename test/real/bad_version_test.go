package real

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"strconv"
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
)

func TestBadInput_TargetOlderThan15(t *testing.T) {
	t.Parallel()
	source, target := pair(t)
	mustRefuse(t, newService(t, "bad", source, older(t, target), goodFlows), source, target, "target", "15")
}

// older returns a DSN at which a server says that it is version 14: there is no
// such server at hand, so its answers are rewritten on their way.
func older(t *testing.T, dsn string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	rewrite := aging(t, dsn)
	go serve(listener, u.Host, rewrite)
	u.Host = listener.Addr().String()
	return u.String()
}

// aging returns what replaces the server's version by one of 14, in every form
// in which it may be asked for, without changing a length.
func aging(t *testing.T, dsn string) func([]byte) []byte {
	t.Helper()
	text := pgtest.Rows(t, dsn, "SELECT split_part(current_setting('server_version'), ' ', 1), current_setting('server_version_num')")[0]
	number, err := strconv.ParseUint(text[1], 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	binaryOf := func(n uint64) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }
	pairs := [][2][]byte{
		{[]byte(text[0]), []byte("14" + text[0][2:])},
		{[]byte(text[1]), []byte("14" + text[1][2:])},
		{binaryOf(number), binaryOf(140000 + number%10000)},
	}
	return func(answer []byte) []byte {
		for _, p := range pairs {
			answer = bytes.ReplaceAll(answer, p[0], p[1])
		}
		return answer
	}
}

func serve(listener net.Listener, to string, rewrite func([]byte) []byte) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", to)
		if err != nil {
			_ = client.Close()
			continue
		}
		go func() {
			_, _ = io.Copy(server, client)
			_ = server.Close()
		}()
		go func() {
			_, _ = io.Copy(rewriter{client, rewrite}, server)
			_ = client.Close()
		}()
	}
}

// rewriter changes what passes through, chunk by chunk.
type rewriter struct {
	to      io.Writer
	rewrite func([]byte) []byte
}

func (r rewriter) Write(text []byte) (int, error) { return r.to.Write(r.rewrite(text)) }
