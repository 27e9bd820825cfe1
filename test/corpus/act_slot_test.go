package corpus

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/test/pgtest"
)

// otherSlotsStay has neighbours whose names our own matches as a pattern.
func otherSlotsStay(t *testing.T, s *scene) {
	names := []string{strings.Replace(s.slot(), "_", "x", 1), s.slot() + "x", s.slot() + "_copy_1"}
	for _, name := range names {
		pgtest.Exec(t, s.source, "SELECT pg_create_logical_replication_slot('"+name+"', 'pgoutput')")
	}
	s.copied(t)
	s.refresh(t, "cur.i07")
	s.Triggered()
	s.compare(t, "")
	for _, name := range names {
		eventually(t, nil, s.source, "SELECT 1 FROM pg_replication_slots WHERE slot_name = '"+name+"'")
	}
}

func (s *scene) refresh(t *testing.T, target string) {
	t.Helper()
	if r := s.Command("refresh", target, "--full", "--yes", "-c", "autocdc.yaml", "--flows", "flows.sql"); r.Code != 0 {
		t.Fatalf("%v", r)
	}
}

// mustRefuse demands that a run says what is wrong, and has changed nothing.
func (s *scene) mustRefuse(t *testing.T, says ...string) {
	t.Helper()
	r := s.TriggeredResult()
	if r.Code == 0 {
		t.Errorf("not refused: %v", r)
	}
	for _, want := range says {
		if !strings.Contains(r.Stderr, want) {
			t.Errorf("the refusal lacks %q: %v", want, r)
		}
	}
}

// slotRecreated drops the slot and makes another, which has not seen row 3.
func slotRecreated(t *testing.T, s *scene) {
	s.Triggered()
	pgtest.Exec(t, s.source, "INSERT INTO l01 VALUES (3)",
		"SELECT pg_drop_replication_slot('"+s.slot()+"')",
		"SELECT pg_create_logical_replication_slot('"+s.slot()+"', 'pgoutput')",
		"INSERT INTO l01 VALUES (4)")
	s.mustRefuse(t, s.slot())
	if got := pgtest.Rows(t, s.target, "SELECT id FROM cur.l01"); len(got) != 1 {
		t.Errorf("the target has %v, want what it had", got)
	}
}

// statusWhileSlotIsMade asks for the status while an old transaction keeps the slot
// from being made, and its columns null.
func statusWhileSlotIsMade(t *testing.T, s *scene) {
	slotHeldUp(t, s, "CREATE TABLE other (id int)", func() {
		for _, command := range []string{"status", "check"} {
			args := []string{command, "-c", "autocdc.yaml"}
			if command == "check" {
				args = append(args, "flows.sql")
			}
			if r := s.Command(args...); r.Code != 0 {
				t.Errorf("%v", r)
			}
		}
	})
}

// oldTransactionNamed demands that the log names who keeps the slot from being made.
func oldTransactionNamed(t *testing.T, s *scene) {
	slotHeldUp(t, s, "INSERT INTO l07 VALUES (1)", func() {})
}

func slotHeldUp(t *testing.T, s *scene, sql string, meanwhile func()) {
	t.Helper()
	release := hold(t, s.source, sql)
	holder := pgtest.Rows(t, s.source, "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL")
	p := s.Start()
	eventually(t, p, s.source, "SELECT 1 FROM pg_replication_slots WHERE slot_name = '"+s.slot()+"' AND confirmed_flush_lsn IS NULL")
	meanwhile()
	pgtest.Eventually(t, 30*time.Second, func() error {
		if !strings.Contains(p.Log(), holder[0][0]) {
			return fmt.Errorf("the log does not name process %s:\n%s", holder[0][0], p.Log())
		}
		return nil
	})
	release()
	eventually(t, p, s.target, "SELECT 1 FROM pg_class WHERE oid = to_regclass('cur."+s.plays[0].tables[0].name+"')")
	s.plays[0].note(t, s.read)
	s.settle(t, p)
}

// idleSlotMoves writes into a table that nobody follows.
func idleSlotMoves(t *testing.T, s *scene) {
	s.Triggered()
	p := s.Start()
	s.arrive(t, "begin")
	s.arrived(t, p, "begin")
	pgtest.Exec(t, s.source, s.plays[0].testcase.stream...)
	end := pgtest.Rows(t, s.source, "SELECT pg_current_wal_lsn()")[0][0]
	eventually(t, p, s.source, fmt.Sprintf("SELECT 1 FROM pg_replication_slots WHERE slot_name = '%s' AND confirmed_flush_lsn >= '%s'", s.slot(), end))
}

// publicationRecreated makes the publication anew, so that the slot's past lacks it.
func publicationRecreated(t *testing.T, s *scene) {
	s.copied(t)
	pgtest.Exec(t, s.source, "DROP PUBLICATION "+s.slot(), "INSERT INTO l10 VALUES (2)")
	s.mustRefuse(t, s.slot(), "publication")
}

// slotOfOtherDatabase has the slot's name taken by another database.
func slotOfOtherDatabase(t *testing.T, s *scene) {
	other := pgtest.Database(t)
	pgtest.Exec(t, other, "SELECT pg_create_logical_replication_slot('"+s.slot()+"', 'pgoutput')")
	s.mustRefuse(t, s.slot(), pgtest.Rows(t, other, "SELECT current_database()")[0][0])
}

// nothingAcknowledgedEarly holds the target's commit up while only keepalives come.
func nothingAcknowledgedEarly(t *testing.T, s *scene) {
	s.copied(t)
	p := s.Start()
	s.arrive(t, "begin")
	s.arrived(t, p, "begin")
	release := hold(t, s.target, "LOCK TABLE cur.l13 IN SHARE MODE")
	s.write(t, "INSERT INTO l13 VALUES (101)")
	after := pgtest.Rows(t, s.source, "SELECT pg_current_wal_lsn()")[0][0]
	eventually(t, p, s.target, "SELECT 1 FROM pg_locks WHERE relation = 'cur.l13'::regclass AND NOT granted")
	<-time.After(2 * time.Second) // keepalives
	if got := pgtest.Rows(t, s.source, fmt.Sprintf("SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '%s' AND confirmed_flush_lsn >= '%s'", s.slot(), after)); len(got) > 0 {
		t.Errorf("%s was acknowledged while the row before %s was not durable", got, after)
	}
	p.Kill()
	release()
	s.settle(t, s.Start())
}
