package merge

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/schema/session"
)

// minServer is the oldest target: MERGE came with 15.
const minServer = 150000

// pinned are the settings on which the text of values, and plans, depend.
// Statements are planned anew for each batch, since batches differ in size by
// orders of magnitude; compiling them takes longer than running them.
var pinned = map[string]string{
	"application_name":                    "autocdc",
	"bytea_output":                        "hex",
	"client_encoding":                     "UTF8",
	"DateStyle":                           "ISO, YMD",
	"extra_float_digits":                  "3",
	"idle_in_transaction_session_timeout": "0",
	"IntervalStyle":                       "postgres",
	"idle_session_timeout":                "0",
	"jit":                                 "off",
	"lc_monetary":                         "C",
	"lock_timeout":                        "0",
	"plan_cache_mode":                     "force_custom_plan",
	"statement_timeout":                   "0",
	"temp_buffers":                        "64MB",
	"TimeZone":                            "UTC",
	"work_mem":                            "64MB",
}

// Connect opens a connection to the target with the settings pinned that text
// values depend on. It refuses servers older than 15, and poolers that give each
// transaction another session.
func Connect(ctx context.Context, dsn string) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("connect to target: %w", err)
	}
	session.Prepare(&config.Config, pinned)
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to target: %w", err)
	}
	if err := checkPooler(ctx, conn); err != nil {
		_ = conn.Close(ctx)
		return nil, fmt.Errorf("connect to target: %w", err)
	}
	if err := checkVersion(ctx, conn); err != nil {
		_ = conn.Close(ctx)
		return nil, err
	}
	return conn, nil
}

// VersionError says that the target is too old.
type VersionError struct{ Version string }

func (e *VersionError) Error() string {
	return fmt.Sprintf("target runs Postgres %s, the oldest that works is 15", e.Version)
}

func checkVersion(ctx context.Context, conn *pgx.Conn) error {
	var number int
	var version string
	const query = `SELECT current_setting('server_version_num')::int, current_setting('server_version')`
	if err := conn.QueryRow(ctx, query).Scan(&number, &version); err != nil {
		return fmt.Errorf("read target version: %w", err)
	}
	if number < minServer {
		return &VersionError{Version: version}
	}
	return nil
}
