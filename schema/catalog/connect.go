package catalog

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/schema"
)

// Connect opens an ordinary connection with pinned settings.
func Connect(ctx context.Context, dsn string) (*pgx.Conn, error) {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("read dsn: %w", err)
	}
	Pin(&cfg.Config)
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return conn, nil
}

// Pin makes the connections of cfg, ordinary or walsender, use the settings of
// schema.SessionSettings, whatever role, database and DSN say, and notice a dead
// server within a minute.
func Pin(cfg *pgconn.Config) {
	for name, value := range schema.SessionSettings() {
		cfg.RuntimeParams[name] = value
	}
	if cfg.RuntimeParams["application_name"] == "" {
		cfg.RuntimeParams["application_name"] = "autocdc"
	}
	cfg.DialFunc = (&net.Dialer{KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: 15 * time.Second, Interval: 15 * time.Second, Count: 3,
	}}).DialContext
	cfg.AfterConnect = noTransactionTimeout
}

// noTransactionTimeout does what a startup parameter cannot: servers before 17
// refuse one that they do not know.
func noTransactionTimeout(ctx context.Context, conn *pgconn.PgConn) error {
	_, err := conn.Exec(ctx, `SELECT pg_catalog.set_config(name, '0', false) FROM pg_catalog.pg_settings WHERE name = 'transaction_timeout'`).ReadAll()
	return err
}
