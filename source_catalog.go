package autocdc

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/schema/catalog"
)

// sourceCatalog is what a plan knows of one source.
type sourceCatalog struct {
	name   string
	conn   *pgx.Conn // nil if it cannot be reached
	server catalog.Server
	types  *catalog.TypeMap
	tables map[schema.Name]*sourceTable
	access map[uint32]access
	known  []schema.Name // all tables, read when one is missing
}

// access is what the role may do with a table.
type access struct {
	permanent    bool
	mayRead      bool
	owner        string
	ownerIsSuper bool
	owns         bool // or is a member of the owner
	rowSecurity  bool
}

const accessQuery = `
SELECT c.oid, c.relpersistence = 'p', has_table_privilege(c.oid, 'SELECT') AND has_schema_privilege(c.relnamespace, 'USAGE'),
	o.rolname::text, o.rolsuper, pg_has_role(o.oid, 'USAGE'), row_security_active(c.oid)
FROM pg_class c
JOIN pg_roles o ON o.oid = c.relowner
WHERE c.oid = ANY ($1)`

// readSources opens the sources that flows read and looks their tables up, all in
// a few queries each.
func (p *planner) readSources(ctx context.Context) error {
	p.sources = map[string]*sourceCatalog{}
	for _, src := range p.Sources {
		if err := p.readTables(ctx, src); err != nil {
			return err
		}
	}
	return p.readChain(ctx)
}

// readTables looks up those tables that flows read from one source.
func (p *planner) readTables(ctx context.Context, src Source) error {
	var wanted []schema.Name
	for _, d := range p.decl.flows {
		if d.source == src.Name && d.feed != merge.Snapshot {
			wanted = append(wanted, d.table)
		}
	}
	if len(wanted) == 0 || p.isMySQL(src.Name) {
		return nil
	}
	c := &sourceCatalog{name: src.Name}
	p.sources[src.Name] = c
	return p.readSource(ctx, src, c, wanted)
}

func (p *planner) readSource(ctx context.Context, src Source, c *sourceCatalog, wanted []schema.Name) (err error) {
	if c.conn, err = catalog.Connect(ctx, src.DSN); err != nil {
		c.conn = nil
		return p.unreachable(ctx, err, src.DSN, fmt.Sprintf("reach source %q", src.Name))
	}
	if c.server, err = catalog.ServerInfo(ctx, c.conn); err == nil {
		c.types = catalog.NewTypeMap(src.DSN, p.Target)
		err = c.read(ctx, p.target != nil, wanted)
	}
	if err != nil {
		return fmt.Errorf("read source %q: %w", src.Name, err)
	}
	return nil
}

// read looks tables up, with keys and types.
func (c *sourceCatalog) read(ctx context.Context, hasTarget bool, wanted []schema.Name) error {
	rels, err := catalog.Relations(ctx, c.conn, wanted)
	if err != nil {
		return err
	}
	if len(rels) < len(wanted) {
		if c.known, err = catalog.Tables(ctx, c.conn, []string{"*.*"}); err != nil {
			c.known = nil // there is none at all
		}
	}
	var oids []uint32
	for _, rel := range rels {
		oids = append(oids, rel.OID)
	}
	slices.Sort(oids)
	keys, err := catalog.Keys(ctx, c.conn, oids)
	if err != nil {
		return err
	}
	if err := c.readAccess(ctx, oids); err != nil {
		return err
	}
	c.tables = map[schema.Name]*sourceTable{}
	for name, rel := range rels {
		c.tables[name] = tableOf(rel, keys[rel.OID])
	}
	return c.mapTypes(ctx, hasTarget)
}

// mapTypes finds what the columns' types are on the target. Without a target they
// stay as they are, so that the other faults can still be found.
func (c *sourceCatalog) mapTypes(ctx context.Context, hasTarget bool) error {
	if hasTarget {
		if err := c.types.Load(ctx, c.columnTypes()); err != nil {
			return err
		}
	}
	for _, t := range c.tables {
		for _, col := range t.rel.Columns {
			typ, note := col.Type, ""
			if hasTarget {
				var err error
				if typ, note, err = c.types.Map(ctx, col.TypeOID, col.TypeMod); err != nil {
					return fmt.Errorf("column %q of %s: %w", col.Name, t.rel.Name, err)
				}
			}
			t.raw, t.notes = append(t.raw, typ), append(t.notes, note)
		}
	}
	return nil
}

func (c *sourceCatalog) columnTypes() []catalog.Type {
	seen := map[catalog.Type]bool{}
	for _, t := range c.tables {
		for _, col := range t.rel.Columns {
			seen[catalog.Type{OID: col.TypeOID, Mod: col.TypeMod}] = true
		}
	}
	return slices.Collect(maps.Keys(seen))
}

func (c *sourceCatalog) readAccess(ctx context.Context, oids []uint32) error {
	rows, err := c.conn.Query(ctx, accessQuery, oids)
	if err != nil {
		return fmt.Errorf("read privileges: %w", err)
	}
	c.access = map[uint32]access{}
	var oid uint32
	var a access
	_, err = pgx.ForEachRow(rows, []any{&oid, &a.permanent, &a.mayRead, &a.owner, &a.ownerIsSuper, &a.owns, &a.rowSecurity}, func() error {
		c.access[oid] = a
		return nil
	})
	if err != nil {
		return fmt.Errorf("read privileges: %w", err)
	}
	return nil
}

func (c *sourceCatalog) table(name schema.Name) *sourceTable { return c.tables[name] }

// hint names the tables that a wrong name may have meant.
func (c *sourceCatalog) hint(name schema.Name) string {
	var candidates, schemas []string
	for _, n := range c.known {
		candidates = append(candidates, shown(n))
		if n.Name == name.Name {
			schemas = append(schemas, shown(n))
		}
	}
	switch {
	case len(schemas) > 0:
		return "did you mean " + listed(schemas) + "?"
	case len(candidates) == 0:
		return "the database " + bare(c.server.Database) + " has no tables"
	}
	if hint := nearestText(shown(name), candidates); hint != "" {
		return hint
	}
	return "its tables are " + listed(candidates)
}

func (c *sourceCatalog) close() {
	if c.conn != nil {
		closeConn(c.conn)
	}
}

// tableOf leaves out the columns that the WAL does not carry.
func tableOf(rel *schema.Relation, keys []catalog.Key) *sourceTable {
	t := &sourceTable{}
	sent := *rel
	sent.Columns = nil
	for _, col := range rel.Columns {
		if col.Generated {
			t.unsent = append(t.unsent, col.Name)
			continue
		}
		sent.Columns = append(sent.Columns, col)
	}
	t.rel = &sent
	for _, k := range keys {
		t.keys = append(t.keys, catalogKey{k.Name, k.Columns, k.Primary, k.Deferrable, !k.NotNull})
	}
	return t
}
