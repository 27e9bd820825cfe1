package merge

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// PoolerError says that a connection pooler gives each transaction, or each statement,
// another session of the server: temporary tables and advisory locks would be lost,
// or shared.
type PoolerError struct{ Mode string }

func (e *PoolerError) Error() string {
	return fmt.Sprintf("a connection pooler in %s mode stands before the target", e.Mode)
}

// Hint says what helps.
func (e *PoolerError) Hint() string {
	return "connect to the server itself, or to a pool in session mode (pool_mode = session in pgbouncer.ini, by database or user): temporary tables, prepared statements and the pipeline's lock need a session of their own"
}

// checkPooler refuses a pooler in transaction mode. That there is a pooler shows in
// the number of the backend, which it makes up. Its mode shows when a second
// connection begins a transaction: either that gets the session that the first one
// had, or the first one gets another.
func checkPooler(ctx context.Context, conn *pgx.Conn) error {
	before, err := backend(ctx, conn)
	if err != nil || before == strconv.FormatUint(uint64(conn.PgConn().PID()), 10) {
		return err
	}
	config := conn.Config()
	other, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer other.Close(ctx)
	var pg *pgconn.PgError
	if _, err := other.PgConn().Exec(ctx, "BEGIN").ReadAll(); errors.As(err, &pg) {
		return &PoolerError{Mode: "statement"} // it allows no more
	} else if err != nil {
		return err
	}
	taken, err := backend(ctx, other)
	if err != nil {
		return err
	}
	after, err := backend(ctx, conn)
	if err != nil {
		return err
	}
	if taken == before || after != before {
		return &PoolerError{Mode: "transaction"}
	}
	return nil
}

// backend asks for the number of the server's process, by the simple protocol, which
// needs no session.
func backend(ctx context.Context, conn *pgx.Conn) (string, error) {
	results, err := conn.PgConn().Exec(ctx, "SELECT pg_catalog.pg_backend_pid()").ReadAll()
	if err != nil {
		return "", fmt.Errorf("ask for the session: %w", err)
	}
	return string(results[0].Rows[0][0]), nil
}
