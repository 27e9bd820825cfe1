package fault_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/config/failpoint"
	"github.com/autocdc/autocdc/test/pgtest"
)

// stopsWithin is how long a run may take that was told to stop.
const stopsWithin = 10 * time.Second

// firstPoints are those of a first run only.
func firstPoints() []failpoint.Point {
	return []failpoint.Point{
		failpoint.SlotNamed, failpoint.SlotMade, failpoint.SlotSaved,
		failpoint.CopyFrozen, failpoint.PartBrought, failpoint.PartRecorded, failpoint.CopyBrought, failpoint.CopyRecorded,
	}
}

// laterPoints are the others, in any order.
func (b *breakable) laterPoints() []failpoint.Point {
	later := slices.DeleteFunc(failpoint.Points(), func(p failpoint.Point) bool { return slices.Contains(firstPoints(), p) })
	b.rng.Shuffle(len(later), func(i, j int) { later[i], later[j] = later[j], later[i] })
	return later
}

// Killed at every point of the pipeline.
func TestRun_SurvivesAKillAtEveryPoint(t *testing.T) {
	t.Parallel()
	b := newBreakable(t, direct(pgtest.Database(t), pgtest.TargetDatabase(t)))
	b.Triggered()
	b.underLoad(t, func() {
		for range rounds(1, 3) {
			for _, point := range b.laterPoints() {
				b.meet(t, point, "kill")
			}
		}
	})
	b.settle(t)
}

// Told to stop at every point of the pipeline (in short runs at half of them), it does
// within ten seconds, and the next run goes on.
func TestRun_StopsInTimeAtEveryPoint(t *testing.T) {
	t.Parallel()
	b := newBreakable(t, direct(pgtest.Database(t), pgtest.TargetDatabase(t)))
	b.Triggered()
	b.underLoad(t, func() {
		for range rounds(1, 3) {
			later := b.laterPoints()
			for _, point := range later[:rounds(len(later)/2, len(later))] { // all are killed
				b.meet(t, point, "term")
			}
		}
	})
	b.settle(t)
}

// Killed, and then told to stop, or the other way round, at every point of a first
// run.
func TestRun_SurvivesEndsAtEveryPointOfTheFirstRun(t *testing.T) {
	t.Parallel()
	for i, point := range firstPoints() {
		b := newBreakable(t, direct(pgtest.Database(t), pgtest.TargetDatabase(t)))
		b.underLoad(t, func() {
			actions := []string{"kill", "term"}
			if i%2 == 1 {
				slices.Reverse(actions)
			}
			b.meet(t, point, actions[0])
			b.arm(point, actions[1], 1)
			p := b.Start() // it need not come to the point again
			pgtest.Eventually(t, time.Minute, func() error {
				if p.Ended() || strings.Contains(p.Log(), "reading the slot") {
					return nil
				}
				return fmt.Errorf("it neither ends nor reads:\n%s", p.Log())
			})
			p.Kill()
		})
		b.settle(t)
	}
}

// meet lets a run come to a point and end there.
func (b *breakable) meet(t *testing.T, point failpoint.Point, action string) {
	t.Helper()
	began := time.Now()
	b.arm(point, action, 1)
	defer b.disarm()
	b.write(t)
	p := b.begin(point)
	pgtest.Eventually(t, time.Minute, func() error {
		if p.Ended() || strings.Contains(p.Log(), "reading the slot") || strings.Contains(p.Log(), "failpoint") {
			return nil
		}
		return fmt.Errorf("it does not read:\n%s", p.Log())
	})
	b.provoke(t, point)
	b.write(t)
	met(t, p, point)
	told := time.Now()
	r := p.EndsWithin(stopsWithin)
	if action == "term" && r.Code != 0 && !strings.Contains(r.Args, "refresh") {
		t.Errorf("told to stop at %s: %v", point, r)
	}
	b.calm(t)
	t.Logf("%s at %s: ended %s after, %s in all", action, point, time.Since(told).Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
}
