package replication

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5/pgconn"
)

// Why a slot cannot be read. Errors of this package wrap them in a *SlotError.
var (
	// ErrSlotMissing: there is no slot of that name.
	ErrSlotMissing = errors.New("replication slot does not exist")
	// ErrSlotInUse: another connection reads the slot, perhaps one of ours whose
	// end the server has not noticed yet. Retryable.
	ErrSlotInUse = errors.New("replication slot is in use")
	// ErrSlotForeign: the slot belongs to another database or output plugin.
	ErrSlotForeign = errors.New("replication slot is not ours")
	// ErrWALRemoved: the server has given up the WAL that the slot needs, or
	// invalidated the slot. Only a new copy helps.
	ErrWALRemoved = errors.New("WAL needed by the replication slot is gone")
	// ErrPublicationMissing: a publication did not exist at some place in the WAL
	// that is to be read: never made, dropped, or made after the slot.
	ErrPublicationMissing = errors.New("publication does not exist")
	// ErrConnectionLost: there is no connection, or it ended, or the server stops
	// or starts. Retryable.
	ErrConnectionLost = errors.New("replication connection lost")
)

// SlotError says at which slot and position reading failed.
type SlotError struct {
	Slot   string
	LSN    pglogrepl.LSN // up to where it was received
	Reason error         // one of the sentinels, or nil
	PID    int           // of the backend that uses the slot, for ErrSlotInUse
	Err    error         // the cause, or nil
}

// Error names slot, position, reason and cause.
func (e *SlotError) Error() string {
	text := fmt.Sprintf("read slot %q at %s", e.Slot, e.LSN)
	if e.Reason != nil {
		text += ": " + e.Reason.Error()
	}
	if e.PID != 0 {
		text += fmt.Sprintf(" by backend %d", e.PID)
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns reason and cause.
func (e *SlotError) Unwrap() []error {
	var errs []error
	for _, err := range []error{e.Reason, e.Err} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// Hint says what the user can do.
func (e *SlotError) Hint() string {
	switch {
	case errors.Is(e.Reason, ErrSlotInUse):
		return "another process reads this slot; end it, or wait until the server notices that it is gone"
	case errors.Is(e.Reason, ErrSlotForeign):
		return "give the pipeline another name, or drop the slot if nothing needs it"
	case errors.Is(e.Reason, ErrSlotMissing), errors.Is(e.Reason, ErrWALRemoved):
		return "the changes since the last position are gone; the flows have to be copied again"
	case errors.Is(e.Reason, ErrPublicationMissing):
		return "the publication must be older than the slot; if it was dropped, a new slot and a new copy are needed"
	}
	return ""
}

// Retryable tells whether the same call may succeed later without anybody's
// help: lost connections, servers that start or stop, a slot still held by a
// connection that is dying. A cancelled context is not retryable.
func Retryable(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) {
		return false
	}
	if errors.Is(err, ErrConnectionLost) || errors.Is(err, ErrSlotInUse) {
		return true
	}
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		return retryableState(pgErr.Code)
	}
	return lostConnection(err)
}

// retryableState knows SQLSTATEs.
// https://www.postgresql.org/docs/current/errcodes-appendix.html
func retryableState(code string) bool {
	switch code {
	case "57P01", "57P02", "57P03", "57P05", // shutdown, crash, starting up, idle
		"40001", "40P01", "55P03", "55006", // serialization, deadlock, lock, in use
		"57014",          // somebody cancelled it
		"58000", "58030": // system error, I/O error
		return true
	}
	if len(code) < 2 {
		return false
	}
	return code[:2] == "08" || code[:2] == "53" // connection, resources
}

func lostConnection(err error) bool {
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	for _, lost := range []error{
		io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, os.ErrDeadlineExceeded,
		syscall.ECONNRESET, syscall.ECONNREFUSED, syscall.EPIPE, syscall.ENOENT,
	} {
		if errors.Is(err, lost) {
			return true
		}
	}
	return false
}

// reasonOf classifies an error of the server's while it streams from a slot.
func reasonOf(err error) error {
	pgErr, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		if lostConnection(err) {
			return ErrConnectionLost
		}
		return nil
	}
	switch pgErr.Code {
	case "42704": // the slot has been looked up before: what is undefined is a publication
		return ErrPublicationMissing
	case "55006":
		return ErrSlotInUse
	case "55000", "58P01": // invalidated, segment removed
		return ErrWALRemoved
	case "57P01", "57P02", "57P03": // shutdown, crash, starting up
		return ErrConnectionLost
	}
	return nil
}
