package merge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/autocdc/autocdc/migrations"
	"github.com/autocdc/autocdc/schema"
)

// State is the metadata schema of a target: what is deployed and how far it is.
// It holds one connection; not for concurrent use.
type State struct {
	conn   *pgx.Conn
	schema schema.Ident
	fence  int64
}

// OpenState connects, makes the schema if it is missing and migrates it.
func OpenState(ctx context.Context, dsn, metadataSchema string) (*State, error) {
	conn, err := Connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	s := &State{conn: conn, schema: schema.Ident(metadataSchema)}
	if err := s.migrate(ctx, metadataSchema); err != nil {
		_ = conn.Close(ctx)
		return nil, err
	}
	return s, nil
}

// ReadState connects to a metadata schema without changing anything; it returns
// nil if there is none.
func ReadState(ctx context.Context, dsn, metadataSchema string) (*State, error) {
	conn, err := Connect(ctx, dsn)
	if err != nil {
		return nil, err
	}
	s := &State{conn: conn, schema: schema.Ident(metadataSchema)}
	exists, err := s.exists(ctx)
	if err != nil || !exists {
		_ = conn.Close(ctx)
		return nil, err
	}
	return s, nil
}

func (s *State) exists(ctx context.Context) (bool, error) {
	var exists bool
	err := s.conn.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL`, s.table("flow").String()).Scan(&exists)
	if err != nil {
		return false, fmt.Errorf("look for metadata schema %s: %w", s.schema, err)
	}
	return exists, nil
}

func (s *State) table(name string) schema.Name {
	return schema.Name{Schema: string(s.schema), Name: name}
}

func (s *State) migrate(ctx context.Context, metadataSchema string) error {
	if err := s.makeSchema(ctx); err != nil {
		return err
	}
	config := s.conn.Config().Copy()
	prepare := config.AfterConnect
	config.AfterConnect = func(ctx context.Context, conn *pgconn.PgConn) error {
		if err := prepare(ctx, conn); err != nil {
			return err
		}
		_, err := conn.Exec(ctx, "SET search_path = "+s.schema.String()).ReadAll()
		return err
	}
	return migrations.Up(stdlib.OpenDB(*config), metadataSchema)
}

// makeSchema asks first, since CREATE SCHEMA IF NOT EXISTS needs a privilege on
// the database even where there is nothing to do.
func (s *State) makeSchema(ctx context.Context) error {
	var exists bool
	if err := s.conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)`, string(s.schema)).Scan(&exists); err != nil {
		return fmt.Errorf("look for metadata schema %s: %w", s.schema, err)
	}
	if exists {
		return nil
	}
	if _, err := s.conn.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+s.schema.String()); err != nil {
		return fmt.Errorf("create metadata schema %s: %w", s.schema, err)
	}
	return nil
}

// Close releases the connection and, with it, the pipeline's lock.
func (s *State) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return s.conn.Close(ctx)
}

// SourceState is what the target remembers of a source.
type SourceState struct {
	Name       string
	Slot       string
	Database   string
	SystemID   string
	Timeline   int32
	Checkpoint pglogrepl.LSN // end of the last commit applied; 0 before the slot is made
	Stamp      time.Time     // the last __commit_ts given
}

// Source returns what is remembered of a source, nil if it is unknown.
func (s *State) Source(ctx context.Context, pipeline, source string) (*SourceState, error) {
	query := fmt.Sprintf(`SELECT slot, database, system_identifier, timeline, checkpoint::text, stamp
FROM %s WHERE pipeline = $1 AND source = $2`, s.table("source"))
	src := SourceState{Name: source}
	var checkpoint string
	err := s.conn.QueryRow(ctx, query, pipeline, source).
		Scan(&src.Slot, &src.Database, &src.SystemID, &src.Timeline, &checkpoint, &src.Stamp)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read state of source %q: %w", source, err)
	}
	src.Checkpoint, err = pglogrepl.ParseLSN(checkpoint)
	return &src, err
}

// SaveSource writes it; needs Lock. Used when the slot has been made, before any copy.
func (s *State) SaveSource(ctx context.Context, pipeline string, src SourceState) error {
	query := fmt.Sprintf(`INSERT INTO %s (pipeline, source, slot, database, system_identifier, timeline, checkpoint, stamp, fence)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (pipeline, source) DO UPDATE
SET slot = EXCLUDED.slot, database = EXCLUDED.database, system_identifier = EXCLUDED.system_identifier,
  timeline = EXCLUDED.timeline, checkpoint = EXCLUDED.checkpoint, stamp = EXCLUDED.stamp, fence = EXCLUDED.fence, updated_at = now()`, s.table("source"))
	_, err := s.conn.Exec(ctx, query, pipeline, src.Name, src.Slot, src.Database, src.SystemID, src.Timeline,
		src.Checkpoint.String(), src.Stamp, s.fence)
	if err != nil {
		return fmt.Errorf("save state of source %q: %w", src.Name, err)
	}
	return nil
}

// FlowStatus is what a flow is doing.
type FlowStatus string

// The states of a flow.
const (
	NeedsCopy FlowStatus = "needs copy"
	Streaming FlowStatus = "streaming"
	Stopped   FlowStatus = "stopped" // by an error; retried at the next run
	// Orphaned is a flow that left the files. Its changes are not read, so that on
	// its return it must be refreshed.
	Orphaned FlowStatus = "orphaned"
	// Comparing is a flow whose snapshots come again and again.
	Comparing FlowStatus = "comparing"
	// Done is a flow that ran ONCE.
	Done FlowStatus = "done"
)

// FlowState is what the target remembers of a flow.
type FlowState struct {
	Name     string
	Source   string
	Table    string // of the source, quoted name; empty: it compares snapshots
	Target   string // quoted where it needs to be
	Status   FlowStatus
	Position pglogrepl.LSN // 0: that of its source
	Stamp    time.Time     // belongs to Position
	Error    string
	ErrorAt  time.Time
	Version  string // of the last snapshot; empty: none yet
	Skipped  int64  // snapshots that came with a version not above it

	// LateBeyondWindow counts the target's events that came with a sequence of
	// which something had been forgotten.
	LateBeyondWindow int64
	Expected         []Expected // by name

	target schema.Name
}

// Flows returns the flows of the pipeline that the target knows.
func (s *State) Flows(ctx context.Context, pipeline string) ([]FlowState, error) {
	query := fmt.Sprintf(`SELECT f.flow, f.source, f.source_table, quote_ident(t.schema_name) || '.' || quote_ident(t.table_name), f.status,
  COALESCE(f.position, '0/0')::text, COALESCE(f.stamp, 'epoch'), COALESCE(f.error, ''), COALESCE(f.error_at, 'epoch'), COALESCE(f.version, ''), f.skipped, t.late_beyond_window, t.schema_name, t.table_name
FROM %s AS f JOIN %s AS t ON t.id = f.target_id
WHERE f.pipeline = $1 ORDER BY f.flow`, s.table("flow"), s.table("target"))
	rows, err := s.conn.Query(ctx, query, pipeline)
	if err != nil {
		return nil, fmt.Errorf("read flows of pipeline %q: %w", pipeline, err)
	}
	flows, err := pgx.CollectRows(rows, scanFlow)
	if err != nil {
		return nil, fmt.Errorf("read flows of pipeline %q: %w", pipeline, err)
	}
	return flows, s.expected(ctx, pipeline, flows)
}

// OrphanSnapshots marks the flows that read snapshots and are not among the names,
// since they have left the files.
func (s *State) OrphanSnapshots(ctx context.Context, pipeline string, names []string) error {
	query := fmt.Sprintf(`UPDATE %s SET status = $3 WHERE pipeline = $1 AND source_table = '' AND status IN ($4, $5) AND flow <> ALL ($2)`, s.table("flow"))
	if _, err := s.conn.Exec(ctx, query, pipeline, names, Orphaned, Comparing, NeedsCopy); err != nil {
		return fmt.Errorf("mark flows as orphaned: %w", err)
	}
	return nil
}

// expected adds what flows have counted of expectations.
func (s *State) expected(ctx context.Context, pipeline string, flows []FlowState) error {
	query := fmt.Sprintf(`SELECT f.flow, e.expectation, e.passed, e.failed FROM %s AS e JOIN %s AS f ON f.id = e.flow_id WHERE f.pipeline = $1 ORDER BY 1, 2`,
		s.table("expectation"), s.table("flow"))
	rows, err := s.conn.Query(ctx, query, pipeline)
	if err != nil {
		return fmt.Errorf("read expectations of pipeline %q: %w", pipeline, err)
	}
	var flow string
	var e Expected
	_, err = pgx.ForEachRow(rows, []any{&flow, &e.Name, &e.Passed, &e.Failed}, func() error {
		for i := range flows {
			if flows[i].Name == flow {
				flows[i].Expected = append(flows[i].Expected, e)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read expectations of pipeline %q: %w", pipeline, err)
	}
	return nil
}

func scanFlow(row pgx.CollectableRow) (FlowState, error) {
	var f FlowState
	var position string
	err := row.Scan(&f.Name, &f.Source, &f.Table, &f.Target, &f.Status, &position, &f.Stamp, &f.Error, &f.ErrorAt, &f.Version, &f.Skipped, &f.LateBeyondWindow, &f.target.Schema, &f.target.Name)
	if err != nil {
		return f, err
	}
	f.Position, err = pglogrepl.ParseLSN(position)
	return f, err
}
