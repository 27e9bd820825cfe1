package autocdc

import (
	"errors"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/schema/catalog"
	"github.com/autocdc/autocdc/test/pgtest"
)

func TestConnectError_IsOneLineThatSaysWhatHelps(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	host, _, _ := strings.Cut(strings.TrimPrefix(dsn, "postgres://postgres@"), "/")
	for name, c := range map[string]struct{ dsn, text, hint string }{
		"no such database":  {"postgres://postgres:s3cret@" + host + "/nothing", `database "nothing" does not exist`, "name of the database"},
		"no TLS":            {"postgres://postgres@" + host + "/postgres?sslmode=require", "server refused TLS connection", "sslmode=disable"},
		"unknown parameter": {"postgres://postgres@" + host + "/postgres?sslmod=disable", `parameter "sslmod"`, "parameters of the DSN"},
		"nobody listens":    {"postgres://postgres:s3cret@127.0.0.1:9/postgres", "connection refused", "host and port"},
		"bare password":     {"postgres://postgres:s3#c/ret@" + host + "/postgres", "cannot parse", "%23"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := catalog.Connect(t.Context(), c.dsn)
			if err == nil {
				t.Fatal("connected")
			}
			err = connectError(err, c.dsn)
			text := err.Error()
			if !strings.Contains(text, c.text) || strings.ContainsAny(text, "\n\t") || strings.Contains(text, "s3") {
				t.Errorf("got %q", text)
			}
			if strings.Contains(text, noTLS) && c.text != noTLS {
				t.Errorf("more than the cause: %q", text)
			}
			var hint *HintError
			if !errors.As(err, &hint) || !strings.Contains(hint.Hint, c.hint) {
				t.Errorf("hint of %v: %+v", err, hint)
			}
		})
	}
}

func TestAttempts_SayEachThingOnce(t *testing.T) {
	t.Parallel()
	got := attempts("failed to connect to `host`:\n\tresolve: lookup h: no such host\n\tlookup h: no such host")
	if want := "failed to connect to `host`: resolve: lookup h: no such host"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
