package autocdc

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/config"
	"github.com/autocdc/autocdc/merge"
)

// connectError puts the error of a failed connection on one line, without the
// password, and with advice.
func connectError(err error, dsn string) error {
	return &HintError{&textError{attempts(config.Scrub(err.Error(), dsn)), err}, connectHint(err)}
}

// attempts joins the lines of a message, one per attempt, without what an earlier
// one says already, and without the attempts at TLS that others followed.
func attempts(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		said := func(earlier string) bool { return strings.HasSuffix(earlier, line) }
		if !slices.ContainsFunc(lines, said) {
			lines = append(lines, line)
		}
	}
	if n := len(lines); n > 0 && !strings.Contains(lines[n-1], noTLS) {
		lines = slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, noTLS) })
	}
	return strings.ReplaceAll(strings.Join(lines, "; "), ":; ", ": ")
}

// noTLS is how a connection begins to a server without TLS.
const noTLS = "server refused TLS connection"

// textError is an error with another text.
type textError struct {
	text string
	err  error
}

func (e *textError) Error() string { return e.text }

// Unwrap returns the error itself.
func (e *textError) Unwrap() error { return e.err }

// connectHint knows what usually helps.
func connectHint(err error) string {
	var pg *pgconn.PgError
	var parse *pgconn.ParseConfigError
	var lookup *net.DNSError
	var old *merge.VersionError
	var hint hinter
	switch {
	case errors.As(err, &old):
		return "upgrade it, or replicate into a server of version 15 or newer"
	case errors.As(err, &pg):
		return refusedHint(pg.Code)
	case errors.As(err, &parse):
		return "a DSN is postgres://user@host:5432/database or host=… user=… dbname=…; in a URL, write / # ? % and @ of a password as %2F %23 %3F %25 and %40"
	case errors.As(err, &lookup):
		return "check the host name in the DSN"
	case errors.Is(err, context.DeadlineExceeded):
		return "check host and port in the DSN, and firewalls between"
	case errors.As(err, &hint):
		return hint.Hint()
	case strings.Contains(err.Error(), "connection refused"):
		return "check host and port in the DSN, and that the server runs and listens there"
	case strings.Contains(err.Error(), noTLS):
		return "the server has ssl = off: turn it on, or say sslmode=disable in the DSN"
	}
	return ""
}

// refusedHint explains why a server that answers lets nobody in.
func refusedHint(code string) string {
	switch code {
	case "08P01":
		return "a connection pooler seems to stand there: a source needs a direct connection, since poolers do not pass replication on"
	case "28P01":
		return "check user and password in the DSN, or the file that PGPASSFILE names"
	case "28000":
		return "check the user in the DSN, and pg_hba.conf on the server"
	case "3D000":
		return "check the name of the database in the DSN"
	case "42704":
		return "check the parameters of the DSN, as in ?sslmode=require"
	case "53300":
		return "raise max_connections, or end connections that nothing uses"
	}
	return ""
}
