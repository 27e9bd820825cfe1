package corpus

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// acts are the cases that need a test of their own.
var acts = map[string]func(t *testing.T, s *scene){
	"A06": loginRevoked, "I07": otherSlotsStay, "L01": slotRecreated, "L03": statusWhileSlotIsMade, "L04": idleSlotMoves, "L07": oldTransactionNamed,
	"L10": publicationRecreated, "L12": slotOfOtherDatabase, "L13": nothingAcknowledgedEarly, "M03": lastChangeArrives,
	"M06": readersDuringRefresh, "N02": timeoutsDuringCopy, "N03": copyOfOneMoment, "N05": rewrittenDuringCopy,
	"N12": killedDuringCopy, "N14": comparedTwice, "N15": refreshedWhileWritten, "N17": refreshCutOff, "R06": identityDropped,
	"T15": zeroByte, "X03": quietThroughout, "X04": longLock, "X06": killedAfterCopy, "X12": walsenderTerminated,
}

// servers are the acts that need a source server of their own.
var servers = map[string]func(t *testing.T, c testcase){
	"A03": passwords, "L06": oncePromoted, "X10": preparedTransactions,
}

func isPending(c testcase) bool { return pending[c.id] != "" }
func hasAct(c testcase) bool    { return acts[c.id] != nil || servers[c.id] != nil }
func isPlain(c testcase) bool   { return !isPending(c) && !hasAct(c) && len(c.refused) == 0 }

// TestCorpus_Together plays all cases that need nothing special in one pipeline, so
// that each has the others as neighbours: first run, kill, and a run of what is left.
func TestCorpus_Together(t *testing.T) {
	t.Parallel()
	playAll(t, selected(t, func(c testcase) bool { return isPlain(c) && !c.alone }))
}

// TestCorpus_Alone plays cases that would disturb others.
func TestCorpus_Alone(t *testing.T) {
	t.Parallel()
	for _, c := range selected(t, func(c testcase) bool { return isPlain(c) && c.alone }) {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			playAll(t, []testcase{c})
		})
	}
}

func playAll(t *testing.T, cases []testcase) {
	t.Helper()
	s := newScene(t, cases...)
	s.Check()
	s.Triggered()
	p := s.Start()
	s.stream(t)
	s.arrived(t, p, "end")
	p.Kill()
	r := s.TriggeredResult()
	for _, play := range s.plays {
		t.Run(play.id, func(t *testing.T) { s.verify(t, play, p.Log()+r.Stderr) })
	}
	if r.Code != 0 {
		t.Errorf("the run after the kill: %v", r)
	}
}

// TestCorpus_Refused shows that what cannot be followed is refused before anything
// happens, with the way out.
func TestCorpus_Refused(t *testing.T) {
	t.Parallel()
	for _, c := range selected(t, func(c testcase) bool { return len(c.refused) > 0 && !isPending(c) }) {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			refuse(t, c)
		})
	}
}

func refuse(t *testing.T, c testcase) {
	t.Helper()
	s := newScene(t, c)
	for _, r := range []string{"check", "run"} {
		result := s.Command(r, "-c", "autocdc.yaml", "flows.sql")
		if result.Code != 1 && result.Code != 2 {
			t.Errorf("not refused: %v", result)
		}
		for _, want := range c.refused {
			if !strings.Contains(result.Stderr, want) {
				t.Errorf("the refusal lacks %q: %v", want, result)
			}
		}
	}
	for _, made := range []string{"pg_publication WHERE pubname = '" + s.slot() + "'", "pg_replication_slots WHERE slot_name = '" + s.slot() + "'"} {
		if n := len(query(t, s.read, "SELECT FROM "+made)); n > 0 {
			t.Errorf("refused, but there is one of %s", made)
		}
	}
}

// TestCorpus_Acts plays the cases that need a test of their own.
func TestCorpus_Acts(t *testing.T) {
	t.Parallel()
	for _, c := range selected(t, func(c testcase) bool { return hasAct(c) && !isPending(c) }) {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			if act := servers[c.id]; act != nil {
				act(t, c)
				return
			}
			acts[c.id](t, newScene(t, c))
		})
	}
}

// TestCorpus_Pending reports what is left.
func TestCorpus_Pending(t *testing.T) {
	t.Parallel()
	for _, id := range slices.Sorted(maps.Keys(pending)) {
		t.Logf("pending %s: %s: %s", id, one(t, id).about, pending[id])
	}
	t.Logf("%d of %d cases are pending", len(pending), number)
	if len(pending) > mostPending {
		t.Errorf("%d cases are pending, at most %d may be", len(pending), mostPending)
	}
}

// mostPending only ever goes down.
const mostPending = 11
