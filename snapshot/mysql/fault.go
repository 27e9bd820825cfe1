package mysql

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"

	driver "github.com/go-sql-driver/mysql"
)

// ErrLost says that the connection broke, and the snapshot with it.
var ErrLost = errors.New("connection to the server was lost")

// HintError is an error with advice for the user.
type HintError struct {
	Err  error
	Hint string
}

// Error is the error without the advice.
func (e *HintError) Error() string { return e.Err.Error() }

// Unwrap returns the error without its hint.
func (e *HintError) Unwrap() error { return e.Err }

// serverHints are by error number of the server, common to MySQL and MariaDB
// (https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html).
var serverHints = map[uint16]string{
	1040: "the server has too many connections; raise max_connections or close some",
	1044: "GRANT SELECT on the database to this user",
	1045: "check user and password, from which host the account may connect, and whether it demands TLS (tls=true)",
	1049: "check the database in the URL, behind host and port",
	1054: `in the query "x" is a column, as in Postgres, and 'x' a string`,
	1064: "the query is for the server, in its own SQL; quotes are Postgres's: \"column\" or `column`, 'string'",
	1129: "the server blocks this host after many failed connections: mysqladmin flush-hosts there",
	1130: "no account of the server lets this host connect: CREATE USER user@'host' there",
	1142: "GRANT SELECT on the table to this user",
	1143: "GRANT SELECT on the columns to this user",
	1146: "check database and table; names may be case-sensitive on the server",
	1317: "someone at the server, or a limit there, ended the query",
	1370: "GRANT EXECUTE on the function to this user",
	1412: "the table was altered after the snapshot was taken; the next run sees it as it is now",
	1792: "a source is only read: write a SELECT",
	3024: "a limit of the server ended the query: see max_execution_time",
	1969: "a limit of the server ended the query: see max_statement_time",
	3159: "the server demands TLS: write tls=true",
}

// explain adds a hint where the cause is known, and says in words what the
// driver says in terms of its own.
func (c *Conn) explain(err error) error {
	var server *driver.MySQLError
	if errors.As(err, &server) {
		if hint := serverHints[server.Number]; hint != "" {
			return &HintError{Err: err, Hint: hint}
		}
		return err
	}
	if errors.Is(err, driver.ErrInvalidConn) || errors.Is(err, errBadConn) {
		if cause := c.log.cause(); cause != "" {
			return fmt.Errorf("%w: %s", ErrLost, cause)
		}
		return ErrLost
	}
	if hint := connectHint(err); hint != "" {
		return &HintError{Err: err, Hint: hint}
	}
	return err
}

// connectHint knows what goes wrong before the server speaks to us.
func connectHint(err error) string {
	var dns *net.DNSError
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	switch {
	case errors.Is(err, driver.ErrNoTLS):
		return "the server offers no TLS: write tls=false to do without, or set it up there"
	case errors.As(err, &certificate), errors.As(err, &unknown), errors.As(err, &host):
		return "name the authority's file by tls-ca=FILE; tls=skip-verify encrypts without asking who the server is"
	case errors.As(err, &dns):
		return "check the host in the URL"
	case errors.As(err, &op) && op.Op == "dial", errors.Is(err, context.DeadlineExceeded):
		return "check host and port, that the server runs and listens there (bind-address), and firewalls between"
	}
	return ""
}

// lostCause remembers what the driver logs when a connection breaks, which its
// error does not say. The driver logs nothing else that matters.
type lostCause struct{ last atomic.Pointer[string] }

// Print implements the driver's Logger.
func (l *lostCause) Print(v ...any) {
	text := strings.TrimSpace(fmt.Sprint(v...))
	l.last.Store(&text)
}

func (l *lostCause) cause() string {
	if text := l.last.Load(); text != nil {
		return *text
	}
	return ""
}
