package replication

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/autocdc/autocdc/schema/catalog"
)

const readBuffer = 128 << 10

// walsenderConfig returns the configuration of a replication connection with
// pinned settings, so that text values look as those of a snapshot do.
func walsenderConfig(dsn string) (*pgconn.Config, error) {
	cfg, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("read dsn: %w", err)
	}
	catalog.Pin(cfg)
	cfg.RuntimeParams["replication"] = "database"
	cfg.RuntimeParams["client_min_messages"] = "warning" // Reader.notice listens
	cfg.BuildFrontend = buffered
	return cfg, nil
}

// buffered reads more at a time than the 8 KiB of pgx, so that a backlog takes
// fewer calls.
func buffered(r io.Reader, w io.Writer) *pgproto3.Frontend {
	return pgproto3.NewFrontend(bufio.NewReaderSize(r, readBuffer), w)
}

// connectWalsender opens a replication connection.
func connectWalsender(ctx context.Context, dsn string) (*pgconn.PgConn, error) {
	cfg, err := walsenderConfig(dsn)
	if err != nil {
		return nil, err
	}
	conn, err := pgconn.ConnectConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open replication connection: %w", err)
	}
	return conn, nil
}

// System is who a source is. Two servers, or two lives of one, differ in
// SystemID or Timeline.
type System struct {
	SystemID string
	Timeline int32
	LSN      pglogrepl.LSN // end of the flushed WAL
	Database string
}

// IdentifySystem asks over a replication connection, which needs no more than
// the REPLICATION attribute.
func IdentifySystem(ctx context.Context, dsn string) (System, error) {
	conn, err := connectWalsender(ctx, dsn)
	if err != nil {
		return System{}, err
	}
	defer func() { _ = closeConn(conn) }()
	is, err := pglogrepl.IdentifySystem(ctx, conn)
	if err != nil {
		return System{}, fmt.Errorf("identify system: %w", err)
	}
	return System{SystemID: is.SystemID, Timeline: is.Timeline, LSN: is.XLogPos, Database: is.DBName}, nil
}

// closeConn says goodbye without waiting long, whatever became of the context
// that the connection was used with.
func closeConn(conn interface{ Close(context.Context) error }) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	return conn.Close(ctx)
}
