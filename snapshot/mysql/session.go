package mysql

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// unlimited is what sql_select_limit says for no limit; a DEFAULT would be the
// server's, which may be one.
const unlimited = "18446744073709551615"

// settings are pinned, so that the same query gives the same rows whatever the
// server's configuration: UTC, no limits that would cut results, patience with a
// slow reader. The sql_mode changes how queries are read, not what they give:
// strings, identifiers and || are Postgres's, as everywhere in flow files; and no
// mode refuses a comparison with a zero date.
const settings = `SET SESSION
	time_zone = '+00:00',
	sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT',
	sql_big_selects = 1,
	sql_select_limit = ` + unlimited + `,
	group_concat_max_len = 1073741824,
	net_read_timeout = 86400,
	net_write_timeout = 86400,
	wait_timeout = 2147483`

// optionalSettings are ones that not every server knows.
var optionalSettings = []string{
	"SET SESSION max_execution_time = 0",                // MySQL
	"SET SESSION max_statement_time = 0",                // MariaDB
	"SET SESSION idle_transaction_timeout = 0",          // MariaDB
	"SET SESSION idle_readonly_transaction_timeout = 0", // MariaDB
}

// errUnknownVariable is ER_UNKNOWN_SYSTEM_VARIABLE.
const errUnknownVariable = 1193

// begin pins the settings and takes the snapshot.
func (c *Conn) begin(ctx context.Context) error {
	statements := append([]string{settings}, optionalSettings...)
	statements = append(statements,
		"SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
		"SET SESSION TRANSACTION READ ONLY", // also for what a query might begin
		"START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
	)
	for _, sql := range statements {
		err := c.exec(ctx, sql)
		var server *mysql.MySQLError
		if errors.As(err, &server) && server.Number == errUnknownVariable && sql != settings {
			continue
		}
		if err != nil {
			return fmt.Errorf("set up session: %w", err)
		}
	}
	return c.identify(ctx)
}

// identity tells one connection of one server from all others, also behind a
// proxy that spreads connections.
type identity struct {
	host       string
	connection uint64
}

// identify asks who the server is and what time it has.
func (c *Conn) identify(ctx context.Context) error {
	row, err := c.values(ctx, `SELECT CONCAT_WS(' ', @@hostname, @@port, @@server_id, @@datadir),
		CONNECTION_ID(), CAST(UTC_TIMESTAMP(6) AS CHAR)`)
	if err != nil {
		return fmt.Errorf("identify server: %w", err)
	}
	if len(row) != 1 {
		return fmt.Errorf("identify server: %d rows", len(row))
	}
	c.server.host = row[0][0]
	if c.server.connection, err = strconv.ParseUint(row[0][1], 10, 64); err != nil {
		return fmt.Errorf("identify server: %w", err)
	}
	if c.now, err = time.Parse(time.DateTime, row[0][2]); err != nil {
		return fmt.Errorf("read the server's clock: %w", err)
	}
	return nil
}

// values reads a small result as text, nulls as empty.
func (c *Conn) values(ctx context.Context, sql string) ([][]string, error) {
	rows, err := c.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all [][]string
	for rows.Next(ctx) {
		var row []string
		for _, v := range rows.Values() {
			row = append(row, string(v))
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

// literal quotes a string for a session whose mode is NO_BACKSLASH_ESCAPES.
func literal(s string) string {
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
