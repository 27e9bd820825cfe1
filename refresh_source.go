package autocdc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/schema/catalog"
)

// refreshAll rebuilds the targets of flows of one source, all in the snapshot of
// one temporary slot. The tables join the publications first, so that nothing is
// missed after the snapshot.
func (s *sourceRun) refreshAll(ctx context.Context, flows []*merge.Flow) (err error) {
	conn, err := catalog.Connect(ctx, s.source.DSN)
	if err != nil {
		return fmt.Errorf("reach source %q: %w", s.source.Name, connectError(err, s.source.DSN))
	}
	defer closeConn(conn)
	slot, err := s.prepare(ctx, conn)
	if err != nil {
		return err
	}
	defer slot.close()
	applier, err := s.refresher(ctx, flows)
	if err != nil {
		return err
	}
	c := &copier{sourceRun: s, applier: applier, slot: slot.name}
	defer func() { err = errors.Join(err, applier.Close(), c.close(), c.closeExport()) }()
	if err := c.freeze(ctx, flows); err != nil {
		return err
	}
	for _, target := range targetsOf(flows) {
		if err := c.refresh(ctx, target); err != nil {
			return err
		}
	}
	if done, err := s.finished(ctx); err != nil || !done {
		return err
	}
	return s.rest(ctx, conn)
}

func targetsOf(flows []*merge.Flow) []schema.Name {
	var names []schema.Name
	seen := map[schema.Name]bool{}
	for _, f := range flows {
		if !seen[f.Target.Name] {
			seen[f.Target.Name] = true
			names = append(names, f.Target.Name)
		}
	}
	return names
}

func (s *sourceRun) refresher(ctx context.Context, flows []*merge.Flow) (a *merge.Applier, err error) {
	s.life, err = s.keeper.use(ctx, func(state *merge.State) error {
		a, err = merge.NewApplier(ctx, merge.ApplierConfig{
			DSN: s.Target, State: state, Pipeline: s.Name, Source: s.source.Name, Flows: flows, Refresh: targetsOf(flows),
			Types: s.types, Log: s.log, Observer: observer{s.metrics, s.source.Name, s.log},
		})
		return err
	})
	return a, err
}

// refresh rebuilds one target.
func (c *copier) refresh(ctx context.Context, target schema.Name) error {
	if err := c.open(ctx); err != nil {
		return err
	}
	began := time.Now()
	at := merge.Point{LSN: c.export.LSN, Stamp: c.export.Stamp}
	c.log.Info("refresh", "target", target.String(), "lsn", at.LSN)
	rows, err := c.applier.Refresh(ctx, target, at, func(ctx context.Context, query string, w io.Writer) error {
		_, err := c.conn.CopyTo(ctx, query, w)
		return err
	})
	if err != nil {
		return err
	}
	c.log.Info("refreshed", "target", target.String(), "rows", rows, "took", time.Since(began).Round(time.Millisecond))
	return nil
}
