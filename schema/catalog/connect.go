package catalog

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/schema/session"
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
func Pin(cfg *pgconn.Config) { session.Prepare(cfg, schema.SessionSettings()) }
