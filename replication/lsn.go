package replication

import (
	"context"
	"fmt"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
)

// CurrentLSN returns a position at or before which every transaction ends that
// is committed when it is called, also one committed asynchronously, and which a
// Reader is sure to reach (ReaderConfig.Until) although the source is idle. To
// that end it commits a logical message where it may; a standby or a read-only
// session gives what is flushed or replayed.
func CurrentLSN(ctx context.Context, conn *pgx.Conn) (pglogrepl.LSN, error) {
	if err := mark(ctx, conn); err != nil {
		return 0, fmt.Errorf("mark the end of the WAL: %w", err)
	}
	var text string
	err := conn.QueryRow(ctx, `
		SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END::text`).Scan(&text)
	if err != nil {
		return 0, fmt.Errorf("read the end of the WAL: %w", err)
	}
	return pglogrepl.ParseLSN(text)
}

// mark commits, and so flushes, a record behind everything committed so far.
func mark(ctx context.Context, conn *pgx.Conn) error {
	var readOnly bool
	err := conn.QueryRow(ctx, "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool").Scan(&readOnly)
	if err != nil || readOnly {
		return err
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `
			SELECT set_config('synchronous_commit', 'local', true), pg_logical_emit_message(true, 'autocdc', '')`)
		return err
	})
}
