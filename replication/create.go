package replication

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/schema/catalog"
)

// Export is a new slot and the snapshot that it exports: the snapshot shows
// exactly the transactions that end at or before LSN, the slot gives those after.
type Export struct {
	Slot     string
	Snapshot string        // for SET TRANSACTION SNAPSHOT, valid until Close
	LSN      pglogrepl.LSN // the slot's consistent point
	Stamp    time.Time     // the source's clock right after, microseconds, UTC

	conn *pgconn.PgConn
}

// CreateSlot makes a pgoutput slot and exports its snapshot. Making it waits for
// every transaction that writes on the server; after two seconds log hears who
// they are. Cancelling ctx leaves no slot behind. The publications must exist
// before the slot does. A temporary slot lives until Close, another until
// DropSlot.
func CreateSlot(ctx context.Context, dsn, name string, temporary bool, log *slog.Logger) (*Export, error) {
	plain, err := catalog.Connect(ctx, dsn)
	if err != nil {
		return nil, fmt.Errorf("create slot %q: %w", name, err)
	}
	defer func() { _ = closeConn(plain) }()
	conn, err := connectWalsender(ctx, dsn)
	if err != nil {
		return nil, fmt.Errorf("create slot %q: %w", name, err)
	}
	e, err := export(ctx, conn, plain, name, temporary, log)
	if err != nil {
		_ = closeConn(conn) // the error before is the one to tell
		return nil, fmt.Errorf("create slot %q: %w", name, err)
	}
	return e, nil
}

func export(ctx context.Context, conn *pgconn.PgConn, plain *pgx.Conn, name string, temporary bool, log *slog.Logger) (*Export, error) {
	stop := watchWaiters(ctx, plain, conn.PID(), name, log)
	res, err := pglogrepl.CreateReplicationSlot(ctx, conn, schema.Ident(name).String(), "pgoutput",
		pglogrepl.CreateReplicationSlotOptions{Temporary: temporary, SnapshotAction: "EXPORT_SNAPSHOT"})
	stop()
	if err != nil {
		return nil, err
	}
	e := &Export{Slot: name, Snapshot: res.SnapshotName, conn: conn}
	if e.LSN, err = pglogrepl.ParseLSN(res.ConsistentPoint); err != nil {
		return nil, err
	}
	e.Stamp, err = clock(ctx, plain)
	return e, err
}

func clock(ctx context.Context, conn *pgx.Conn) (time.Time, error) {
	var micros int64
	err := conn.QueryRow(ctx, "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint").Scan(&micros)
	return time.UnixMicro(micros).UTC(), err
}

// Close ends the exporting connection. Transactions that have taken the snapshot
// keep it.
func (e *Export) Close() error {
	if err := closeConn(e.conn); err != nil {
		return fmt.Errorf("close export of slot %q: %w", e.Slot, err)
	}
	return nil
}
