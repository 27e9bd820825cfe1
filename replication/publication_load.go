package replication

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/schema"
)

// livePublication is what the catalog says of a publication.
type livePublication struct {
	publish string
	viaRoot bool
	plain   bool          // tables only: not all, no schema, no row filter or column list
	partial bool          // a row filter or column list
	tables  []schema.Name // named ones, sorted
	visible []schema.Name // what it publishes, however it was said; sorted
}

// Row filters, column lists and schemas came with 15: read by name, since 14
// knows none.
const publicationQuery = `
SELECT p.oid, concat_ws(', ',
		CASE WHEN p.pubinsert THEN 'insert' END, CASE WHEN p.pubupdate THEN 'update' END,
		CASE WHEN p.pubdelete THEN 'delete' END, CASE WHEN p.pubtruncate THEN 'truncate' END),
	p.pubviaroot, p.puballtables
FROM pg_catalog.pg_publication p
WHERE p.pubname = $1`

const publicationTables = `
SELECT n.nspname::text, c.relname::text,
	coalesce(to_jsonb(r) ->> 'prqual', to_jsonb(r) ->> 'prattrs') IS NOT NULL
FROM pg_catalog.pg_publication_rel r
JOIN pg_catalog.pg_class c ON c.oid = r.prrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE r.prpubid = $1`

const publicationVisible = `
SELECT schemaname::text, tablename::text FROM pg_catalog.pg_publication_tables WHERE pubname = $1`

// loadPublication returns nil if there is none of that name.
func loadPublication(ctx context.Context, tx pgx.Tx, name string) (*livePublication, error) {
	var p livePublication
	var oid uint32
	var all bool
	err := tx.QueryRow(ctx, publicationQuery, name).Scan(&oid, &p.publish, &p.viaRoot, &all)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err == nil {
		err = p.loadTables(ctx, tx, oid)
	}
	if err == nil {
		err = p.loadVisible(ctx, tx, name)
	}
	if err != nil {
		return nil, fmt.Errorf("read publication %q: %w", name, err)
	}
	p.plain = !all && !p.partial && p.publishesNamed()
	return &p, nil
}

func (p *livePublication) loadTables(ctx context.Context, tx pgx.Tx, oid uint32) error {
	rows, err := tx.Query(ctx, publicationTables, oid)
	if err != nil {
		return err
	}
	var n schema.Name
	var partial bool
	_, err = pgx.ForEachRow(rows, []any{&n.Schema, &n.Name, &partial}, func() error {
		p.tables = append(p.tables, n)
		p.partial = p.partial || partial
		return nil
	})
	slices.SortFunc(p.tables, compareNames)
	return err
}

func (p *livePublication) loadVisible(ctx context.Context, tx pgx.Tx, name string) error {
	rows, err := tx.Query(ctx, publicationVisible, name)
	if err != nil {
		return err
	}
	p.visible, err = pgx.CollectRows(rows, pgx.RowToStructByPos[schema.Name])
	slices.SortFunc(p.visible, compareNames)
	return err
}

// publishesNamed tells whether nothing is published that is not named: a schema
// would do that. Without a root's rights partitions stand for their root, so
// that more may be seen than is named.
func (p *livePublication) publishesNamed() bool {
	return !p.viaRoot || len(p.visible) <= len(p.tables)
}

// covers tells whether an administrator's publication brings what want would. A
// partitioned table is visible only where changes are published as its root's.
func (p *livePublication) covers(want publication) bool {
	if p.partial || !publishes(p.publish, want.publish) {
		return false
	}
	for _, n := range want.tables {
		if _, found := slices.BinarySearchFunc(p.visible, n, compareNames); !found {
			return false
		}
	}
	return true
}

// publishes tells whether the list of operations have holds all of want.
func publishes(have, want string) bool {
	ops := strings.Split(have, ", ")
	for _, op := range strings.Split(want, ", ") {
		if !slices.Contains(ops, op) {
			return false
		}
	}
	return true
}
