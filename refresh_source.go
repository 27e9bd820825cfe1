package autocdc

import (
	"context"
	"errors"
	"fmt"
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
	targets := targetsOf(flows)
	c.of = len(targets)
	for _, target := range targets {
		c.number++
		if err := c.refresh(ctx, target, flows); err != nil {
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
func (c *copier) refresh(ctx context.Context, target schema.Name, flows []*merge.Flow) error {
	if err := c.open(ctx); err != nil {
		return err
	}
	step := Step{What: "refresh", Name: shown(target), Number: c.number, Of: c.of}
	if err := c.expect(ctx, &step, target, flows); err != nil {
		return err
	}
	at := merge.Point{LSN: c.export.LSN, Stamp: c.export.Stamp}
	c.log.Info("refresh", "target", target.String(), "lsn", at.LSN)
	m := c.begin(step, c.log)
	rows, err := c.applier.Refresh(ctx, target, at, c.reading(m))
	done := m.end()
	if err != nil {
		return err
	}
	c.log.Info("refreshed", "target", target.String(), "rows", rows, "bytes", done.Bytes, "took", done.Took.Round(time.Millisecond))
	return nil
}

// expect adds up what the tables of a target's flows hold.
func (c *copier) expect(ctx context.Context, step *Step, target schema.Name, flows []*merge.Flow) error {
	uncounted := false
	for _, f := range flows {
		if f.Target.Name != target {
			continue
		}
		table, err := lookAt(ctx, c.conn, f)
		if err != nil {
			return err
		}
		step.Rows, step.Bytes = step.Rows+table.rows, step.Bytes+table.bytes
		uncounted = uncounted || table.rows == 0 && table.bytes > 0
	}
	if uncounted {
		step.Rows = 0
	}
	return nil
}
