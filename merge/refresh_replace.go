package merge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/schema"
)

// swapWait is how long the new table waits at a time for readers of the old one.
// Others queue behind it meanwhile, so it is short; then they have a turn.
const swapWait = time.Second

// replace fills a new table and lets it take the target's name in the end.
func (a *Applier) replace(ctx context.Context, t *target, content func(ctx context.Context) error) error {
	name := t.Name
	if err := a.undepended(ctx, name); err != nil {
		return err
	}
	t.call(schema.Name{Schema: name.Schema, Name: fmt.Sprintf("autocdc_refresh_%d", t.id)})
	if err := a.createTable(ctx, t); err != nil {
		return fmt.Errorf("create new table: %w", err)
	}
	if err := a.fill(ctx, t, content); err != nil {
		return err
	}
	if err := a.swap(ctx, t, name); err != nil {
		return err
	}
	return a.feedChanges(ctx, t)
}

// dependents finds what would keep the table from being dropped.
const dependents = `WITH t AS (SELECT oid, reltype FROM pg_class WHERE oid = to_regclass($1))
SELECT DISTINCT CASE WHEN r.ev_class IS NOT NULL THEN r.ev_class::regclass::text ELSE pg_describe_object(d.classid, d.objid, 0) END
FROM t
JOIN pg_depend d ON (d.refclassid, d.refobjid) IN (('pg_class'::regclass, t.oid), ('pg_type'::regclass, t.reltype))
LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
LEFT JOIN pg_constraint c ON d.classid = 'pg_constraint'::regclass AND c.oid = d.objid
WHERE d.deptype = 'n'
  AND (r.ev_class <> t.oid OR c.conrelid <> t.oid OR d.classid = 'pg_proc'::regclass)
ORDER BY 1`

// DependedError says what would be lost with the old table.
type DependedError struct {
	Table   schema.Name
	Objects []string
}

func (e *DependedError) Error() string {
	return "the table must be made anew, and on it depend " + strings.Join(e.Objects, ", ")
}

// Hint tells what to do about them.
func (e *DependedError) Hint() string {
	return "drop them first and make them again afterwards"
}

func (a *Applier) undepended(ctx context.Context, name schema.Name) error {
	rows, err := a.conn.Query(ctx, dependents, name.String())
	if err != nil {
		return fmt.Errorf("look for what depends on the table: %w", err)
	}
	objects, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("look for what depends on the table: %w", err)
	}
	if len(objects) > 0 {
		return &DependedError{Table: name, Objects: objects}
	}
	return nil
}

// swap drops the old table and gives its name, and those of its key and types, to
// the new one.
func (a *Applier) swap(ctx context.Context, t *target, name schema.Name) error {
	if err := a.lockOld(ctx, name); err != nil {
		return err
	}
	key, err := a.keyName(ctx, name)
	if err != nil {
		return err
	}
	newKey, err := a.keyName(ctx, t.Name)
	if err != nil {
		return err
	}
	grants, err := a.grants(ctx, name, t.Name)
	if err != nil {
		return err
	}
	steps := append(grants, "DROP TABLE IF EXISTS "+name.String())
	steps = append(steps, t.renameTypes(name)...)
	steps = append(steps, fmt.Sprintf("ALTER TABLE %s RENAME TO %s", t.Name, schema.Ident(name.Name)))
	if key != "" && newKey != "" {
		steps = append(steps, fmt.Sprintf("ALTER INDEX %s RENAME TO %s", schema.Name{Schema: name.Schema, Name: newKey}, schema.Ident(key)))
	}
	if err := a.execAll(ctx, steps); err != nil {
		return fmt.Errorf("put the new table in place of the old: %w", err)
	}
	failpoint.Pass(failpoint.RefreshSwapped)
	t.call(name)
	return nil
}

// renameTypes drops the composite types of the old table and renames those of the
// new one.
func (t *target) renameTypes(name schema.Name) []string {
	var steps []string
	for _, s := range []struct {
		was, now int
		suffix   string
	}{
		{len(t.known.definition.Sequence), len(t.Sequence), "__sequence"},
		{len(t.known.definition.System), len(t.SystemSequence), "__system_sequence"},
	} {
		old := schema.Name{Schema: name.Schema, Name: name.Name + s.suffix}
		if s.was > 1 {
			steps = append(steps, fmt.Sprintf("DROP TYPE IF EXISTS %s", old))
		}
		if s.now > 1 {
			steps = append(steps, fmt.Sprintf("ALTER TYPE %s RENAME TO %s", t.table.CompositeName(s.suffix), schema.Ident(old.Name)))
		}
	}
	return steps
}

// lockOld waits until nobody reads the old table, without holding others up.
func (a *Applier) lockOld(ctx context.Context, name schema.Name) error {
	if have, err := readColumns(ctx, a.conn, name); err != nil || len(have) == 0 {
		return err // there is none
	}
	for {
		err := a.execAll(ctx, []string{
			"SAVEPOINT swap",
			fmt.Sprintf("SET LOCAL lock_timeout = %d", swapWait.Milliseconds()),
			fmt.Sprintf("LOCK TABLE %s IN ACCESS EXCLUSIVE MODE", name),
			"RELEASE SAVEPOINT swap",
		})
		var pg *pgconn.PgError
		if !errors.As(err, &pg) || pg.Code != "55P03" {
			return err
		}
		a.cfg.Log.Info("wait until nobody reads the old table", "target", name.String())
		if err := a.execAll(ctx, []string{"ROLLBACK TO SAVEPOINT swap"}); err != nil {
			return err
		}
		if err := pause(ctx, swapWait); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// keyName returns the name of a table's primary key, or "".
func (a *Applier) keyName(ctx context.Context, table schema.Name) (string, error) {
	var name string
	const query = `SELECT COALESCE(max(conname), '') FROM pg_constraint WHERE conrelid = to_regclass($1) AND contype = 'p'`
	if err := a.conn.QueryRow(ctx, query, table.String()).Scan(&name); err != nil {
		return "", fmt.Errorf("read primary key of %s: %w", table, err)
	}
	return name, nil
}

// grants returns statements that give to whom the old table was granted the same
// on the new one.
func (a *Applier) grants(ctx context.Context, from, to schema.Name) ([]string, error) {
	const query = `SELECT format('GRANT %s ON %s TO %s%s', g.privilege_type, $2::text,
  CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE g.grantee::regrole::text END,
  CASE WHEN g.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
FROM pg_class c, aclexplode(c.relacl) g
WHERE c.oid = to_regclass($1) AND g.grantee <> c.relowner
ORDER BY 1`
	rows, err := a.conn.Query(ctx, query, from.String(), to.String())
	if err != nil {
		return nil, fmt.Errorf("read grants of %s: %w", from, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("read grants of %s: %w", from, err)
	}
	return list, nil
}
