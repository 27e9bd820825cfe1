package catalog

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/schema"
)

// Missing is something that the connection's role may not do, and the statement
// with which an owner or administrator allows it.
type Missing struct {
	Table     schema.Name // zero where it is no table's
	Privilege string      // "SELECT on …", for people
	Statement string
}

// The generated columns that a copy leaves out do not matter: SELECT on the
// table is the plain rule, and column grants are honoured.
const selectQuery = `
SELECT n.nspname::text, c.relname::text, current_user::text,
	NOT has_schema_privilege(n.oid, 'USAGE'),
	NOT has_table_privilege(c.oid, 'SELECT') AND EXISTS (
		SELECT FROM pg_attribute a
		WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
			AND NOT has_column_privilege(c.oid, a.attnum, 'SELECT')
	),
	row_security_active(c.oid)
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.oid = ANY ($1)
ORDER BY 1, 2`

// MissingSelect tells what the role lacks to read whole tables: USAGE on the
// schema, SELECT on the table, and no row security that hides rows.
func MissingSelect(ctx context.Context, conn *pgx.Conn, oids []uint32) ([]Missing, error) {
	rows, err := conn.Query(ctx, selectQuery, oids)
	if err != nil {
		return nil, fmt.Errorf("read privileges: %w", err)
	}
	var missing []Missing
	var n schema.Name
	var role string
	var noUsage, noSelect, hides bool
	into := []any{&n.Schema, &n.Name, &role, &noUsage, &noSelect, &hides}
	_, err = pgx.ForEachRow(rows, into, func() error {
		missing = append(missing, lacksSelect(n, schema.Ident(role), noUsage, noSelect, hides)...)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read privileges: %w", err)
	}
	return missing, nil
}

func lacksSelect(n schema.Name, role schema.Ident, noUsage, noSelect, hides bool) []Missing {
	var missing []Missing
	add := func(lacks bool, privilege, statement string) {
		if lacks {
			missing = append(missing, Missing{Table: n, Privilege: privilege, Statement: statement})
		}
	}
	id := schema.Ident(n.Schema)
	add(noUsage, fmt.Sprintf("USAGE on schema %s", id), fmt.Sprintf("GRANT USAGE ON SCHEMA %s TO %s", id, role))
	add(noSelect, fmt.Sprintf("SELECT on %s", n), fmt.Sprintf("GRANT SELECT ON %s TO %s", n, role))
	add(hides, fmt.Sprintf("all rows of %s, which has row security", n), fmt.Sprintf("ALTER ROLE %s BYPASSRLS", role))
	return missing
}

const publishQuery = `
SELECT n.nspname::text, c.relname::text, current_user::text, o.rolname::text
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_roles o ON o.oid = c.relowner
WHERE c.oid = ANY ($1) AND NOT pg_has_role(c.relowner, 'USAGE')
ORDER BY 1, 2`

// MissingPublish tells what the role lacks to make a publication of the tables
// itself: CREATE on the database, and ownership of each table. It needs neither
// where an administrator has made the publication.
func MissingPublish(ctx context.Context, conn *pgx.Conn, oids []uint32) ([]Missing, error) {
	missing, err := missingCreate(ctx, conn)
	if err != nil {
		return nil, fmt.Errorf("read privileges: %w", err)
	}
	rows, err := conn.Query(ctx, publishQuery, oids)
	if err != nil {
		return nil, fmt.Errorf("read privileges: %w", err)
	}
	var n schema.Name
	var role, owner string
	_, err = pgx.ForEachRow(rows, []any{&n.Schema, &n.Name, &role, &owner}, func() error {
		missing = append(missing, Missing{
			Table: n, Privilege: fmt.Sprintf("ownership of %s", n),
			Statement: fmt.Sprintf("GRANT %s TO %s", schema.Ident(owner), schema.Ident(role)),
		})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read privileges: %w", err)
	}
	return missing, nil
}

func missingCreate(ctx context.Context, conn *pgx.Conn) ([]Missing, error) {
	var database, role string
	var may bool
	err := conn.QueryRow(ctx, `
		SELECT current_database()::text, current_user::text, has_database_privilege(current_database(), 'CREATE')`).
		Scan(&database, &role, &may)
	if err != nil || may {
		return nil, err
	}
	return []Missing{{
		Privilege: fmt.Sprintf("CREATE on database %s", schema.Ident(database)),
		Statement: fmt.Sprintf("GRANT CREATE ON DATABASE %s TO %s", schema.Ident(database), schema.Ident(role)),
	}}, nil
}

// MissingReplication tells whether the role may open replication connections.
// Providers that have their own way are known to ServerInfo.
func MissingReplication(s Server) []Missing {
	if s.Replication {
		return nil
	}
	return []Missing{{
		Privilege: "REPLICATION",
		Statement: fmt.Sprintf("ALTER ROLE %s REPLICATION", schema.Ident(s.Role)),
	}}
}
