package replication

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/schema"
)

// Slot is a row of pg_replication_slots. What the server's version does not
// know, or leaves null, is zero.
type Slot struct {
	Name         string
	Plugin       string // "pgoutput"; empty for a physical slot
	Type         string // logical, physical
	Database     string
	Temporary    bool
	Active       bool
	ActivePID    int
	RestartLSN   pglogrepl.LSN // WAL from here on is kept
	ConfirmedLSN pglogrepl.LSN // acknowledged; the stream starts here at the earliest
	WALStatus    string        // reserved, extended, unreserved, lost
	TwoPhase     bool
	Invalidation string // 17 and later: why the slot can no longer be used
	Conflicting  bool   // 16 and later
	Failover     bool   // 17 and later
	Synced       bool   // 17 and later
}

// Lost tells whether the WAL that the slot needs is gone.
func (s *Slot) Lost() bool {
	return s.WALStatus == "lost" || s.Invalidation != "" || s.Conflicting
}

// slotRow is the row as JSON: reading by name suits every version.
type slotRow struct {
	Name         string  `json:"slot_name"`
	Plugin       *string `json:"plugin"`
	Type         string  `json:"slot_type"`
	Database     *string `json:"database"`
	Temporary    bool    `json:"temporary"`
	Active       bool    `json:"active"`
	ActivePID    *int    `json:"active_pid"`
	RestartLSN   *string `json:"restart_lsn"`
	ConfirmedLSN *string `json:"confirmed_flush_lsn"`
	WALStatus    *string `json:"wal_status"`
	TwoPhase     *bool   `json:"two_phase"`
	Invalidation *string `json:"invalidation_reason"`
	Conflicting  *bool   `json:"conflicting"`
	Failover     *bool   `json:"failover"`
	Synced       *bool   `json:"synced"`
}

func parseSlot(text []byte) (*Slot, error) {
	var r slotRow
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	s := &Slot{
		Name: r.Name, Plugin: value(r.Plugin), Type: r.Type, Database: value(r.Database),
		Temporary: r.Temporary, Active: r.Active, ActivePID: value(r.ActivePID),
		WALStatus: value(r.WALStatus), TwoPhase: value(r.TwoPhase), Invalidation: value(r.Invalidation),
		Conflicting: value(r.Conflicting), Failover: value(r.Failover), Synced: value(r.Synced),
	}
	var err1, err2 error
	s.RestartLSN, err1 = parseLSN(value(r.RestartLSN))
	s.ConfirmedLSN, err2 = parseLSN(value(r.ConfirmedLSN))
	return s, errors.Join(err1, err2)
}

// value returns what p points to, or zero.
func value[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}

func parseLSN(text string) (pglogrepl.LSN, error) {
	if text == "" {
		return 0, nil
	}
	return pglogrepl.ParseLSN(text)
}

func slotQuery(name string) string {
	return "SELECT to_jsonb(s)::text FROM pg_catalog.pg_replication_slots s WHERE slot_name = " + schema.Literal(name)
}

// LookupSlot returns the slot of that name, of whatever database, or nil.
func LookupSlot(ctx context.Context, conn *pgx.Conn, name string) (*Slot, error) {
	return lookupSlot(ctx, conn.PgConn(), name)
}

// lookupSlot uses the simple protocol: a walsender knows no other.
func lookupSlot(ctx context.Context, conn *pgconn.PgConn, name string) (*Slot, error) {
	text, err := queryValue(ctx, conn, slotQuery(name))
	if err != nil {
		return nil, fmt.Errorf("look up slot %q: %w", name, err)
	}
	if text == nil {
		return nil, nil
	}
	slot, err := parseSlot(text)
	if err != nil {
		return nil, fmt.Errorf("look up slot %q: %w", name, err)
	}
	return slot, nil
}

// queryValue returns the first column of the first row, nil without a row.
func queryValue(ctx context.Context, conn *pgconn.PgConn, sql string) ([]byte, error) {
	results, err := conn.Exec(ctx, sql).ReadAll()
	if err != nil || len(results) == 0 || len(results[0].Rows) == 0 {
		return nil, err
	}
	return results[0].Rows[0][0], nil
}

// DropSlot drops the slot of exactly that name; a slot that is not there is no
// error. A slot in use gives a *SlotError with ErrSlotInUse and the backend.
func DropSlot(ctx context.Context, conn *pgx.Conn, name string) error {
	slot, err := LookupSlot(ctx, conn, name)
	if err != nil || slot == nil {
		return err
	}
	_, err = conn.Exec(ctx, "SELECT pg_catalog.pg_drop_replication_slot($1)", name)
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok && pgErr.Code == "55006" {
		return &SlotError{Slot: name, LSN: slot.ConfirmedLSN, Reason: ErrSlotInUse, PID: slot.ActivePID, Err: err}
	}
	if err != nil {
		return fmt.Errorf("drop slot %q: %w", name, err)
	}
	return nil
}
