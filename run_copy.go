package autocdc

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

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
	export := slot.export
	if export == nil {
		if export, err = replication.CreateSlot(ctx, s.source.DSN, temporaryName(slot.name), true, s.log); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, export.Close()) }()
	}
	c := &copier{sourceRun: s, applier: applier, export: export}
	defer func() { err = errors.Join(err, c.close()) }()
	for _, flow := range flows {
		if err := c.one(ctx, flow); err != nil {
			return err
		}
	}
	return nil
}

// copier copies flows inside one exported snapshot.
type copier struct {
	*sourceRun
	applier *merge.Applier
	export  *replication.Export
	conn    *snapshot.Conn // nil until it is needed, and after an error
}

// one copies a flow. A fault in its data, or of its table, stops that flow only:
// the next run tries again.
func (c *copier) one(ctx context.Context, flow *merge.Flow) error {
	err := c.copy(ctx, flow)
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
	return nil
}

func (c *copier) copy(ctx context.Context, flow *merge.Flow) (err error) {
	if c.conn == nil {
		if c.conn, err = snapshot.Open(ctx, c.source.DSN, c.export.Snapshot); err != nil {
			c.conn = nil
			return err
		}
	}
	began := time.Now()
	at := merge.Point{LSN: c.export.LSN, Stamp: c.export.Stamp}
	c.log.Info("copy", "flow", flow.Name, "from", flow.Rel.Name.String(), "to", flow.Target.Name.String(), "lsn", at.LSN)
	rows, err := c.applier.Copy(ctx, flow, at, func(ctx context.Context, query string, w io.Writer) error {
		_, err := c.conn.CopyTo(ctx, query, w)
		return err
	})
	if err != nil {
		return err
	}
	c.metrics.copied.WithLabelValues(c.source.Name, flow.Name).Add(float64(rows))
	c.log.Info("copied", "flow", flow.Name, "rows", rows, "took", time.Since(began).Round(time.Millisecond))
	return nil
}

func (c *copier) close() error {
	if c.conn == nil {
		return nil
	}
	err := c.conn.Close()
	c.conn = nil
	return err
}

// temporaryName is a slot name of at most 63 bytes that no other run chooses.
func temporaryName(slot string) string {
	return fmt.Sprintf("%.40s_copy_%.10s", slot, strings.ToLower(rand.Text()))
}
