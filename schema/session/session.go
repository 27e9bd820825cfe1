// Package session prepares connections: they have the settings that the service
// depends on, whatever role, database, DSN and a pooler in between say, and notice a
// dead server within a minute.
package session

import (
	"context"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/schema"
)

// atStartup are the settings that connection poolers know in a startup message; they
// refuse any other there.
var atStartup = []string{"application_name", "client_encoding", "DateStyle", "standard_conforming_strings", "TimeZone"}

// Prepare lets the connections of cfg, ordinary or walsender, use settings. It takes
// the place of DialFunc and AfterConnect.
func Prepare(cfg *pgconn.Config, settings map[string]string) {
	for _, name := range atStartup {
		if value, ok := settings[name]; ok {
			cfg.RuntimeParams[name] = value
		}
	}
	if cfg.RuntimeParams["application_name"] == "" {
		cfg.RuntimeParams["application_name"] = "autocdc"
	}
	cfg.DialFunc = (&net.Dialer{KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: 15 * time.Second, Interval: 15 * time.Second, Count: 3,
	}}).DialContext
	set := setting(settings)
	cfg.AfterConnect = func(ctx context.Context, conn *pgconn.PgConn) error {
		if _, err := conn.Exec(ctx, set).ReadAll(); err != nil {
			return fmt.Errorf("set up the session: %w", err)
		}
		return nil
	}
}

// setting is one query that sets the rest, and turns transaction_timeout off, which
// servers before 17 do not know.
func setting(settings map[string]string) string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if !slices.Contains(atStartup, name) {
			pairs = append(pairs, fmt.Sprintf("(%s, %s)", schema.Literal(name), schema.Literal(settings[name])))
		}
	}
	return `SELECT pg_catalog.set_config(name, value, false) FROM (VALUES ` + strings.Join(pairs, ", ") + `) AS s (name, value)
UNION ALL SELECT pg_catalog.set_config(name, '0', false) FROM pg_catalog.pg_settings WHERE name = 'transaction_timeout'`
}
