package real

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

const tpcbTables = `
CREATE TABLE pgbench_branches (bid int PRIMARY KEY, bbalance int, filler char(88));
CREATE TABLE pgbench_tellers (tid int PRIMARY KEY, bid int, tbalance int, filler char(84));
CREATE TABLE pgbench_accounts (aid int PRIMARY KEY, bid int, abalance int, filler char(84));
CREATE TABLE pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
INSERT INTO pgbench_branches VALUES (1, 0);
INSERT INTO pgbench_tellers SELECT n, 1, 0 FROM generate_series(1, 10) AS n;
INSERT INTO pgbench_accounts SELECT n, 1, 0, '' FROM generate_series(1, 100000) AS n;
`

const tpcbTransaction = `
BEGIN;
UPDATE pgbench_accounts SET abalance = abalance + %[1]d WHERE aid = %[2]d;
UPDATE pgbench_tellers SET tbalance = tbalance + %[1]d WHERE tid = %[3]d;
UPDATE pgbench_branches SET bbalance = bbalance + %[1]d WHERE bid = 1;
INSERT INTO pgbench_history VALUES (%[3]d, 1, %[2]d, %[1]d, now());
COMMIT;`

// tpcb does what pgbench does, for the arguments that this package uses.
func tpcb(ctx context.Context, dsn string, args []string) error {
	if args[0] == "-i" {
		conn, err := pgx.Connect(ctx, dsn)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		_, err = conn.PgConn().Exec(ctx, tpcbTables).ReadAll()
		return err
	}
	seconds, err := strconv.Atoi(args[slices.Index(args, "-T")+1])
	if err != nil {
		return err
	}
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	var clients errgroup.Group
	for range 4 {
		clients.Go(func() error { return tpcbClient(ctx, dsn, end) })
	}
	return clients.Wait()
}

func tpcbClient(ctx context.Context, dsn string, end time.Time) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for time.Now().Before(end) {
		sql := fmt.Sprintf(tpcbTransaction, rand.IntN(10001)-5000, 1+rand.IntN(100000), 1+rand.IntN(10))
		if _, err := conn.PgConn().Exec(ctx, sql).ReadAll(); err != nil {
			return err
		}
	}
	return nil
}
