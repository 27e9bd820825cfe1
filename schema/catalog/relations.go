package catalog

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/schema"
)

// relationsQuery gives a row per column, or one with nulls for a table without
// any. The identity of a row is in the index that the WAL uses: the primary key
// unless it is deferrable, or the one chosen.
// https://www.postgresql.org/docs/current/sql-altertable.html#SQL-ALTERTABLE-REPLICA-IDENTITY
const relationsQuery = `
SELECT c.oid, n.nspname::text, c.relname::text, c.relkind::text, c.relreplident::text,
	EXISTS (
		SELECT FROM pg_inherits h JOIN pg_class child ON child.oid = h.inhrelid
		WHERE h.inhparent = c.oid AND NOT child.relispartition AND c.relkind = 'r'
	),
	a.attname::text, a.attnum, a.atttypid, a.atttypmod, format_type(a.atttypid, a.atttypmod),
	CASE WHEN a.attcollation <> t.typcollation THEN quote_ident(cn.nspname) || '.' || quote_ident(co.collname) END,
	c.relreplident = 'f' OR coalesce(a.attnum = ANY (i.key), false),
	a.attnotnull, a.attgenerated <> ''
FROM unnest($1::text[], $2::text[]) AS want (nspname, relname)
JOIN pg_namespace n ON n.nspname = want.nspname
JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = want.relname AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_collation co ON co.oid = a.attcollation
LEFT JOIN pg_namespace cn ON cn.oid = co.collnamespace
LEFT JOIN LATERAL (
	SELECT (x.indkey::int2[])[0:x.indnkeyatts - 1] AS key
	FROM pg_index x
	WHERE x.indrelid = c.oid AND x.indisvalid AND x.indimmediate
		AND (c.relreplident = 'd' AND x.indisprimary OR c.relreplident = 'i' AND x.indisreplident)
) i ON true
ORDER BY c.oid, a.attnum`

// Relations describes tables and views, with all columns in the order of
// pgoutput's tuples, generated ones (which tuples lack before 18) included. A
// name that does not exist is not in the map.
func Relations(ctx context.Context, conn *pgx.Conn, names []schema.Name) (map[schema.Name]*schema.Relation, error) {
	schemas, tables := split(names)
	rows, err := conn.Query(ctx, relationsQuery, schemas, tables)
	if err != nil {
		return nil, fmt.Errorf("read relations: %w", err)
	}
	defer rows.Close()
	rels := make(map[schema.Name]*schema.Relation, len(names))
	for rows.Next() {
		if err := scanColumn(rows, rels); err != nil {
			return nil, fmt.Errorf("read relations: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read relations: %w", err)
	}
	return rels, nil
}

func split(names []schema.Name) (schemas, tables []string) {
	schemas, tables = make([]string, 0, len(names)), make([]string, 0, len(names))
	seen := make(map[schema.Name]bool, len(names))
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			schemas, tables = append(schemas, n.Schema), append(tables, n.Name)
		}
	}
	return schemas, tables
}

// scanColumn adds a row of relationsQuery to its relation.
func scanColumn(rows pgx.Rows, rels map[schema.Name]*schema.Relation) error {
	var rel schema.Relation
	var kind, replica string
	var name, typ, collation *string
	var num *int16
	var oid *uint32
	var mod *int32
	var identity, notNull, generated *bool
	err := rows.Scan(&rel.OID, &rel.Name.Schema, &rel.Name.Name, &kind, &replica, &rel.IsParent,
		&name, &num, &oid, &mod, &typ, &collation, &identity, &notNull, &generated)
	if err != nil {
		return err
	}
	r := rels[rel.Name]
	if r == nil {
		rel.Kind, rel.Replica = kind[0], schema.ReplicaIdentity(replica[0])
		r = &rel
		rels[rel.Name] = r
	}
	if name == nil {
		return nil
	}
	r.Columns = append(r.Columns, schema.Column{
		Name: *name, TypeOID: *oid, TypeMod: *mod, Type: *typ, Collation: value(collation),
		Identity: value(identity), NotNull: *notNull, Generated: *generated, AttNum: *num,
	})
	return nil
}

// value returns what p points to, or zero.
func value[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}
