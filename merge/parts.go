package merge

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/merge/sqlgen"
	"github.com/autocdc/autocdc/schema"
)

// Leaf is a table that holds rows of a source table: itself, or one of its
// partitions.
type Leaf struct {
	OID   uint32
	Name  schema.Name
	File  uint32 // pg_relation_filenode: in another file rows are elsewhere
	Pages int64
}

// View is a snapshot of a source table that can be read in parts.
type View struct {
	Point
	// Horizon is the xmin of the snapshot, an xid8: whatever transactions before it
	// have written, the snapshot shows.
	Horizon string
	Leaves  []Leaf
}

const (
	firstPart = 512             // pages of the first part: 4 MB
	partTime  = 2 * time.Second // parts grow until one takes that long
	allPages  = math.MaxInt64   // the end of a table, however long it is
)

// part is a range of pages of a leaf.
type part struct {
	leaf       Leaf
	first, end int64
	// seen is the last earlier copy that has read it, nil if none has. What is new
	// since then is to be read.
	seen *copyPoint
	last bool // nothing is left after it
}

// parts goes through the pages of a table.
type parts struct {
	view    View
	now     *copyPoint
	earlier []*copyPoint // ascending
	leaf    int
	pages   map[bool]int64 // of the next part, by whether an earlier copy has read it
}

// next returns false at the end.
func (p *parts) next() (part, bool) {
	for ; p.leaf < len(p.view.Leaves); p.leaf++ {
		leaf := p.view.Leaves[p.leaf]
		first := p.now.pages[leaf.OID]
		if first == allPages {
			continue
		}
		c := part{leaf: leaf, first: first, end: allPages}
		for _, e := range p.earlier {
			if e.pages[leaf.OID] > first { // the last one wins
				c.seen, c.end = e, e.pages[leaf.OID]
			}
		}
		if end := first + p.pages[c.seen != nil]; end < min(leaf.Pages, c.end) {
			c.end = end
		}
		c.last = c.end == allPages && p.leaf == len(p.view.Leaves)-1
		return c, true
	}
	return part{}, false
}

// done notes that a part is copied, and how long that took.
func (p *parts) done(c part, took time.Duration) {
	p.now.pages[c.leaf.OID] = c.end
	if seen := c.seen != nil; took < partTime && p.pages[seen] < math.MaxInt32 {
		p.pages[seen] *= 2
	}
}

// where is the condition on the rows of a part. That of a row's age tells rows which
// an earlier copy has read from those that were written since; some of the latter it
// has read, too.
func (c part) where() string {
	var terms []string
	if c.first > 0 {
		terms = append(terms, fmt.Sprintf("ctid >= '(%d,0)'", c.first))
	}
	if c.end <= math.MaxUint32 {
		terms = append(terms, fmt.Sprintf("ctid < '(%d,0)'", c.end))
	}
	if c.seen != nil {
		terms = append(terms, fmt.Sprintf("age(xmin) <= age(%s::xid8::xid)", schema.Literal(c.seen.horizon)))
	}
	if len(terms) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(terms, " AND ")
}

// Parted tells whether a flow's table may be copied in parts: what is left of rows
// that vanish between two parts is removed by the changes that follow, which must be
// those of one table that feeds its target alone, and must come.
func (a *Applier) Parted(plan *Flow) bool {
	f := a.find(plan.Name)
	return f != nil && f.parted()
}

func (f *flow) parted() bool {
	return f.target.direct && f.Feed == Changes && !f.Once && !f.target.Partial
}

// Resumed is the number of pages that earlier copies of a flow's table have read.
func (a *Applier) Resumed(plan *Flow, leaves []Leaf) (pages int64) {
	f := a.find(plan.Name)
	if f == nil {
		return 0
	}
	for _, leaf := range leaves {
		var end int64
		for _, p := range f.points {
			end = max(end, p.pages[leaf.OID])
		}
		pages += min(end, leaf.Pages)
	}
	return pages
}

// CopyParts does what Copy does, part by part, each in a transaction of its own. If
// an earlier copy was interrupted, it goes on from there; of what that one read, it
// reads what is new.
func (a *Applier) CopyParts(ctx context.Context, plan *Flow, view View, read reader) (rows int64, err error) {
	f := a.find(plan.Name)
	if f == nil || !f.parted() {
		return 0, fmt.Errorf("copy flow %q: not a flow that this applier copies in parts", plan.Name)
	}
	p, err := a.startParts(ctx, f, view)
	if err != nil {
		return 0, err
	}
	for c, more := p.next(); more; c, more = p.next() {
		began := time.Now()
		n, err := a.copyPart(ctx, f, p, c, read)
		if err != nil {
			return rows, f.copyError(err)
		}
		failpoint.Pass(failpoint.PartRecorded)
		rows += n
		p.done(c, time.Since(began))
	}
	if f.status == NeedsCopy { // the table has no leaf, or none is left
		if err := a.transact(ctx, func() error { return a.finishParts(ctx, f, p) }); err != nil {
			return rows, f.copyError(err)
		}
	}
	p.settle(f)
	a.report([]*work{{target: f.target, counts: map[*flow]*Counts{f: {Upserts: rows}}}}, 0, 0, 0, p.now.Stamp)
	return rows, nil
}

// startParts joins the point to those of earlier copies, unless they have read
// something else.
func (a *Applier) startParts(ctx context.Context, f *flow, view View) (*parts, error) {
	now := &copyPoint{Point: view.Point, horizon: view.Horizon, shape: f.shape(), pages: map[uint32]int64{}, files: map[uint32]uint32{}}
	if moved := f.moved(view.Leaves, now.shape); moved != "" {
		a.cfg.Log.Info("start the copy over", "flow", f.Name, "because", moved)
		if err := a.transact(ctx, func() error { return a.startOver(ctx, f) }); err != nil {
			return nil, f.copyError(err)
		}
	}
	for _, leaf := range view.Leaves {
		now.files[leaf.OID] = leaf.File
	}
	pages := cmp.Or(a.cfg.PartPages, firstPart)
	p := &parts{view: view, now: now, earlier: f.points, pages: map[bool]int64{true: pages, false: pages}}
	if n := len(f.points); n > 0 {
		last := f.points[n-1]
		if last.LSN == now.LSN { // the same rows
			p.now, p.earlier = last, f.points[:n-1]
			return p, nil
		}
		now.Stamp = later(now.Stamp, last.Stamp)
	}
	return p, nil
}

// later is a stamp after another.
func later(stamp, than time.Time) time.Time {
	if stamp.After(than) {
		return stamp
	}
	return than.Add(time.Microsecond)
}

// moved says why an earlier copy is of no use.
func (f *flow) moved(leaves []Leaf, shape string) string {
	for _, p := range f.points {
		if p.shape != shape {
			return "other columns are read"
		}
		for _, leaf := range leaves {
			if file, known := p.files[leaf.OID]; known && file != leaf.File {
				return leaf.Name.String() + " was truncated or rewritten"
			}
		}
	}
	return ""
}

// shape is what a copy reads, and into what.
func (f *flow) shape() string {
	columns, values := f.directColumns("")
	return fmt.Sprintf("%d %q %q %q %q", f.Rel.OID, columns, values, f.RawTypes, f.target.Keys)
}

// copyPart copies one part and records it.
func (a *Applier) copyPart(ctx context.Context, f *flow, p *parts, c part, read reader) (rows int64, err error) {
	err = a.transact(ctx, func() error {
		if rows, err = a.bringPart(ctx, f, p, c, read); err != nil {
			return err
		}
		failpoint.Pass(failpoint.PartBrought)
		if c.last {
			return a.finishParts(ctx, f, p)
		}
		return a.recordPart(ctx, f, p, c)
	})
	if err == nil && c.last {
		f.status = Streaming
	}
	return rows, err
}

// bringPart passes rows through into the target. Where an earlier copy may have left
// rows of the same keys, they are staged and take their place.
func (a *Applier) bringPart(ctx context.Context, f *flow, p *parts, c part, read reader) (int64, error) {
	t := f.target
	columns, values := f.directColumns(t.sequence(p.now.Point))
	query := fmt.Sprintf("COPY (SELECT %s FROM ONLY %s%s) TO STDOUT", strings.Join(values, ", "), c.leaf.Name, c.where())
	if len(p.earlier) == 0 {
		return a.pipe(ctx, query, copySQL(t.Name, columns), read)
	}
	if err := a.ready(ctx, t); err != nil {
		return 0, err
	}
	columns[len(columns)-1] = "__seq"
	rows, err := a.pipe(ctx, query, copySQL(t.table.Events(), columns), read)
	if err != nil || rows == 0 {
		return rows, err
	}
	return rows, a.run(ctx, t, sqlgen.Variant{}, nil, "copy_supersede", "copy_insert")
}
