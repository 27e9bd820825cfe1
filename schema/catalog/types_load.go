package catalog

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// sourceType is a row of pg_type, with a modifier applied.
type sourceType struct {
	Type
	name    string // qualified unless in pg_catalog, without modifier
	text    string // the same with modifier
	bare    string // typname
	catalog bool   // in pg_catalog
	kind    string // typtype: b, c, d, e, m, p, r
	array   bool   // a true array, of part
	part    Type   // element of an array, base of a domain
	owner   string // the extension that it belongs to
}

// targetType is a type that the target has.
type targetType struct{ kind, name string }

// sourceQuery follows domains to their bases and arrays to their elements, which
// have the array's modifier. The element of a true array names it as its array:
// int2vector has elements and is none.
const sourceQuery = `
WITH RECURSIVE want AS (
	SELECT * FROM unnest($1::oid[], $2::int4[]) AS w (oid, mod)
	UNION
	SELECT part.oid, CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE w.mod END
	FROM want w
	JOIN pg_type t ON t.oid = w.oid
	JOIN pg_type part ON part.oid = CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.typelem END
)
SELECT t.oid, w.mod, format_type(t.oid, NULL), format_type(t.oid, w.mod), t.typname::text,
	t.typnamespace = 'pg_catalog'::regnamespace, t.typtype::text, e.oid IS NOT NULL,
	coalesce(e.oid, t.typbasetype), CASE WHEN e.oid IS NULL THEN t.typtypmod ELSE w.mod END,
	coalesce(x.extname::text, '')
FROM want w
JOIN pg_type t ON t.oid = w.oid
LEFT JOIN pg_type e ON e.oid = t.typelem AND e.typarray = t.oid
LEFT JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.objsubid = 0
	AND d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
LEFT JOIN pg_extension x ON x.oid = d.refobjid`

func loadSource(ctx context.Context, dsn string, types []Type) (found []*sourceType, err error) {
	oids, mods := make([]uint32, len(types)), make([]int32, len(types))
	for i, t := range types {
		oids[i], mods[i] = t.OID, t.Mod
	}
	err = withConn(ctx, dsn, func(conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, sourceQuery, oids, mods)
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, scanSourceType)
		return err
	})
	return found, err
}

func scanSourceType(row pgx.CollectableRow) (*sourceType, error) {
	t := &sourceType{}
	err := row.Scan(&t.OID, &t.Mod, &t.name, &t.text, &t.bare, &t.catalog, &t.kind, &t.array,
		&t.part.OID, &t.part.Mod, &t.owner)
	return t, err
}

// local tells whether values of the type mean nothing elsewhere, or cannot be
// read in again: names of objects, privileges of roles, internal trees.
func (t *sourceType) local() bool {
	if !t.catalog {
		return false
	}
	if t.kind == "c" || t.kind == "p" {
		return true
	}
	return strings.HasPrefix(t.bare, "reg") || strings.HasPrefix(t.bare, "pg_brin_") ||
		slices.Contains([]string{"aclitem", "gtsvector", "pg_node_tree", "pg_ndistinct", "pg_dependencies", "pg_mcv_list"}, t.bare)
}

// as gives the text of the type, modifier included, under the name that it has
// on the target.
func (t *sourceType) as(name string) string {
	if rest, ok := strings.CutPrefix(t.text, t.name); ok && name != t.name {
		return name + rest
	}
	return t.text
}

// targetQuery finds types by qualified name; one that belongs to an extension
// also in the schema that the target has the extension in.
const targetQuery = `
SELECT w.name, t.typtype::text, format_type(t.oid, NULL)
FROM unnest($1::text[], $2::text[], $3::text[]) AS w (name, bare, owner)
JOIN LATERAL (
	SELECT to_regtype(w.name)::oid AS oid, 1 AS rank
	UNION ALL
	SELECT d.objid, 2
	FROM pg_extension x
	JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = x.oid
		AND d.classid = 'pg_type'::regclass AND d.deptype = 'e'
	JOIN pg_type m ON m.oid = d.objid AND m.typname = w.bare
	WHERE x.extname = w.owner
	ORDER BY rank
) c ON c.oid IS NOT NULL
JOIN pg_type t ON t.oid = c.oid AND t.typisdefined
ORDER BY w.name, c.rank DESC`

func loadTarget(ctx context.Context, dsn string, types []*sourceType) (map[string]targetType, error) {
	var names, bares, owners []string
	for _, t := range types {
		names, bares, owners = append(names, t.name), append(bares, t.bare), append(owners, t.owner)
	}
	kinds := map[string]targetType{}
	err := withConn(ctx, dsn, func(conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, targetQuery, names, bares, owners)
		if err != nil {
			return err
		}
		var name string
		var t targetType
		_, err = pgx.ForEachRow(rows, []any{&name, &t.kind, &t.name}, func() error {
			kinds[name] = t // the best rank comes last
			return nil
		})
		return err
	})
	return kinds, err
}
