package fault_test

import (
	"context"
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
)

// The checks of this package find what they are made to find.
func TestCompare_FindsADamagedTarget(t *testing.T) {
	t.Parallel()
	s := newScene(t, direct(pgtest.Database(t), pgtest.TargetDatabase(t)))
	s.w.Write(50)
	s.Triggered()
	s.w.Write(50)
	s.settle(t)
	for name, damage := range map[string]string{
		"a version is gone":   "DELETE FROM hist.docs WHERE ctid = (SELECT max(ctid) FROM hist.docs)",
		"a value is wrong":    "UPDATE hist.readings SET unit = 'wrong' WHERE ctid = (SELECT max(ctid) FROM hist.readings)",
		"a row is missing":    "DELETE FROM cur.every_type WHERE ctid = (SELECT max(ctid) FROM cur.every_type)",
		"a start is off":      "UPDATE hist.docs SET __start_at = __start_at + interval '1 microsecond' WHERE ctid = (SELECT max(ctid) FROM hist.docs)",
		"a marker is missing": "DELETE FROM hist.marker WHERE n = 70",
	} {
		t.Run(name, func(t *testing.T) {
			if err := s.compareDamaged(t, damage); err == nil {
				t.Error("the damage was not found")
			}
		})
	}
}

// compareDamaged compares within a transaction that has done some damage.
func (s *scene) compareDamaged(t *testing.T, damage string) error {
	t.Helper()
	ctx := context.Background()
	tx, err := pgtest.Conn(t, s.target).Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if tag, err := tx.Exec(ctx, damage); err != nil || tag.RowsAffected() != 1 {
		t.Fatalf("%s: %v rows, %v", damage, tag.RowsAffected(), err)
	}
	return s.w.Compare(ctx, tx.Conn())
}
