package merge

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/schema"
)

// forgetRows bounds a transaction of Forget, so that it holds no batch up.
const forgetRows = 5000

// Forget deletes what the pipeline's targets have remembered for late events for
// longer than window, by the clock of the target, in small transactions, and
// returns how many rows went. Nothing is forgotten of a target while a first copy
// into it is unfinished, nor of bitemporal targets, whose rows do not show what an
// event was. conn is the caller's; batches may go on meanwhile.
func Forget(ctx context.Context, conn *pgx.Conn, metadataSchema, pipeline string, window time.Duration) (int64, error) {
	return (&State{conn: conn, schema: schema.Ident(metadataSchema)}).Forget(ctx, pipeline, window)
}

// Forget is the function of that name, on the state's own connection.
func (s *State) Forget(ctx context.Context, pipeline string, window time.Duration) (int64, error) {
	targets, err := s.forgetful(ctx, pipeline)
	if err != nil {
		return 0, err
	}
	var total int64
	for _, id := range targets {
		for {
			n, err := s.forgetSome(ctx, id, window)
			if err != nil {
				return total, err
			}
			total += n
			if n < forgetRows {
				break
			}
		}
	}
	return total, nil
}

func (s *State) forgetful(ctx context.Context, pipeline string) ([]int64, error) {
	query := fmt.Sprintf(`SELECT t.id FROM %[1]s AS t
WHERE NOT t.in_order AND t.kind <> $1
  AND EXISTS (SELECT FROM %[2]s AS f WHERE f.target_id = t.id AND f.pipeline = $3)
  AND NOT EXISTS (SELECT FROM %[2]s AS f WHERE f.target_id = t.id AND f.status = $2)
ORDER BY t.id`, s.table("target"), s.table("flow"))
	rows, err := s.conn.Query(ctx, query, Bitemporal.String(), NeedsCopy, pipeline)
	if err != nil {
		return nil, fmt.Errorf("list targets that may forget: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// forgetSome is one transaction. It locks the target as a batch does.
func (s *State) forgetSome(ctx context.Context, id int64, window time.Duration) (n int64, err error) {
	err = pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
		lock := fmt.Sprintf("SELECT FROM %s WHERE id = $1 FOR UPDATE", s.table("target"))
		if _, err := tx.Exec(ctx, lock, id); err != nil {
			return err
		}
		n, err = s.deleteOld(ctx, tx, id, window)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("forget old events of target %d: %w", id, err)
	}
	failpoint.Pass(failpoint.Forgotten)
	return n, nil
}

// deleteOld takes some rows of the shadow; when those are few, the truncates and
// snapshots that are old, too, but the greatest one.
func (s *State) deleteOld(ctx context.Context, tx pgx.Tx, id int64, window time.Duration) (int64, error) {
	shadow, floor := s.table(fmt.Sprintf("shadow_%d", id)), s.table(fmt.Sprintf("floor_%d", id))
	n, err := s.deleteWhere(ctx, tx, id, fmt.Sprintf(`DELETE FROM %s
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM %s WHERE "__seen_at" < now() - $1::interval LIMIT %d))`, shadow, shadow, forgetRows), window)
	if err != nil || n == forgetRows {
		return n, err
	}
	_, err = s.deleteWhere(ctx, tx, id, fmt.Sprintf(`DELETE FROM %s
  WHERE "__seen_at" < now() - $1::interval AND "__seq" < (SELECT f."__seq" FROM %s AS f ORDER BY f."__seq" DESC LIMIT 1)`, floor, floor), window)
	return n, err
}

func (s *State) deleteWhere(ctx context.Context, tx pgx.Tx, id int64, sql string, window time.Duration) (int64, error) {
	query := fmt.Sprintf(`WITH gone AS (
  %s
  RETURNING "__seq"
)
SELECT count(*), CAST((array_agg("__seq" ORDER BY "__seq" DESC))[1] AS text) FROM gone`, sql)
	var n int64
	var greatest *string
	if err := tx.QueryRow(ctx, query, window).Scan(&n, &greatest); err != nil || n == 0 {
		return 0, err
	}
	return n, s.raiseForgotten(ctx, tx, id, *greatest)
}

// raiseForgotten compares in the type of the sequence.
func (s *State) raiseForgotten(ctx context.Context, tx pgx.Tx, id int64, sequence string) error {
	var kind string
	const query = `SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = '__seq'`
	if err := tx.QueryRow(ctx, query, s.table(fmt.Sprintf("shadow_%d", id)).String()).Scan(&kind); err != nil {
		return err
	}
	update := fmt.Sprintf(`UPDATE %s SET forgotten = $2::text
WHERE id = $1 AND (forgotten IS NULL OR CAST(forgotten AS %s) < CAST($2::text AS %s))`, s.table("target"), kind, kind)
	_, err := tx.Exec(ctx, update, id, sequence)
	return err
}
