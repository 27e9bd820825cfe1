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
	snap, err := snapshot.Open(ctx, s.source.DSN, export.Snapshot)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, snap.Close()) }()
	at := merge.Point{LSN: export.LSN, Stamp: export.Stamp}
	for _, flow := range flows {
		if err := s.copy(ctx, applier, snap, flow, at); err != nil {
			return err
		}
	}
	return nil
}

func (s *sourceRun) copy(ctx context.Context, applier *merge.Applier, snap *snapshot.Conn, flow *merge.Flow, at merge.Point) error {
	began := time.Now()
	s.log.Info("copy", "flow", flow.Name, "from", flow.Rel.Name.String(), "to", flow.Target.Name.String(), "lsn", at.LSN)
	rows, err := applier.Copy(ctx, flow, at, func(ctx context.Context, query string, w io.Writer) error {
		_, err := snap.CopyTo(ctx, query, w)
		return err
	})
	if err != nil {
		return fmt.Errorf("copy %s for flow %q: %w", flow.Rel.Name, flow.Name, err)
	}
	s.metrics.copied.WithLabelValues(s.source.Name, flow.Name).Add(float64(rows))
	s.log.Info("copied", "flow", flow.Name, "rows", rows, "took", time.Since(began).Round(time.Millisecond))
	return nil
}

// temporaryName is a slot name of at most 63 bytes that no other run chooses.
func temporaryName(slot string) string {
	return fmt.Sprintf("%.40s_copy_%.10s", slot, strings.ToLower(rand.Text()))
}
