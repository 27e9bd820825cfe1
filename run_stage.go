package autocdc

import (
	"context"
	"io"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/snapshot"
	"github.com/autocdc/autocdc/snapshot/feed"
)

// filling brings the rows of one snapshot into a stage and shows how that goes on.
func (s *snapshotRun) filling(f *feed.Feed, v *feed.Version) func(ctx context.Context, w merge.Filler) (int64, error) {
	return func(ctx context.Context, w merge.Filler) (int64, error) {
		m := s.begin(Step{What: "stage", Name: s.flow.Name}, s.log)
		defer m.end()
		return f.Fill(ctx, v, stage{w, m})
	}
}

// stage lets a feed fill a stage of the merge. The rows of a query on the target are
// not seen here.
type stage struct {
	merge.Filler
	m *meter
}

// Copy implements feed.Stage.
func (s stage) Copy(ctx context.Context, read func(ctx context.Context, w io.Writer) error) (int64, error) {
	return s.Filler.Copy(ctx, s.m.counting(read))
}

// CopyBinary implements feed.Stage.
func (s stage) CopyBinary(ctx context.Context, read func(ctx context.Context, w io.Writer) error) (int64, error) {
	return s.Filler.CopyBinary(ctx, s.m.countingBinary(read))
}

// Load implements feed.Stage.
func (s stage) Load(ctx context.Context, name string, columns []snapshot.Column, read func(ctx context.Context, w io.Writer) error) (int64, error) {
	list := make([]merge.Column, len(columns))
	for i, c := range columns {
		list[i] = merge.Column{Name: c.Name, Type: c.Type}
	}
	return s.Filler.Load(ctx, name, list, s.m.counting(read))
}
