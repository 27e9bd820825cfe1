package merge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge/batch"
)

var errStub = errors.New("not written yet")

// Connect opens a connection to the target with the settings pinned that text
// values depend on. It refuses servers older than 15.
func Connect(ctx context.Context, dsn string) (*pgx.Conn, error) { return nil, errStub }

// State is the metadata schema of a target: what is deployed and how far it is.
// It holds one connection; not for concurrent use.
type State struct{}

// OpenState connects, makes the schema if it is missing and migrates it.
func OpenState(ctx context.Context, dsn, metadataSchema string) (*State, error) { return nil, errStub }

// Close releases the connection and, with it, the pipeline's lock.
func (s *State) Close() error { return nil }

// RunningError says that another run of the pipeline lives.
type RunningError struct {
	Pipeline string
	PID      int // backend of the other run on the target
	Since    time.Time
}

func (e *RunningError) Error() string {
	return fmt.Sprintf("pipeline %q is running already (backend %d on the target, since %s)", e.Pipeline, e.PID, e.Since.Format(time.RFC3339))
}

// Lock makes this process the only one that may write for the pipeline: a
// session lock that tells whether another lives, and a new fence token that
// stops one that only seems dead. It returns *RunningError while another lives.
func (s *State) Lock(ctx context.Context, pipeline string) error { return errStub }

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
	return nil, errStub
}

// SaveSource writes it; needs Lock. Used when the slot has been made, before any copy.
func (s *State) SaveSource(ctx context.Context, pipeline string, src SourceState) error {
	return errStub
}

// FlowStatus is what a flow is doing.
type FlowStatus string

// The states of a flow.
const (
	NeedsCopy FlowStatus = "needs copy"
	Streaming FlowStatus = "streaming"
	Stopped   FlowStatus = "stopped" // by an error; retried at the next run
)

// FlowState is what the target remembers of a flow.
type FlowState struct {
	Name     string
	Source   string
	Target   string // quoted name
	Status   FlowStatus
	Position pglogrepl.LSN // 0: that of its source
	Error    string
	ErrorAt  time.Time
}

// Flows returns the flows of the pipeline that the target knows.
func (s *State) Flows(ctx context.Context, pipeline string) ([]FlowState, error) {
	return nil, errStub
}

// Fault is one thing that keeps a flow from running. Clause names the part of
// the flow to which it belongs ("SEQUENCE BY", "KEYS", "COLUMNS", "target", …),
// Index the field or column within it, and Offset the place in that clause's
// text (bytes from 0), -1 where unknown.
type Fault struct {
	Flow    string
	Clause  string
	Index   int
	Offset  int
	Message string
	Hint    string
}

// Check compares flows with the target database without changing anything:
// existing tables and their columns, types, primary keys, privileges, deployed
// definitions, and every expression, by letting Postgres describe it.
func Check(ctx context.Context, conn *pgx.Conn, metadataSchema string, flows []*Flow) ([]Fault, error) {
	return nil, errStub
}

// SQL returns the DDL and the statements that an Applier would use for a flow,
// for people to read.
func SQL(flow *Flow) (ddl, statements []string, err error) { return nil, nil, errStub }

// TypeNamer names types of the source by OID and modifier, as format_type does
// there, mapped to what the target has. Used when a column appears in the WAL.
type TypeNamer interface {
	TypeName(ctx context.Context, oid uint32, mod int32) (string, error)
}

// Counts are rows as the merge classified them.
type Counts struct{ Upserts, Deletes, Truncates, Late int64 }

// Observer is told what an Applier did; its methods must not block.
type Observer interface {
	// Applied reports a batch: counts per flow, transactions, bytes, the time the
	// target needed, and the stamp of the batch's last commit.
	Applied(counts map[string]Counts, txs, bytes int, took time.Duration, stamp time.Time)
	// FlowStopped reports a flow that has been cut out.
	FlowStopped(flow string, err error)
}

// ApplierConfig is what NewApplier needs. All flows read one source.
type ApplierConfig struct {
	DSN      string
	State    *State // locked
	Pipeline string
	Source   string
	Flows    []*Flow
	Types    TypeNamer
	Log      *slog.Logger
	Observer Observer
}

// Applier applies the batches of one source to its targets. Its methods are for
// one goroutine.
type Applier struct{}

// NewApplier makes missing targets and shadows, records the flows, and readies
// the statements.
func NewApplier(ctx context.Context, cfg ApplierConfig) (*Applier, error) { return nil, errStub }

// NeedCopy returns the flows whose first copy is not done.
func (a *Applier) NeedCopy() []*Flow { return nil }

// Point is where in the WAL a copy was made.
type Point struct {
	LSN   pglogrepl.LSN // the slot's consistent point
	Stamp time.Time     // the source's clock right after the snapshot was made
}

// Copy fills a flow's target from its source table, in one transaction with the
// flow's new position. read runs the given COPY … TO STDOUT on the source and
// writes its output to w.
func (a *Applier) Copy(ctx context.Context, flow *Flow, at Point, read func(ctx context.Context, query string, w io.Writer) error) (rows int64, err error) {
	return 0, errStub
}

// Start returns the position and stamp from which the stream must be read: the
// least of the flows' positions and the source's checkpoint.
func (a *Applier) Start() (pglogrepl.LSN, time.Time) { return 0, time.Time{} }

// Apply applies a batch. Flows that fail on their data are stopped and recorded;
// any other error leaves the target as it was before the batch (Retryable tells
// whether trying again makes sense). Pieces are staged until the last one comes.
func (a *Applier) Apply(ctx context.Context, b *batch.Batch) error { return errStub }

// Confirmed is how far the source may forget its WAL.
func (a *Applier) Confirmed() pglogrepl.LSN { return 0 }

// Stopped returns the flows that are stopped, with their errors.
func (a *Applier) Stopped() map[string]error { return nil }

// Close releases the connections.
func (a *Applier) Close() error { return nil }

// Retryable tells whether an error may go away by itself: lost connections,
// serialization failures, deadlocks, servers that start or stop.
func Retryable(err error) bool { return false }
