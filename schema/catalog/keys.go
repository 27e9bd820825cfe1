package catalog

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Key is a unique index over plain columns, whole and valid: what can tell rows
// apart.
type Key struct {
	Name             string // of the index
	Columns          []string
	Primary          bool
	Deferrable       bool // uniqueness may be violated within a transaction
	NotNull          bool // all columns are; otherwise nulls are distinct from one another
	NullsNotDistinct bool // 15 and later: UNIQUE NULLS NOT DISTINCT
	Replica          bool // REPLICA IDENTITY USING INDEX
}

const keysQuery = `
SELECT x.indrelid, i.relname::text, x.indisprimary, NOT x.indimmediate, x.indisreplident,
	coalesce((to_jsonb(x) ->> 'indnullsnotdistinct')::bool, false),
	array_agg(a.attname::text ORDER BY k.place), bool_and(a.attnotnull)
FROM pg_index x
JOIN pg_class i ON i.oid = x.indexrelid
JOIN LATERAL unnest((x.indkey::int2[])[0:x.indnkeyatts - 1]) WITH ORDINALITY AS k (attnum, place) ON true
JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.attnum
WHERE x.indrelid = ANY ($1) AND x.indisunique AND x.indisvalid AND x.indpred IS NULL AND x.indexprs IS NULL
GROUP BY x.indrelid, i.relname, x.indexrelid, x.indisprimary, x.indimmediate, x.indisreplident, 6
ORDER BY x.indrelid, x.indisprimary DESC, i.relname`

// Keys returns the keys of tables by OID, the primary key first. Partial indexes
// and those over expressions are none. A table without a key is not in the map.
func Keys(ctx context.Context, conn *pgx.Conn, oids []uint32) (map[uint32][]Key, error) {
	rows, err := conn.Query(ctx, keysQuery, oids)
	if err != nil {
		return nil, fmt.Errorf("read keys: %w", err)
	}
	keys := map[uint32][]Key{}
	var oid uint32
	var k Key
	into := []any{&oid, &k.Name, &k.Primary, &k.Deferrable, &k.Replica, &k.NullsNotDistinct, &k.Columns, &k.NotNull}
	_, err = pgx.ForEachRow(rows, into, func() error {
		keys[oid] = append(keys[oid], k)
		k.Columns = nil
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read keys: %w", err)
	}
	return keys, nil
}
