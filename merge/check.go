package merge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/merge/sqlgen"
	"github.com/autocdc/autocdc/schema"
)

// Fault is one thing that keeps a flow from running. Clause names the part of
// the flow to which it belongs ("SEQUENCE BY", "KEYS", "COLUMNS", "target", …),
// Index the field or column within it, and Offset the place in that clause's
// text (bytes from 0), -1 where unknown. Redefined says that another target is
// deployed, which Applier.Refresh makes into the one that is wanted.
type Fault struct {
	Flow    string
	Clause  string
	Index   int
	Offset  int
	Message string
	Hint    string

	Redefined bool
}

// Check compares flows with the target database without changing anything:
// existing tables and their columns, types, primary keys, privileges, deployed
// definitions, and every expression, by letting Postgres describe it.
func Check(ctx context.Context, conn *pgx.Conn, metadataSchema string, flows []*Flow) ([]Fault, error) {
	c := checker{conn: conn, state: &State{conn: conn, schema: schema.Ident(metadataSchema)}}
	var err error
	if c.deployed, err = c.state.exists(ctx); err != nil {
		return nil, err
	}
	if err := c.privileges(ctx); err != nil {
		return nil, err
	}
	seen := map[*Target]bool{}
	for _, f := range flows {
		if !seen[f.Target] {
			seen[f.Target] = true
			if err := c.target(ctx, f); err != nil {
				return nil, err
			}
		}
		if err := c.expressions(ctx, f); err != nil {
			return nil, err
		}
	}
	return c.faults, nil
}

// maxColumns leaves room for what targets and stages add to a flow's columns.
const maxColumns = 1590

type checker struct {
	conn     *pgx.Conn
	state    *State
	deployed bool
	faults   []Fault
}

func (c *checker) add(flow, clause, message, hint string) {
	c.faults = append(c.faults, Fault{Flow: flow, Clause: clause, Offset: -1, Message: message, Hint: hint})
}

// privileges asks whether the metadata schema can be made or used.
func (c *checker) privileges(ctx context.Context) error {
	const query = `SELECT current_database(), current_user, has_database_privilege(current_database(), 'CREATE'),
  (SELECT has_schema_privilege(oid, 'CREATE, USAGE') FROM pg_namespace WHERE nspname = $1)`
	var database, user string
	var mayCreate bool
	var mayUse *bool
	if err := c.conn.QueryRow(ctx, query, string(c.state.schema)).Scan(&database, &user, &mayCreate, &mayUse); err != nil {
		return fmt.Errorf("read privileges on target: %w", err)
	}
	if mayUse == nil && !mayCreate {
		c.add("", "target", fmt.Sprintf("role %q may not create the metadata schema %s in database %q", user, c.state.schema, database),
			fmt.Sprintf("CREATE SCHEMA %s AUTHORIZATION %s;", c.state.schema, schema.Ident(user)))
	}
	if mayUse != nil && !*mayUse {
		c.add("", "target", fmt.Sprintf("role %q may not create tables in the metadata schema %s", user, c.state.schema),
			fmt.Sprintf("GRANT CREATE, USAGE ON SCHEMA %s TO %s;", c.state.schema, schema.Ident(user)))
	}
	return nil
}

// target checks the flow's target: what is deployed, or what the user made.
func (c *checker) target(ctx context.Context, f *Flow) error {
	if c.deployed {
		known, err := c.state.deployed(ctx, c.conn, f.Target)
		if err != nil {
			return err
		}
		if known != nil {
			for _, fault := range f.Target.differences(known.definition) {
				fault.Flow = f.Name
				c.faults = append(c.faults, fault)
			}
			return nil
		}
	}
	columns, err := readColumns(ctx, c.conn, f.Target.Name)
	if err != nil {
		return err
	}
	if n := len(f.Target.Columns); n > maxColumns {
		c.add(f.Name, "target", fmt.Sprintf("%s would have %d columns: %d of the flow's own is the most, since a table has at most 1600 and the target adds some", f.Target.Name, n, maxColumns),
			"name the columns that you need: COLUMNS (…) or COLUMNS * EXCEPT (…)")
	}
	if len(columns) == 0 {
		return c.schemaPrivilege(ctx, f)
	}
	return c.existing(ctx, f, columns)
}

// schemaPrivilege asks whether the target's table can be made.
func (c *checker) schemaPrivilege(ctx context.Context, f *Flow) error {
	const query = `SELECT current_user, has_database_privilege(current_database(), 'CREATE'),
  (SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = $1)`
	var user string
	var mayCreate bool
	var maySchema *bool
	if err := c.conn.QueryRow(ctx, query, f.Target.Name.Schema).Scan(&user, &mayCreate, &maySchema); err != nil {
		return fmt.Errorf("read privileges on target: %w", err)
	}
	name := schema.Ident(f.Target.Name.Schema)
	if maySchema != nil && !*maySchema {
		c.add(f.Name, "target", fmt.Sprintf("role %q may not create tables in schema %s", user, name),
			fmt.Sprintf("GRANT CREATE, USAGE ON SCHEMA %s TO %s;", name, schema.Ident(user)))
	}
	if maySchema == nil && !mayCreate {
		c.add(f.Name, "target", fmt.Sprintf("schema %s does not exist and role %q may not create it", name, user),
			fmt.Sprintf("CREATE SCHEMA %s AUTHORIZATION %s;", name, schema.Ident(user)))
	}
	return nil
}

// existing checks a table that the user made first.
func (c *checker) existing(ctx context.Context, f *Flow, have map[string]tableColumn) error {
	isTable, err := c.isTable(ctx, f)
	if err != nil || !isTable {
		return err
	}
	for _, want := range f.Target.AllColumns() {
		c.column(f, want, have)
	}
	if f.Target.Kind != Append {
		if err := c.uniqueKey(ctx, f); err != nil {
			return err
		}
	}
	if err := c.unfilled(ctx, f); err != nil {
		return err
	}
	return c.empty(ctx, f)
}

func (c *checker) column(f *Flow, want Column, have map[string]tableColumn) {
	name, column := f.Target.Name, schema.Ident(want.Name)
	got, ok := have[want.Name]
	switch {
	case !ok:
		c.add(f.Name, "target", fmt.Sprintf("table %s exists and has no column %s", name, column),
			fmt.Sprintf("ALTER TABLE %s ADD COLUMN %s %s; or let run make the table under another name", name, column, want.Type))
	case got.Type != want.Type && got.Type != "text" && !widens(want.Type, got.Type):
		c.add(f.Name, "target", fmt.Sprintf("table %s exists and its column %s is %s, which cannot hold all of %s", name, column, got.Type, want.Type),
			fmt.Sprintf("ALTER TABLE %s ALTER COLUMN %s TYPE %s; or let run make the table under another name", name, column, want.Type))
	}
}

// AllColumns lists the columns that a target has, those of the merge last.
func (t *Target) AllColumns() []Column {
	columns := slices.Clone(t.Columns)
	table := t.table(0, "")
	sequence := Column{Type: table.SequenceType()}
	for _, name := range t.systemColumns() {
		sequence.Name = name
		if strings.HasPrefix(name, "__system") {
			sequence.Type = table.SystemType()
		}
		columns = append(columns, sequence)
	}
	return columns
}

func (t *Target) systemColumns() []string {
	switch t.Kind {
	case SCD1:
		return []string{"__sequence"}
	case SCD2:
		return []string{"__start_at", "__end_at"}
	case Append:
		return nil
	case Bitemporal:
	}
	return []string{"__start_at", "__end_at", "__system_start_at", "__system_end_at"}
}

// uniqueKey looks for the primary key or unique index that a target needs.
func (c *checker) uniqueKey(ctx context.Context, f *Flow) error {
	key := f.Target.PrimaryKey()
	const query = `SELECT EXISTS (
  SELECT FROM pg_index AS i
  WHERE i.indrelid = to_regclass($1) AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL
    AND i.indnkeyatts = cardinality($2::text[])
    AND ARRAY(SELECT a.attname::text FROM pg_attribute AS a WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey[0:i.indnkeyatts - 1]) ORDER BY 1)
      = ARRAY(SELECT unnest($2::text[]) ORDER BY 1)
)`
	var found bool
	if err := c.conn.QueryRow(ctx, query, f.Target.Name.String(), key).Scan(&found); err != nil {
		return fmt.Errorf("read keys of %s: %w", f.Target.Name, err)
	}
	if found {
		return nil
	}
	quoted := make([]string, len(key))
	for i, k := range key {
		quoted[i] = schema.Ident(k).String()
	}
	list := strings.Join(quoted, ", ")
	other, err := c.primaryKey(ctx, f)
	if other != "" {
		other = "DROP CONSTRAINT " + other + ", "
	}
	c.add(f.Name, "target", fmt.Sprintf("table %s exists and has no primary key or unique index on (%s)", f.Target.Name, list),
		fmt.Sprintf("ALTER TABLE %s %sADD PRIMARY KEY (%s);", f.Target.Name, other, list))
	return err
}

// PrimaryKey names the columns of the target's key; none where Kind is Append.
func (t *Target) PrimaryKey() []string {
	if t.Kind == Append {
		return nil
	}
	key := slices.Clone(t.Keys)
	if t.Kind != SCD1 {
		key = append(key, "__start_at")
	}
	if t.Kind == Bitemporal {
		key = append(key, "__system_start_at")
	}
	return key
}

// empty refuses a table that has rows of which nothing is known.
func (c *checker) empty(ctx context.Context, f *Flow) error {
	var filled bool
	err := c.conn.QueryRow(ctx, fmt.Sprintf("SELECT EXISTS (SELECT FROM %s)", f.Target.Name)).Scan(&filled)
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		c.add(f.Name, "target", fmt.Sprintf("table %s cannot be read: %s", f.Target.Name, pg.Message),
			fmt.Sprintf("GRANT ALL ON %s TO the role that runs autocdc", f.Target.Name))
		return nil
	}
	if err != nil {
		return fmt.Errorf("look into %s: %w", f.Target.Name, err)
	}
	if filled {
		c.add(f.Name, "target", fmt.Sprintf("table %s has rows, but nothing is known of where they come from", f.Target.Name),
			"use another name, or empty the table first")
	}
	return nil
}

// expressions lets Postgres describe each expression over the source's columns.
func (c *checker) expressions(ctx context.Context, f *Flow) error {
	if f.Query != nil {
		return c.query(ctx, f)
	}
	if err := c.expectations(ctx, f, f.expectedRows()); err != nil || f.Feed == Snapshot {
		return err // snapshots have no clause but that
	}
	for i, e := range f.SequenceBy {
		if err := c.expression(ctx, f, "SEQUENCE BY", i, e, ""); err != nil {
			return err
		}
	}
	for i, e := range f.SystemSequenceBy {
		if err := c.expression(ctx, f, "SYSTEM SEQUENCE BY", i, e, ""); err != nil {
			return err
		}
	}
	if f.DeleteWhen != "" {
		if err := c.expression(ctx, f, "APPLY AS DELETE WHEN", 0, f.DeleteWhen, "boolean"); err != nil {
			return err
		}
	}
	if f.TruncateWhen != "" {
		return c.expression(ctx, f, "APPLY AS TRUNCATE WHEN", 0, f.TruncateWhen, "boolean")
	}
	return nil
}

// expectations does so for those of the target, over the rows that are tested.
func (c *checker) expectations(ctx context.Context, f *Flow, rows string) error {
	for i, e := range f.Expectations {
		if err := c.expressionOver(ctx, f, rows, "EXPECT", i, e.Condition, "boolean"); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) expression(ctx context.Context, f *Flow, clause string, index int, text, kind string) error {
	return c.expressionOver(ctx, f, sqlgen.NoRows(f.statement(f.Target.table(0, ""), 0)), clause, index, text, kind)
}

func (c *checker) expressionOver(ctx context.Context, f *Flow, from, clause string, index int, text, kind string) error {
	prefix := "SELECT ("
	sql := prefix + text + "\n) FROM " + from
	if kind == "boolean" {
		prefix = "SELECT 1 FROM " + from + " WHERE ("
		sql = prefix + text + "\n)"
	}
	_, err := c.conn.Prepare(ctx, "", sql)
	var pg *pgconn.PgError
	if err == nil {
		return nil
	}
	if !errors.As(err, &pg) || retryableState(pg.Code) {
		return fmt.Errorf("describe %s of flow %q: %w", clause, f.Name, err)
	}
	c.faults = append(c.faults, Fault{
		Flow: f.Name, Clause: clause, Index: index, Offset: offsetIn(sql, prefix, text, int(pg.Position)),
		Message: pg.Message, Hint: pg.Hint,
	})
	return nil
}

// offsetIn turns Postgres's position, in characters from 1 over the whole
// statement, into bytes from 0 within the expression.
func offsetIn(sql, prefix, text string, position int) int {
	at, n := -1, 0
	for i := range sql {
		if n++; n == position {
			at = i - len(prefix)
			break
		}
	}
	if at < 0 || at > len(text) {
		return -1
	}
	return at
}
