package merge

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
)

// copyPoint is a snapshot that a copy in parts has read from.
type copyPoint struct {
	Point
	horizon string
	shape   string
	pages   map[uint32]int64  // leaf → its pages before this one are copied; while the copy is unfinished
	files   map[uint32]uint32 // leaf → its file
}

// flowID is the number of a flow, for parameters $1 and $2.
func (s *State) flowID() string {
	return fmt.Sprintf("(SELECT id FROM %s WHERE pipeline = $1 AND flow = $2)", s.table("flow"))
}

// recordPart notes how far a copy is. The stream will have to start at the first
// point, so that the flow's position holds the WAL from there on.
func (a *Applier) recordPart(ctx context.Context, f *flow, p *parts, c part) error {
	batch := &pgx.Batch{}
	a.queuePoint(batch, f, p.now)
	batch.Queue(fmt.Sprintf(`INSERT INTO %s (flow_id, position, table_oid, file, pages) VALUES (%s, $3, $4, $5, $6)
ON CONFLICT (flow_id, position, table_oid) DO UPDATE SET pages = EXCLUDED.pages`, a.state.table("copy_part"), a.state.flowID()),
		a.cfg.Pipeline, f.Name, p.now.LSN.String(), c.leaf.OID, c.leaf.File, c.end)
	if err := a.conn.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("record part of a copy: %w", err)
	}
	return nil
}

func (a *Applier) queuePoint(batch *pgx.Batch, f *flow, p *copyPoint) {
	batch.Queue(fmt.Sprintf(`INSERT INTO %s (flow_id, position, stamp, horizon, shape) VALUES (%s, $3, $4, $5, $6) ON CONFLICT DO NOTHING`, a.state.table("copy_point"), a.state.flowID()),
		a.cfg.Pipeline, f.Name, p.LSN.String(), p.Stamp, p.horizon, p.shape)
	batch.Queue(fmt.Sprintf(`UPDATE %s SET position = $3, stamp = $4 WHERE pipeline = $1 AND flow = $2 AND position IS NULL`, a.state.table("flow")),
		a.cfg.Pipeline, f.Name, p.LSN.String(), p.Stamp)
}

// finishParts records the end of a copy. One that was never interrupted is as if it
// had been made at once; of another the points are kept for the stream.
func (a *Applier) finishParts(ctx context.Context, f *flow, p *parts) error {
	if len(p.earlier) == 0 {
		return a.recordCopy(ctx, f, p.now.Point)
	}
	batch := &pgx.Batch{}
	a.queuePoint(batch, f, p.now)
	batch.Queue(fmt.Sprintf(`DELETE FROM %s WHERE flow_id = %s`, a.state.table("copy_part"), a.state.flowID()), a.cfg.Pipeline, f.Name)
	a.queuePosition(batch, f, p.earlier[0].Point)
	if err := a.conn.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("record copy: %w", err)
	}
	return nil
}

// settle takes over what finishParts has recorded.
func (p *parts) settle(f *flow) {
	f.status, f.points = Streaming, nil
	start := p.now
	if len(p.earlier) > 0 {
		f.points = append(p.earlier[:len(p.earlier):len(p.earlier)], p.now)
		start = p.earlier[0]
	}
	f.pos, f.stamp, f.own = start.LSN, start.Stamp, true
}

// StartOver forgets what an interrupted copy of a flow has brought, and tells
// whether there was anything.
func (a *Applier) StartOver(ctx context.Context, plan *Flow) (bool, error) {
	f := a.find(plan.Name)
	if f == nil || f.status != NeedsCopy || len(f.points) == 0 {
		return false, nil
	}
	return true, a.transact(ctx, func() error { return a.startOver(ctx, f) })
}

func (a *Applier) startOver(ctx context.Context, f *flow) error {
	if _, err := a.conn.Exec(ctx, "DELETE FROM "+f.target.Name.String()); err != nil {
		return fmt.Errorf("empty the target: %w", err)
	}
	batch := &pgx.Batch{}
	a.queueForget(batch, f)
	batch.Queue(fmt.Sprintf(`UPDATE %s SET status = $3, position = NULL, stamp = NULL WHERE pipeline = $1 AND flow = $2`, a.state.table("flow")),
		a.cfg.Pipeline, f.Name, NeedsCopy)
	if err := a.conn.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("start the copy over: %w", err)
	}
	f.status, f.points, f.pos, f.own = NeedsCopy, nil, a.checkpoint, false
	return nil
}

// queueForget removes the points of a flow's copy.
func (a *Applier) queueForget(batch *pgx.Batch, f *flow) {
	batch.Queue(fmt.Sprintf(`DELETE FROM %s WHERE flow_id = %s`, a.state.table("copy_point"), a.state.flowID()), a.cfg.Pipeline, f.Name)
}

// loadPoints reads the points of interrupted copies. A flow that cannot go on from
// them, since its declaration has changed, starts over.
func (a *Applier) loadPoints(ctx context.Context) error {
	query := fmt.Sprintf(`SELECT f.flow, p.position::text, p.stamp, p.horizon, p.shape, c.table_oid, c.file, c.pages
FROM %s AS f
JOIN %s AS p ON p.flow_id = f.id
LEFT JOIN %s AS c ON c.flow_id = p.flow_id AND c.position = p.position
WHERE f.pipeline = $1
ORDER BY f.flow, p.position`, a.state.table("flow"), a.state.table("copy_point"), a.state.table("copy_part"))
	rows, err := a.conn.Query(ctx, query, a.cfg.Pipeline)
	if err != nil {
		return fmt.Errorf("read points of copies: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[pointRow])
	if err != nil {
		return fmt.Errorf("read points of copies: %w", err)
	}
	for _, r := range found {
		if f := a.find(r.Flow); f != nil {
			if err := f.addPoint(r); err != nil {
				return err
			}
		}
	}
	return a.uselessPoints(ctx)
}

func (a *Applier) uselessPoints(ctx context.Context) error {
	for _, f := range a.flows {
		refreshed := len(a.cfg.Refresh) > 0 || f.status == Orphaned || f.status == Done
		if len(f.points) == 0 || f.parted() || refreshed {
			continue
		}
		if err := a.startOver(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

type pointRow struct {
	Flow, Position string
	Stamp          time.Time
	Horizon, Shape string
	Table, File    *uint32
	Pages          *int64
}

func (f *flow) addPoint(r pointRow) error {
	lsn, err := pglogrepl.ParseLSN(r.Position)
	if err != nil {
		return fmt.Errorf("read points of copies: %w", err)
	}
	if n := len(f.points); n == 0 || f.points[n-1].LSN != lsn {
		f.points = append(f.points, &copyPoint{
			Point: Point{LSN: lsn, Stamp: r.Stamp}, horizon: r.Horizon, shape: r.Shape, pages: map[uint32]int64{}, files: map[uint32]uint32{},
		})
	}
	if r.Table != nil {
		p := f.points[len(f.points)-1]
		p.pages[*r.Table], p.files[*r.Table] = *r.Pages, *r.File
	}
	return nil
}
