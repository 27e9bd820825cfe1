package merge

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge/sqlgen"
)

// Buckets hold about so many keys: fewer, and their checksums outweigh the rows that
// need not come; more, and one row that differs brings too many others.
const (
	bucketKeys  = 16
	mostBuckets = 1 << 20 // what a source has to keep in memory
	fewKeys     = 1000    // not worth a look
)

// Checksums is the query for the checksums of a relation of the source, which has the
// columns; empty if all rows have to come.
func (f Filler) Checksums(ctx context.Context, relation string) (string, error) {
	if !f.staged.Flow.Checksum {
		return "", nil
	}
	var keys int64
	if err := f.ask(ctx, "snapshot_valid_rows", &keys); err != nil || keys < fewKeys {
		return "", err
	}
	f.staged.buckets = buckets(keys)
	return f.a.gen.Checksums(f.snapshot(), relation)
}

// buckets is the number for so many keys, a power of two.
func buckets(keys int64) int64 {
	n := int64(1)
	for n*bucketKeys < keys && n < mostBuckets {
		n *= 2
	}
	return n
}

// Differ takes the rows of that query, in COPY's text format. It returns the condition
// on rows, named q, that need come, and how many rows there are.
func (f Filler) Differ(ctx context.Context, read func(ctx context.Context, w io.Writer) error) (where string, rows int64, err error) {
	plan := f.snapshot()
	if err := f.exec(ctx, "DROP TABLE IF EXISTS "+plan.Differing().String(), "snapshot_checksum_table"); err != nil {
		return "", 0, err
	}
	if _, err := f.a.pipe(ctx, "", copySQL(plan.Table.Checksums(), []string{"bucket", "rows", "checksum"}), ignoring(read)); err != nil {
		return "", 0, err
	}
	if err := f.exec(ctx, "SET LOCAL parallel_tuple_cost = 0", "snapshot_differing"); err != nil {
		return "", 0, err
	}
	if err := f.a.conn.QueryRow(ctx, "SELECT COALESCE(sum(rows), 0) FROM "+plan.Table.Checksums().String()).Scan(&rows); err != nil {
		return "", 0, fmt.Errorf("count rows by checksum: %w", err)
	}
	found, err := f.a.conn.Query(ctx, "SELECT bucket FROM "+plan.Differing().String())
	if err != nil {
		return "", 0, fmt.Errorf("compare checksums: %w", err)
	}
	differing, err := pgx.CollectRows(found, pgx.RowTo[int64])
	if err != nil {
		return "", 0, fmt.Errorf("compare checksums: %w", err)
	}
	return fmt.Sprintf("%s = ANY ('{%s}'::bigint[])", plan.Bucket("q"), numbers(differing)), rows, nil
}

func numbers(all []int64) string {
	texts := make([]string, len(all))
	for i, n := range all {
		texts[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(texts, ",")
}

// snapshot is the plan with what is known of buckets by now.
func (f Filler) snapshot() sqlgen.Snapshot {
	plan := f.plan
	plan.Buckets = f.staged.buckets
	return plan
}

// exec runs a setting, and a statement by its name.
func (f Filler) exec(ctx context.Context, setting, name string) error {
	sql, err := f.a.gen.Compare(name, f.snapshot())
	if err != nil {
		return err
	}
	if err := f.a.execAll(ctx, []string{setting, sql}); err != nil {
		return fmt.Errorf("compare checksums: %w", err)
	}
	return nil
}

func (f Filler) ask(ctx context.Context, name string, to any) error {
	sql, err := f.a.gen.Compare(name, f.snapshot())
	if err != nil {
		return err
	}
	if err := f.a.conn.QueryRow(ctx, sql).Scan(to); err != nil {
		return fmt.Errorf("count current rows: %w", err)
	}
	return nil
}
