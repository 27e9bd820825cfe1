package merge

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/merge/sqlgen"
	"github.com/autocdc/autocdc/schema"
)

// ApplierConfig is what NewApplier needs. All flows read one source, whose state
// has been saved.
type ApplierConfig struct {
	DSN      string
	State    *State // locked; used by NewApplier only, for its schema and fence
	Pipeline string
	Source   string
	Flows    []*Flow
	Types    TypeNamer
	Log      *slog.Logger
	Observer Observer
	// Refresh names the targets that will be rebuilt by Refresh: their deployed
	// definitions may differ, and they are left as they are until then.
	Refresh []schema.Name
	// PartPages is how many pages the first part of a copy in parts has; 0: 4 MB of them.
	PartPages int64
}

// Applier applies the batches of one source to its targets. Its methods are for
// one goroutine.
type Applier struct {
	cfg     ApplierConfig
	state   *State
	conn    *pgx.Conn
	gen     *sqlgen.Generator
	targets []*target // by name, so that all appliers lock them in one order
	flows   []*flow
	byName  map[schema.Name][]*flow // source table → flows

	checkpoint pglogrepl.LSN // durable
	stamp      time.Time     // of checkpoint
	received   pglogrepl.LSN // nothing of ours lies between checkpoint and it
	spill      *spill        // transaction that is being staged in pieces
	buf        []byte        // COPY data, reused
	made       []*bool       // what the open transaction has made of the session's tables
	snapshot   bool          // its only flow reads snapshots
	held       bool          // transact works within the open transaction

	expected map[string][]Expected // per flow, of the open transaction
}

// target is a Target with its statements.
type target struct {
	*Target
	id     int64
	table  *sqlgen.Table
	flows  []*flow
	bits   []int // per column its bit in __missing
	direct bool
	staged bool // the session's temporary tables exist
	folds  bool // those for late keys, too

	known     *deployedTarget // where it is to be refreshed: what was deployed
	forgotten *string         // the greatest sequence of which something was forgotten
}

// flow is a Flow with its progress.
type flow struct {
	*Flow
	target *target
	number int // within the target
	status FlowStatus
	pos    pglogrepl.LSN // commits that end at or before it are applied
	own    bool          // its row holds pos; otherwise it follows the source
	stamp  time.Time     // of pos, where pos is not the checkpoint
	err    error
	points []*copyPoint // of a copy in parts that is unfinished, or was interrupted
	staged bool         // the session's raw stage exists
	rel    *schema.Relation
	maps   map[*schema.Relation]*mapping
}

// NewApplier makes missing targets and shadows, records the flows, and readies
// the statements.
func NewApplier(ctx context.Context, cfg ApplierConfig) (*Applier, error) {
	gen, err := sqlgen.New()
	if err != nil {
		return nil, err
	}
	conn, err := Connect(ctx, cfg.DSN)
	if err != nil {
		return nil, err
	}
	a := &Applier{cfg: cfg, state: cfg.State, conn: conn, gen: gen, byName: map[schema.Name][]*flow{}}
	a.arrange()
	if err := a.open(ctx); err != nil {
		_ = conn.Close(ctx)
		return nil, err
	}
	return a, nil
}

func (a *Applier) open(ctx context.Context) error {
	src, err := (&State{conn: a.conn, schema: a.state.schema}).Source(ctx, a.cfg.Pipeline, a.cfg.Source)
	if err != nil {
		return err
	}
	if src == nil {
		return fmt.Errorf("open applier: source %q has no state yet", a.cfg.Source)
	}
	a.checkpoint, a.stamp = src.Checkpoint, src.Stamp
	return a.deploy(ctx)
}

func (a *Applier) arrange() {
	targets := map[*Target]*target{}
	for _, f := range a.cfg.Flows {
		t := targets[f.Target]
		if t == nil {
			t = &target{Target: f.Target, direct: true}
			targets[f.Target] = t
			a.targets = append(a.targets, t)
		}
		fl := &flow{Flow: f, target: t, number: len(t.flows), rel: f.Rel, maps: map[*schema.Relation]*mapping{}}
		t.flows = append(t.flows, fl)
		t.direct = t.direct && f.direct()
		a.flows = append(a.flows, fl)
		a.byName[f.Rel.Name] = append(a.byName[f.Rel.Name], fl)
	}
	slices.SortFunc(a.targets, func(x, y *target) int { return cmp.Compare(x.Name.String(), y.Name.String()) })
}

// NeedCopy returns the flows whose first copy is not done.
func (a *Applier) NeedCopy() []*Flow {
	var list []*Flow
	for _, f := range a.flows {
		if f.status == NeedsCopy {
			list = append(list, f.Flow)
		}
	}
	return list
}

// Point is where in the WAL a copy was made, or a series of stamps stood.
type Point = batch.Point

// Start returns the position and stamp from which the stream must be read: the
// least of the flows' positions and the source's checkpoint.
func (a *Applier) Start() (pglogrepl.LSN, time.Time) {
	start := Point{LSN: a.checkpoint, Stamp: a.stamp}
	for _, f := range a.flows {
		if f.status == Streaming && f.pos < start.LSN {
			start = Point{LSN: f.pos, Stamp: f.stamp}
		}
	}
	return start.LSN, start.Stamp
}

// Floors returns points after which stamps must be greater than the one given
// there: those of copies, and the checkpoint if the stream starts before it. A
// commit that a copy does not see may bear a time from before the copy's.
func (a *Applier) Floors() []Point {
	start, _ := a.Start()
	var floors []Point
	if a.checkpoint > start {
		floors = append(floors, Point{LSN: a.checkpoint, Stamp: a.stamp})
	}
	for _, f := range a.flows {
		if f.status != Streaming {
			continue
		}
		if f.pos > start && f.pos != a.checkpoint {
			floors = append(floors, Point{LSN: f.pos, Stamp: f.stamp})
		}
		for _, p := range f.points {
			if p.LSN > start && p.LSN != f.pos {
				floors = append(floors, p.Point)
			}
		}
	}
	return floors
}

// Confirmed is how far the source may forget its WAL.
func (a *Applier) Confirmed() pglogrepl.LSN {
	confirmed := max(a.checkpoint, a.received)
	for _, f := range a.flows {
		if f.status == Orphaned || f.status == Done {
			continue // the WAL would not help it
		}
		if f.status != Streaming || f.pos < a.checkpoint {
			confirmed = min(confirmed, f.pos)
		}
	}
	return confirmed
}

// Done says that all flows run ONCE and have done so.
func (a *Applier) Done() bool {
	return !slices.ContainsFunc(a.flows, func(f *flow) bool { return f.status != Done })
}

// Stopped returns the flows that are stopped, with their errors.
func (a *Applier) Stopped() map[string]error {
	stopped := map[string]error{}
	for _, f := range a.flows {
		if f.status == Stopped || f.status == Orphaned {
			stopped[f.Name] = f.err
		}
	}
	return stopped
}

// Close releases the connection.
func (a *Applier) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return a.conn.Close(ctx)
}
