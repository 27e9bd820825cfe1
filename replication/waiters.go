package replication

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// watchWaiters tells log every so often for which transactions the making of a
// slot waits, until the returned function is called; that waits until conn is no
// longer used.
func watchWaiters(ctx context.Context, conn *pgx.Conn, walsender uint32, slot string, log *slog.Logger) (stop func()) {
	watch, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		for wait := 2 * time.Second; sleep(watch, wait); wait = 10 * time.Second {
			logWaiters(ctx, conn, walsender, slot, log)
		}
	})
	return func() {
		cancel()
		done.Wait()
	}
}

// sleep returns false when ctx ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// waitersQuery lists what holds a transaction ID, prepared transactions too; the
// one waited for right now comes first. The walsender itself has none.
const waitersQuery = `
SELECT pid::text, coalesce(usename, ''), coalesce(datname, ''), coalesce(extract(epoch FROM clock_timestamp() - xact_start), 0)::float8
FROM (
	SELECT pid = ANY (pg_blocking_pids($1)) AS blocks, pid::text, usename::text, datname::text, xact_start
	FROM pg_stat_activity
	WHERE pid <> $1 AND (backend_xid IS NOT NULL OR pid = ANY (pg_blocking_pids($1)))
	UNION ALL
	SELECT true, 'prepared transaction ' || gid, owner::text, database::text, prepared
	FROM pg_prepared_xacts
) w
ORDER BY blocks DESC, xact_start
LIMIT 5`

func logWaiters(ctx context.Context, conn *pgx.Conn, walsender uint32, slot string, log *slog.Logger) {
	rows, err := conn.Query(ctx, waitersQuery, int32(walsender))
	if err != nil {
		log.Debug("cannot tell for what slot creation waits", "slot", slot, "error", err)
		return
	}
	defer rows.Close()
	for rows.Next() {
		var pid, user, database string
		var age float64
		if err := rows.Scan(&pid, &user, &database, &age); err != nil {
			return
		}
		log.Warn("slot creation waits for a running transaction", "slot", slot,
			"pid", pid, "user", user, "database", database, "age", time.Duration(age*1e9).Round(time.Millisecond))
	}
}
