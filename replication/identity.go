package replication

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/schema"
)

// publishableQuery looks at each table and at the partitions below it: the
// server checks the identity of the partition that holds the row. An identity
// is usable if the WAL can carry it: a deferrable primary key is none.
const publishableQuery = `
WITH RECURSIVE want AS (
	SELECT c.oid AS root, c.oid
	FROM unnest($1::text[], $2::text[]) AS w (nspname, relname)
	JOIN pg_catalog.pg_namespace n ON n.nspname = w.nspname
	JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.relname
	UNION ALL
	SELECT w.root, h.inhrelid
	FROM want w
	JOIN pg_catalog.pg_inherits h ON h.inhparent = w.oid
	JOIN pg_catalog.pg_class c ON c.oid = h.inhrelid AND c.relispartition
)
SELECT rn.nspname::text, r.relname::text, n.nspname::text, c.relname::text, c.relkind::text, c.relpersistence::text,
	c.relreplident = 'f' OR EXISTS (
		SELECT FROM pg_catalog.pg_index x
		WHERE x.indrelid = c.oid AND x.indisvalid AND x.indimmediate
			AND (c.relreplident = 'd' AND x.indisprimary OR c.relreplident = 'i' AND x.indisreplident)
	),
	(
		SELECT i.relname::text
		FROM pg_catalog.pg_index x
		JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
		WHERE x.indrelid = c.oid AND x.indisunique AND x.indisvalid AND x.indimmediate
			AND x.indpred IS NULL AND x.indexprs IS NULL
			AND NOT EXISTS (
				SELECT FROM pg_catalog.pg_attribute a
				WHERE a.attrelid = c.oid AND a.attnum = ANY (x.indkey) AND NOT a.attnotnull
			)
		ORDER BY x.indisprimary DESC, i.relname
		LIMIT 1
	)
FROM want w
JOIN pg_catalog.pg_class c ON c.oid = w.oid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_class r ON r.oid = w.root
JOIN pg_catalog.pg_namespace rn ON rn.oid = r.relnamespace
ORDER BY 1, 2, 3, 4`

// publishable is a table, or a partition of it, as publishableQuery gives it.
type publishable struct {
	root, name        schema.Name
	kind, persistence string
	identity          bool
	index             *string // that could be one, or nil
}

// checkPublishable refuses tables that cannot be published, before anything is
// changed: a table without identity in a publication would make its owner's
// UPDATEs fail.
func checkPublishable(ctx context.Context, tx pgx.Tx, changes, feeds []schema.Name) error {
	bad, err := unidentified(ctx, tx, changes)
	if err != nil {
		return err
	}
	if _, err := loadPublishable(ctx, tx, feeds); err != nil {
		return err
	}
	if len(bad.Tables) > 0 {
		return bad
	}
	return nil
}

// CheckIdentity returns an *IdentityError for the tables whose updates and
// deletes the WAL cannot tell apart, nil if there is none.
func CheckIdentity(ctx context.Context, conn *pgx.Conn, tables []schema.Name) error {
	bad, err := unidentified(ctx, conn, tables)
	if err == nil && len(bad.Tables) > 0 {
		err = bad
	}
	return err
}

// querier is a connection or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

func unidentified(ctx context.Context, q querier, tables []schema.Name) (*IdentityError, error) {
	found, err := loadPublishable(ctx, q, tables)
	if err != nil {
		return nil, err
	}
	bad := &IdentityError{}
	for _, p := range found {
		if !p.identity {
			bad.Tables = append(bad.Tables, p.name)
			bad.Statements = append(bad.Statements, p.remedy())
		}
	}
	return bad, nil
}

// loadPublishable refuses what is missing and what has no WAL.
func loadPublishable(ctx context.Context, q querier, tables []schema.Name) ([]publishable, error) {
	schemas, names := make([]string, len(tables)), make([]string, len(tables))
	for i, n := range tables {
		schemas[i], names[i] = n.Schema, n.Name
	}
	rows, err := q.Query(ctx, publishableQuery, schemas, names)
	if err != nil {
		return nil, fmt.Errorf("read replica identities: %w", err)
	}
	found, err := pgx.CollectRows(rows, scanPublishable)
	if err != nil {
		return nil, fmt.Errorf("read replica identities: %w", err)
	}
	return found, refuse(tables, found)
}

func scanPublishable(row pgx.CollectableRow) (p publishable, err error) {
	err = row.Scan(&p.root.Schema, &p.root.Name, &p.name.Schema, &p.name.Name,
		&p.kind, &p.persistence, &p.identity, &p.index)
	return p, err
}

func refuse(tables []schema.Name, found []publishable) error {
	seen := map[schema.Name]bool{}
	for _, p := range found {
		seen[p.root] = true
		if p.kind != "r" && p.kind != "p" {
			return fmt.Errorf("publish %s: it is not a table", p.name)
		}
		if p.persistence != "p" {
			return fmt.Errorf("publish %s: it is temporary or unlogged, its changes are not in the WAL", p.name)
		}
	}
	for _, n := range tables {
		if !seen[n] {
			return fmt.Errorf("publish %s: there is no such table", n)
		}
	}
	return nil
}

// remedy is the statement that gives the table an identity.
func (p publishable) remedy() string {
	if p.index == nil {
		return fmt.Sprintf("ALTER TABLE %s REPLICA IDENTITY FULL", p.name)
	}
	return fmt.Sprintf("ALTER TABLE %s REPLICA IDENTITY USING INDEX %s", p.name, schema.Ident(*p.index))
}

// IdentityError names the tables that must not be published with updates and
// deletes, and per table the statement that would change that.
type IdentityError struct {
	Tables     []schema.Name
	Statements []string
}

// Error names the tables.
func (e *IdentityError) Error() string {
	names := make([]string, len(e.Tables))
	for i, n := range e.Tables {
		names[i] = n.String()
	}
	return "no usable replica identity: " + strings.Join(names, ", ")
}

// Hint gives the statements.
func (e *IdentityError) Hint() string {
	return "add a primary key, or run: " + strings.Join(e.Statements, "; ")
}
