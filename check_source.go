package autocdc

import (
	"context"
	"fmt"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/replication"
	"github.com/autocdc/autocdc/schema"
)

// source checks settings, role, tables and slot of one source.
func (c *checker) source(ctx context.Context, src *sourceCatalog, known *merge.SourceState) error {
	slot := c.slot(src.name)
	found, err := replication.LookupSlot(ctx, src.conn, slot)
	if err != nil {
		return err
	}
	before := len(c.list)
	c.settings(src, found != nil)
	c.role(src)
	c.access(src)
	if len(c.list) > before {
		return nil // a replication connection would fail for the same reasons
	}
	dsn := src.conn.Config().ConnString()
	system, err := replication.IdentifySystem(ctx, dsn)
	if err != nil {
		return c.unreachable(ctx, err, dsn, fmt.Sprintf("open replication connection to source %q", src.name))
	}
	if f := slotFault(src.name, slot, known, found, system); f != nil {
		c.list = append(c.list, *f)
	}
	return c.notItself(ctx, src, system)
}

func (c *checker) fault(hint, format string, args ...any) {
	c.add(flowsql.Pos{}, hint, format, args...)
}

// settings of the server.
func (c *checker) settings(src *sourceCatalog, hasSlot bool) {
	s := src.server
	switch {
	case s.Version < 140000:
		c.fault("upgrade it to 14 or newer", "source %q is Postgres %s; 14 is the oldest that works", src.name, s.VersionText)
	case s.InRecovery:
		c.fault("connect to the primary", "source %q is a standby, where no publication can be made", src.name)
	}
	if s.WALLevel != "logical" {
		c.fault("ALTER SYSTEM SET wal_level = 'logical'; and restart the server", "source %q has wal_level %s, logical is needed", src.name, s.WALLevel)
	}
	if !hasSlot && s.UsedSlots >= s.MaxSlots {
		c.fault("raise max_replication_slots and restart the server, or drop a slot that nothing uses",
			"source %q has no free replication slot: %d of %d are taken", src.name, s.UsedSlots, s.MaxSlots)
	}
	if s.UsedWalsenders >= s.MaxWalsenders {
		c.fault("raise max_wal_senders and restart the server", "source %q has no free walsender: %d of %d are taken", src.name, s.UsedWalsenders, s.MaxWalsenders)
	}
}

// role that is connected.
func (c *checker) role(src *sourceCatalog) {
	s := src.server
	role := schema.Ident(s.Role)
	if !s.Replication {
		c.fault(fmt.Sprintf("ALTER ROLE %s REPLICATION;", role), "role %s of source %q may not replicate", role, src.name)
	}
	if !s.CreateInDatabase {
		c.fault(fmt.Sprintf("GRANT CREATE ON DATABASE %s TO %s;", schema.Ident(s.Database), role), "role %s of source %q may not make a publication", role, src.name)
	}
}

// access to the tables.
func (c *checker) access(src *sourceCatalog) {
	role := schema.Ident(src.server.Role)
	for _, d := range c.decl.flows {
		t := src.tables[d.table]
		if d.source != src.name || t == nil {
			continue
		}
		a, pos := src.access[t.rel.OID], d.from().Pos
		switch {
		case t.rel.Kind != 'r' && t.rel.Kind != 'p':
			// a fault of its own
		case !a.permanent:
			c.add(pos, fmt.Sprintf("ALTER TABLE %s SET LOGGED;", t.rel.Name), "%s is unlogged or temporary: its changes are not in the WAL", t.rel.Name)
		case !a.mayRead:
			c.add(pos, fmt.Sprintf("GRANT USAGE ON SCHEMA %s TO %s; GRANT SELECT ON %s TO %s;", schema.Ident(d.table.Schema), role, t.rel.Name, role),
				"role %s may not read %s", role, t.rel.Name)
		case a.rowSecurity:
			c.add(pos, fmt.Sprintf("ALTER ROLE %s BYPASSRLS;", role), "row security hides rows of %s from role %s in the first copy", t.rel.Name, role)
		}
		if t.rel.Kind == 'r' || t.rel.Kind == 'p' {
			c.ownership(d, t, a, role)
		}
	}
}

func (c *checker) ownership(d *flowDecl, t *sourceTable, a access, role schema.Ident) {
	if !a.owns {
		hint := fmt.Sprintf("GRANT %s TO %s;", schema.Ident(a.owner), role)
		if a.ownerIsSuper {
			hint = fmt.Sprintf("ALTER TABLE %s OWNER TO %s; or to a role of which it is a member: the owner, %s, is a superuser", t.rel.Name, role, schema.Ident(a.owner))
		}
		c.add(d.from().Pos, hint,
			"role %s does not own %s and may not add it to a publication", role, t.rel.Name)
	}
}

// notItself refuses a table as its own source.
func (c *checker) notItself(ctx context.Context, src *sourceCatalog, system replication.System) error {
	if c.target == nil {
		return nil
	}
	var id, database string
	err := c.target.QueryRow(ctx, "SELECT system_identifier::text, current_database()::text FROM pg_control_system()").Scan(&id, &database)
	if err != nil {
		return fmt.Errorf("identify target: %w", err)
	}
	if id != system.SystemID || database != system.Database {
		return nil
	}
	for _, d := range c.decl.flows {
		if d.source == src.name && d.table == d.target {
			c.add(d.from().Pos, "put the targets into a schema of their own", "flow %q reads its own target: source and target are one database", d.name)
		}
	}
	return nil
}
