package main

import (
	"context"
	"fmt"
)

// table has rows of about 110 bytes. Row 0 is the marker.
const table = `CREATE TABLE item (id bigint PRIMARY KEY, customer int NOT NULL, state text NOT NULL, amount numeric(12,2), changed_at timestamptz NOT NULL, note text)`

// columns are those of the table.
const columns = "id, customer, state, amount, extract(epoch FROM changed_at), note"

// newSource makes a source database with the table. The marker comes last.
func (b *bench) newSource(ctx context.Context) (string, error) {
	dsn, err := b.database(ctx, 0, "source")
	if err != nil {
		return "", err
	}
	return dsn, exec1(ctx, dsn, table, fmt.Sprintf(`
INSERT INTO item SELECT i, i %% 1000, 'new', i %% 10000 / 100.0, now(), repeat('x', 50) || i FROM generate_series(1, %d) i;
INSERT INTO item VALUES (0, 0, 'marker', 0, now(), 'copied')`, b.sizes.Rows),
		"VACUUM ANALYZE item", "CREATE PUBLICATION native FOR TABLE item", writers)
}

// writers make the backlogs. Rows are visited far apart, each once.
const writers = `
CREATE PROCEDURE bulk(total int, per_tx int, rows int, round int) LANGUAGE plpgsql AS $$
BEGIN
  SET synchronous_commit = off;
  FOR begun IN 0 .. total - 1 BY per_tx LOOP
    UPDATE item SET state = 'bulk ' || round, amount = amount + 1, changed_at = clock_timestamp()
    FROM generate_series(begun, begun + per_tx - 1) i WHERE id = 1 + i::bigint * 7919 % rows;
    COMMIT;
  END LOOP;
END $$;
CREATE PROCEDURE single(total int, rows int, round int) LANGUAGE plpgsql AS $$
BEGIN
  SET synchronous_commit = off;
  FOR i IN 0 .. total - 1 LOOP
    UPDATE item SET state = 'single ' || round, amount = amount + 1, changed_at = clock_timestamp()
    WHERE id = 1 + i::bigint * 7919 % rows;
    COMMIT;
  END LOOP;
END $$`

// backlog is a load that all sides catch up with.
type backlog struct {
	name string
	call func(s sizes, round int) string
	rows func(s sizes) int
}

// backlogs by name.
func backlogs() map[string]backlog {
	return map[string]backlog{
		"bulk": {
			"updates in large transactions",
			func(s sizes, round int) string {
				return fmt.Sprintf("CALL bulk(%d, %d, %d, %d)", s.Bulk, s.PerTx, s.Rows, round)
			},
			func(s sizes) int { return s.Bulk },
		},
		"single": {
			"transactions of one row",
			func(s sizes, round int) string {
				return fmt.Sprintf("CALL single(%d, %d, %d)", s.Single, s.Rows, round)
			},
			func(s sizes) int { return s.Single },
		},
		"hot": {
			"transactions of one row, hot rows",
			func(s sizes, round int) string { return fmt.Sprintf("CALL single(%d, %d, %d)", s.Single, s.Hot, round) },
			func(s sizes) int { return s.Single },
		},
	}
}

// load writes a backlog, and the marker in a transaction of its own at the end.
func (b *bench) load(ctx context.Context, source string, l backlog, round int) (marker string, err error) {
	marker = b.unique("marker")
	return marker, exec1(ctx, source, "VACUUM item", l.call(b.sizes, round), fmt.Sprintf("UPDATE item SET note = '%s' WHERE id = 0", marker))
}
