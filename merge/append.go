package merge

import (
	"context"
	"fmt"

	"github.com/jackc/pglogrepl"
)

// applyAppend inserts what the queries of a target's flows make of a batch.
func (a *Applier) applyAppend(ctx context.Context, w *work) error {
	if err := a.stageRawPiece(ctx, w); err != nil {
		return err
	}
	return a.appendAll(ctx, w, 0)
}

// appendAll inserts the rows that flows have staged, and counts them. end is as in
// project.
func (a *Applier) appendAll(ctx context.Context, w *work, end pglogrepl.LSN) error {
	for _, f := range w.flowsOf() {
		rows, err := a.appendRows(ctx, f, end)
		if err != nil {
			return failed(f, err)
		}
		*w.counts[f] = Counts{Upserts: rows}
	}
	return nil
}

func (a *Applier) appendRows(ctx context.Context, f *flow, end pglogrepl.LSN) (int64, error) {
	s := f.query(f.target.table, f.number)
	if err := a.expect(ctx, f, s, end); err != nil {
		return 0, err
	}
	sql, err := a.gen.Append(s, end != 0)
	if err != nil {
		return 0, err
	}
	if !s.WantsEnd() {
		end = 0
	}
	tag, err := a.conn.Exec(ctx, sql, endArgs(end)...)
	if err != nil {
		return 0, fmt.Errorf("insert rows of the query: %w", err)
	}
	return tag.RowsAffected(), nil
}

// copyAppend inserts what the query makes of the rows that the feed has.
func (a *Applier) copyAppend(ctx context.Context, f *flow, at Point, read reader) (int64, error) {
	if err := a.readyRaw(ctx, f); err != nil {
		return 0, err
	}
	if _, err := a.copyRaw(ctx, f, at, read); err != nil {
		return 0, err
	}
	return a.appendRows(ctx, f, 0)
}

// appendStaged inserts the staged rows of a query that runs ONCE.
func (c *comparison) appendStaged(ctx context.Context) (Compared, error) {
	sql, err := c.gen.Compare("append_staged", c.plan)
	if err != nil {
		return Compared{}, err
	}
	tag, err := c.conn.Exec(ctx, sql)
	if err != nil {
		return Compared{}, fmt.Errorf("insert rows of the query: %w", err)
	}
	return Compared{Upserts: tag.RowsAffected()}, nil
}

// reappend follows a feed whose shape has changed, which f has already: its query
// may give other columns and types. It returns the columns that the target lacks.
func (a *Applier) reappend(ctx context.Context, f *flow) ([]Column, error) {
	columns, err := f.describe(ctx, a.conn)
	if err != nil {
		return nil, err
	}
	have, err := readColumns(ctx, a.conn, f.target.Name)
	if err != nil {
		return nil, err
	}
	var added []Column
	for _, c := range columns {
		at := f.target.columnIndex(c.Name)
		switch {
		case at >= 0:
			f.Columns[at] = c.Name
			err = a.retypeAppend(ctx, f, c, have[c.Name].Type)
		case f.Follow:
			added = append(added, c)
		}
		if err != nil {
			return nil, err
		}
	}
	return added, nil
}

func (a *Applier) retypeAppend(ctx context.Context, f *flow, c Column, has string) error {
	if f.Follow && widens(has, c.Type) {
		return a.alterType(ctx, f.target, c.Name, c.Type)
	}
	takes, err := assignable(ctx, a.conn, c.Type, has)
	if err != nil || takes {
		return err
	}
	return retypeError(f, c.Name, c.Type, has)
}
