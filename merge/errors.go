package merge

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrFenced says that another run has taken over; this one must end.
var ErrFenced = errors.New("another run of the pipeline has taken over")

// ErrReread says that a transaction staged in pieces was given up because a flow
// failed; the stream must be opened again at Start.
var ErrReread = errors.New("source transaction must be read again without the flow that stopped")

// FlowError is a fault in the data of a flow, which stops it. Position is the end
// of the source transaction that holds the event; the flow stands before it.
type FlowError struct {
	Flow     string
	Target   string // quoted name
	Key      string // of the event, as a row's text; empty if unknown
	Column   string
	Position pglogrepl.LSN
	Hint     string
	Err      error
}

func (e *FlowError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "apply flow %q to %s", e.Flow, e.Target)
	if e.Key != "" {
		fmt.Fprintf(&b, ", key %s", e.Key)
	}
	if e.Position != 0 {
		fmt.Fprintf(&b, ", in the transaction that ends at %s", e.Position)
	}
	if e.Column != "" {
		fmt.Fprintf(&b, ", column %q", e.Column)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	return b.String()
}

// Unwrap returns the cause.
func (e *FlowError) Unwrap() error { return e.Err }

// targetError is a failure of a statement on behalf of some flows. Those that
// cannot go away make the flows stop.
type targetError struct {
	flows []*flow
	step  string
	err   error
}

func (e *targetError) Error() string { return e.step + ": " + e.err.Error() }
func (e *targetError) Unwrap() error { return e.err }

// Retryable tells whether an error may go away by itself: lost connections,
// serialization failures, deadlocks, servers that start, stop or are full.
func Retryable(err error) bool {
	if err == nil || errors.Is(err, ErrFenced) {
		return false
	}
	if errors.Is(err, ErrReread) {
		return true
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return retryableState(pg.Code)
	}
	var netErr net.Error
	return errors.As(err, &netErr) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
		strings.Contains(err.Error(), "conn closed") || pgconn.SafeToRetry(err)
}

// retryableState knows SQLSTATEs,
// https://www.postgresql.org/docs/current/errcodes-appendix.html
func retryableState(code string) bool {
	switch code {
	case "40001", "40P01", "55P03", "57014", "57P01", "57P02", "57P03", "57P05", "25P03":
		return true
	}
	// connection, insufficient resources, and what the system itself does
	return strings.HasPrefix(code, "08") || strings.HasPrefix(code, "53") || strings.HasPrefix(code, "58")
}

// dataFault tells whether an error of the target belongs to what a flow brought.
func dataFault(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && !retryableState(pg.Code)
}
