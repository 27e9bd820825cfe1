package autocdc

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/snapshot"
)

// measured is what the catalog says of a table that is about to be copied.
type measured struct {
	merge.View
	rows, bytes int64 // estimates; rows are 0 where nobody has counted them
	parted      bool  // its pages can be read range by range
}

// Ranges of pages are read without reading the rest since Postgres 14, and where the
// storage is the heap. A partition needs a privilege of its own.
const leavesQuery = `
WITH RECURSIVE member AS (
	SELECT $1::text::regclass::oid AS oid
	UNION ALL
	SELECT h.inhrelid
	FROM member
	JOIN pg_class c ON c.oid = member.oid AND c.relkind = 'p'
	JOIN pg_inherits h ON h.inhparent = c.oid
)
SELECT c.oid, n.nspname::text, c.relname::text, COALESCE(pg_relation_filenode(c.oid), 0),
	COALESCE(s.bytes, 0), COALESCE(s.bytes, 0) / current_setting('block_size')::bigint,
	CASE
		WHEN c.reltuples >= 0 AND c.relpages > 0
		THEN (c.reltuples::float8 / c.relpages * s.bytes / current_setting('block_size')::bigint)::bigint
		WHEN s.bytes > 0 THEN -1
		ELSE 0
	END,
	COALESCE(c.relkind = 'r' AND a.amname = 'heap' AND has_table_privilege(c.oid, 'SELECT')
		AND current_setting('server_version_num')::int >= 140000, false)
FROM member
JOIN pg_class c ON c.oid = member.oid
JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_am a ON a.oid = c.relam
CROSS JOIN LATERAL (SELECT pg_relation_size(c.oid) AS bytes) s
WHERE c.relkind <> 'p'
ORDER BY n.nspname, c.relname`

type leafRow struct {
	OID                uint32
	Schema, Name       string
	File               uint32
	Bytes, Pages, Rows int64
	Parted             bool
}

// lookAt asks how large a flow's table is and where its pages are.
func lookAt(ctx context.Context, conn *snapshot.Conn, flow *merge.Flow) (*measured, error) {
	t := &measured{parted: true}
	if err := conn.Conn().QueryRow(ctx, "SELECT pg_snapshot_xmin(pg_current_snapshot())::text").Scan(&t.Horizon); err != nil {
		return nil, fmt.Errorf("look at snapshot: %w", err)
	}
	rows, err := conn.Conn().Query(ctx, leavesQuery, flow.Rel.Name.String())
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", flow.Rel.Name, err)
	}
	leaves, err := pgx.CollectRows(rows, pgx.RowToStructByPos[leafRow])
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", flow.Rel.Name, err)
	}
	uncounted := false
	for _, l := range leaves {
		leaf := merge.Leaf{OID: l.OID, File: l.File, Pages: l.Pages}
		leaf.Name.Schema, leaf.Name.Name = l.Schema, l.Name
		t.Leaves = append(t.Leaves, leaf)
		t.bytes += l.Bytes
		t.rows += max(l.Rows, 0)
		uncounted = uncounted || l.Rows < 0
		t.parted = t.parted && l.Parted
	}
	if uncounted {
		t.rows = 0
	}
	t.parted = t.parted && len(leaves) > 0
	return t, nil
}

// less is an estimate of what remains when some pages have been read already.
func (t *measured) less(read int64) (rows, bytes int64) {
	var pages int64
	for _, l := range t.Leaves {
		pages += l.Pages
	}
	if read >= pages {
		return 0, 0
	}
	share := 1 - float64(read)/float64(pages)
	return int64(float64(t.rows) * share), int64(float64(t.bytes) * share)
}
