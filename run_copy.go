package autocdc

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/replication"
	"github.com/autocdc/autocdc/snapshot"
)

// copies fills the targets of flows whose first copy is not done: in the snapshot
// of the slot that has just been made, otherwise in that of a temporary one.
func (s *sourceRun) copies(ctx context.Context, applier *merge.Applier, slot *slotInUse) (err error) {
	flows := applier.NeedCopy()
	if len(flows) == 0 {
		return nil
	}
	c := &copier{sourceRun: s, applier: applier, slot: slot.name, export: slot.export}
	slot.export = nil
	defer func() { err = errors.Join(err, c.close(), c.closeExport()) }()
	if err := c.freeze(ctx, flows); err != nil {
		return err
	}
	failpoint.Pass(failpoint.CopyFrozen)
	c.of = len(flows)
	for _, flow := range flows {
		c.number++
		if err := c.one(ctx, flow); err != nil {
			return err
		}
		failpoint.Pass(failpoint.CopyRecorded)
	}
	return nil
}

// copier copies flows inside one exported snapshot.
type copier struct {
	*sourceRun
	applier *merge.Applier
	slot    string
	export  *replication.Export // nil until it is needed
	conn    *snapshot.Conn      // nil until it is needed, and after an error

	number, of int // of the flow at hand
}

// freeze finds a snapshot in which all tables can be read, and keeps them so. A
// TRUNCATE is not kept from older snapshots: if one came between, a newer
// snapshot is taken for all flows.
func (c *copier) freeze(ctx context.Context, flows []*merge.Flow) error {
	var pause backoff
	for {
		if err := c.open(ctx); err != nil {
			return err
		}
		rewritten, err := freeze(ctx, c.conn, flows)
		if err == nil && len(rewritten) == 0 {
			return nil
		}
		_ = c.close() // to let go of the locks
		if err != nil && !replication.Retryable(err) {
			return nil // copying says what is wrong, flow by flow
		}
		if err == nil {
			err = c.closeExport()
		}
		wait := pause.after(0)
		c.log.Info("wait for a snapshot to copy from", "rewritten", rewritten, "error", err, "in", wait)
		if !sleep(ctx, wait) {
			return ctx.Err()
		}
	}
}

// open takes the snapshot, and makes one if there is none.
func (c *copier) open(ctx context.Context) (err error) {
	if c.export == nil {
		if c.export, err = replication.CreateSlot(ctx, c.source.DSN, temporaryName(c.slot), true, c.log); err != nil {
			c.export = nil
			return err
		}
	}
	if c.conn == nil {
		if c.conn, err = snapshot.Open(ctx, c.source.DSN, c.export.Snapshot); err != nil {
			c.conn = nil
			return err
		}
	}
	return nil
}

// one copies a flow. A fault in its data, or of its table, stops that flow only:
// the next run tries again.
func (c *copier) one(ctx context.Context, flow *merge.Flow) error {
	err := c.copy(ctx, flow)
	if err != nil && ctx.Err() == nil && !c.retryable(err) {
		err = c.again(ctx, flow, err)
	}
	if err == nil {
		return nil
	}
	_ = c.close() // an error has spoiled its transaction
	if ctx.Err() != nil || c.retryable(err) {
		return err
	}
	c.uncopied[flow.Name] = err
	c.log.Error("flow stopped", "flow", flow.Name, "error", err, "hint", hintOf(err))
	c.metrics.stopped.WithLabelValues(c.source.Name, flow.Name).Set(1)
	return c.applier.NotCopied(ctx, flow, err)
}

// again copies from the beginning where what an interrupted copy has brought may be
// what fails: rows that are gone since, beside their successors.
func (c *copier) again(ctx context.Context, flow *merge.Flow, cause error) error {
	_ = c.close() // the error has spoiled its transaction
	there, err := c.applier.StartOver(ctx, flow)
	if err != nil || !there {
		return errors.Join(cause, err)
	}
	c.log.Warn("start the copy over", "flow", flow.Name, "because", cause)
	return c.copy(ctx, flow)
}

func (c *copier) copy(ctx context.Context, flow *merge.Flow) error {
	if err := c.open(ctx); err != nil {
		return err
	}
	table, err := lookAt(ctx, c.conn, flow)
	if err != nil {
		return err
	}
	table.Point = merge.Point{LSN: c.export.LSN, Stamp: c.export.Stamp}
	step := Step{What: "copy", Name: flow.Name, Number: c.number, Of: c.of, Rows: table.rows, Bytes: table.bytes}
	if before := c.applier.Resumed(flow, table.Leaves); before > 0 {
		step.Rows, step.Bytes = table.less(before)
		c.log.Info("go on with a copy that was interrupted", "flow", flow.Name, "rows_expected", step.Rows)
	}
	c.log.Info("copy", "flow", flow.Name, "from", flow.Rel.Name.String(), "to", flow.Target.Name.String(), "lsn", table.LSN)
	m := c.begin(step, c.log)
	rows, err := c.bring(ctx, flow, table, m)
	done := m.end()
	c.metrics.copied.WithLabelValues(c.source.Name, flow.Name).Add(float64(rows))
	if err != nil {
		return err
	}
	c.log.Info("copied", "flow", flow.Name, "rows", rows, "bytes", done.Bytes, "took", done.Took.Round(time.Millisecond))
	return nil
}

// bring copies in parts, which an interrupted copy need not read again, or at once.
func (c *copier) bring(ctx context.Context, flow *merge.Flow, table *measured, m *meter) (int64, error) {
	if table.parted && c.applier.Parted(flow) {
		return c.applier.CopyParts(ctx, flow, table.View, c.reading(m))
	}
	return c.applier.Copy(ctx, flow, table.Point, c.reading(m))
}

// reading runs a COPY in the snapshot.
func (c *copier) reading(m *meter) func(ctx context.Context, query string, w io.Writer) error {
	return func(ctx context.Context, query string, w io.Writer) error {
		_, err := c.conn.CopyTo(ctx, query, &countingWriter{w, m, lines})
		return err
	}
}

func (c *copier) close() error {
	if c.conn == nil {
		return nil
	}
	err := c.conn.Close()
	c.conn = nil
	return err
}

func (c *copier) closeExport() error {
	if c.export == nil {
		return nil
	}
	err := c.export.Close()
	c.export = nil
	return err
}

// temporaryName is a slot name of at most 63 bytes that no other run chooses.
func temporaryName(slot string) string {
	return fmt.Sprintf("%.40s_copy_%.10s", slot, strings.ToLower(rand.Text()))
}
