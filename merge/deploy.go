package merge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/merge/sqlgen"
	"github.com/autocdc/autocdc/schema"
)

// definition is what is remembered of a deployed target. Changing it needs a
// full refresh.
type definition struct {
	Kind     Kind     `json:"kind"`
	Keys     []string `json:"keys"`
	Sequence []string `json:"sequence"`
	System   []string `json:"system,omitempty"`
	Track    []string `json:"track,omitempty"`
}

func (t *Target) definition() definition {
	d := definition{Kind: t.Kind, Keys: t.Keys, Track: t.Track}
	for _, c := range t.Sequence {
		d.Sequence = append(d.Sequence, c.Type)
	}
	for _, c := range t.SystemSequence {
		d.System = append(d.System, c.Type)
	}
	return d
}

// deploy makes what is missing of the flows' targets and records the flows, all
// in one transaction.
func (a *Applier) deploy(ctx context.Context) error {
	return a.transact(ctx, func() error {
		for _, t := range a.targets {
			if err := a.deployTarget(ctx, t); err != nil {
				return fmt.Errorf("deploy target %s: %w", t.Name, err)
			}
		}
		if err := a.recordFlows(ctx); err != nil {
			return err
		}
		failpoint.Pass(failpoint.TargetsMaking)
		return nil
	})
}

// Deploy makes what is missing of the targets of some flows, so that others can read
// them before their own flows run. The flows are not recorded.
func Deploy(ctx context.Context, cfg ApplierConfig) error {
	gen, err := sqlgen.New()
	if err != nil {
		return err
	}
	conn, err := Connect(ctx, cfg.DSN)
	if err != nil {
		return err
	}
	a := &Applier{cfg: cfg, state: cfg.State, conn: conn, gen: gen, byName: map[schema.Name][]*flow{}}
	defer func() { _ = a.Close() }()
	a.arrange()
	return pgx.BeginFunc(ctx, conn, func(pgx.Tx) error {
		for _, t := range a.targets {
			if err := a.deployTarget(ctx, t); err != nil {
				return fmt.Errorf("deploy target %s: %w", t.Name, err)
			}
		}
		return nil
	})
}

func (a *Applier) deployTarget(ctx context.Context, t *target) error {
	known, err := a.state.deployed(ctx, a.conn, t.Target)
	if err != nil {
		return err
	}
	if slices.Contains(a.cfg.Refresh, t.Name) {
		return t.expect(known)
	}
	if known == nil {
		if err := a.createTarget(ctx, t); err != nil {
			return err
		}
		return a.feedChanges(ctx, t)
	}
	t.id = known.id
	if faults := t.differences(known.definition); len(faults) > 0 {
		return fmt.Errorf("%s (%s)", faults[0].Message, faults[0].Hint)
	}
	t.table = t.Target.table(t.id, a.state.schema)
	if err := a.fitColumns(ctx, t, !known.inOrder); err != nil {
		return err
	}
	if err := a.feedChanges(ctx, t); err != nil {
		return err
	}
	if known.inOrder && !t.direct {
		return a.createMemory(ctx, t)
	}
	return nil
}

type deployedTarget struct {
	id         int64
	inOrder    bool
	definition definition
}

// deployed returns nil for a target that the metadata schema does not know.
func (s *State) deployed(ctx context.Context, conn *pgx.Conn, t *Target) (*deployedTarget, error) {
	query := fmt.Sprintf(`SELECT id, in_order, definition FROM %s WHERE schema_name = $1 AND table_name = $2`, s.table("target"))
	var d deployedTarget
	var text []byte
	err := conn.QueryRow(ctx, query, t.Name.Schema, t.Name.Name).Scan(&d.id, &d.inOrder, &text)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read deployed definition: %w", err)
	}
	return &d, json.Unmarshal(text, &d.definition)
}

func (a *Applier) createTarget(ctx context.Context, t *target) error {
	t.table = t.Target.table(0, a.state.schema)
	if err := a.createTable(ctx, t); err != nil {
		return err
	}
	text, err := json.Marshal(t.Target.definition())
	if err != nil {
		return fmt.Errorf("encode definition: %w", err)
	}
	query := fmt.Sprintf(`INSERT INTO %s (schema_name, table_name, kind, in_order, definition) VALUES ($1, $2, $3, $4, $5) RETURNING id`, a.state.table("target"))
	err = a.conn.QueryRow(ctx, query, t.Name.Schema, t.Name.Name, t.Kind.String(), t.direct, string(text)).Scan(&t.id)
	if err != nil {
		return fmt.Errorf("record target: %w", err)
	}
	t.table.ID = t.id
	if err := a.fitColumns(ctx, t, false); err != nil {
		return err
	}
	if t.direct {
		return nil
	}
	return a.createMemory(ctx, t)
}

// createTable makes the table unless the user made it first.
func (a *Applier) createTable(ctx context.Context, t *target) error {
	var exists bool
	if err := a.conn.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL`, t.Name.String()).Scan(&exists); err != nil {
		return fmt.Errorf("look for table: %w", err)
	}
	if exists {
		return nil
	}
	ddl, err := a.gen.Create(t.table)
	if err != nil {
		return err
	}
	if missing, err := a.schemaMissing(ctx, t.Name.Schema); err != nil {
		return err
	} else if missing {
		ddl = append([]string{createSchema(t.Target)}, ddl...)
	}
	return a.execAll(ctx, ddl)
}

func createSchema(t *Target) string {
	return "CREATE SCHEMA IF NOT EXISTS " + schema.Ident(t.Name.Schema).String()
}

func (a *Applier) schemaMissing(ctx context.Context, name string) (bool, error) {
	var missing bool
	err := a.conn.QueryRow(ctx, `SELECT NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)`, name).Scan(&missing)
	if err != nil {
		return false, fmt.Errorf("look for schema: %w", err)
	}
	return missing, nil
}

func (a *Applier) createMemory(ctx context.Context, t *target) error {
	ddl, err := a.gen.Memory(t.table)
	if err != nil {
		return err
	}
	ddl = append(ddl, fmt.Sprintf("UPDATE %s SET in_order = false WHERE id = %d", a.state.table("target"), t.id))
	return a.execAll(ctx, ddl)
}

func (a *Applier) execAll(ctx context.Context, sqls []string) error {
	for _, sql := range sqls {
		if _, err := a.conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}
