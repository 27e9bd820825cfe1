package replication

import (
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// How long the end of a stream may take, and one write of a status.
const (
	goodbye      = 2 * time.Second
	writeTimeout = 30 * time.Second
)

// link is a connection in copy mode. One goroutine receives, one other sends.
type link struct {
	conn  net.Conn
	front *pgproto3.Frontend
}

func newLink(raw *pgconn.HijackedConn) *link {
	return &link{conn: raw.Conn, front: raw.Frontend}
}

// interrupt makes the receiver return at once, now and later.
func (l *link) interrupt() {
	_ = l.conn.SetReadDeadline(time.Unix(1, 0)) // fails only on a closed connection
}

func (l *link) send(data []byte) error {
	if err := l.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	_, err := l.conn.Write(data)
	return err
}

// finish sends a last status, ends the copy and waits a moment until the server
// has hung up: only then is the slot free for the next. It needs no sender.
func (l *link) finish(status []byte) {
	defer l.conn.Close()
	bye, err := (&pgproto3.CopyDone{}).Encode(status)
	if err == nil {
		bye, err = (&pgproto3.Terminate{}).Encode(bye)
	}
	deadline := time.Now().Add(goodbye)
	if err != nil || l.conn.SetDeadline(deadline) != nil {
		return
	}
	if _, err := l.conn.Write(bye); err == nil {
		_, _ = io.Copy(io.Discard, l.conn) // until the server hangs up, or the deadline
	}
}

// turn receives and handles one message.
func (r *Reader) turn(l *link) error {
	msg, err := l.front.Receive()
	if err != nil {
		return fmt.Errorf("receive: %w", err)
	}
	r.messages.Add(1)
	switch msg := msg.(type) {
	case *pgproto3.CopyData:
		return r.copyData(msg.Data)
	case *pgproto3.ErrorResponse:
		return pgconn.ErrorResponseToPgError(msg)
	case *pgproto3.NoticeResponse:
		return r.notice(msg)
	case *pgproto3.ParameterStatus, *pgproto3.NotificationResponse:
	case *pgproto3.CopyDone, *pgproto3.CommandComplete:
		return fmt.Errorf("%w: the server ended the stream", ErrConnectionLost)
	default:
		return fmt.Errorf("receive: unexpected message %T", msg)
	}
	return nil
}

// notice fails where the server only warns: from 18 on it goes on without a
// publication that does not exist at this place in the WAL, and the changes of
// its tables would be lost.
func (r *Reader) notice(msg *pgproto3.NoticeResponse) error {
	if msg.SeverityUnlocalized == "WARNING" && msg.Code == "55000" {
		lsn, _ := r.Received()
		return &SlotError{Slot: r.cfg.Slot, LSN: lsn, Reason: ErrPublicationMissing, Err: errors.New(msg.Message)}
	}
	r.log.Debug("the server says", "severity", msg.Severity, "message", msg.Message)
	return nil
}
