package merge_test

import (
	"context"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/merge/batch"
)

func insertRow(f *merge.Flow, id int) batch.Change {
	return batch.Change{Rel: f.Rel, Op: batch.Insert, New: batch.NewTuple(value(id), value("a"), value("d"))}
}

// TestNewApplier_CarriesARenamedFlowOn shows that another name copies nothing again.
func TestNewApplier_CarriesARenamedFlowOn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	f := changesFlow(merge.SCD1, 'd', false)
	f.NoCopy = false
	p := r.pipeline(t)
	a := r.open(t, p, f)
	if len(a.NeedCopy()) != 1 {
		t.Fatal("a new flow needs no copy")
	}
	must(t, r.exec(t.Context(), "UPDATE autocdc.flow SET status = 'streaming' WHERE pipeline = '"+p+"'"))
	_ = a.Close()
	renamed := *f
	renamed.Name = "another"
	a = r.open(t, p, &renamed)
	defer a.Close()
	if n := a.NeedCopy(); len(n) != 0 {
		t.Errorf("%q is copied again", n[0].Name)
	}
}

// TestNewApplier_TellsOfChangesThatWereMissed takes a flow out of the files and
// back in: what its table did meanwhile is not known.
func TestNewApplier_TellsOfChangesThatWereMissed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	away, stays := changesFlow(merge.SCD1, 'd', false), changesFlow(merge.SCD1, 'd', false)
	p := r.pipeline(t)
	a := r.open(t, p, away, stays)
	must(t, a.Apply(context.Background(), r.tx(insertRow(away, 1), insertRow(stays, 1))))
	_ = a.Close()
	a = r.open(t, p, stays)
	must(t, a.Apply(context.Background(), r.tx(insertRow(stays, 2))))
	_ = a.Close()
	a = r.open(t, p, away, stays)
	defer a.Close()
	if err := a.Stopped()[away.Name]; err == nil || !strings.Contains(err.Error(), "was not in the files") {
		t.Errorf("stopped: %v", a.Stopped())
	}
	if a.Confirmed() != r.lsn {
		t.Errorf("the flow holds WAL back at %s, want %s", a.Confirmed(), r.lsn)
	}
}

// TestNewApplier_RefusesAFlowThatDoesSomethingElse keeps one name from mixing two
// tables.
func TestNewApplier_RefusesAFlowThatDoesSomethingElse(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	f := changesFlow(merge.SCD1, 'd', false)
	p := r.pipeline(t)
	_ = r.open(t, p, f).Close()
	other := changesFlow(merge.SCD1, 'd', false)
	other.Name = f.Name
	_, err := merge.NewApplier(t.Context(), r.config(p, other))
	if err == nil || !strings.Contains(err.Error(), "was deployed reading") {
		t.Errorf("got %v", err)
	}
}
