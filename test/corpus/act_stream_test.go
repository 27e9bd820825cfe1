package corpus

import (
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/test/pgtest"
)

// zeroByte has an expression fail for one row of two transactions: its flow stops
// before the transaction, says which flow it is, and the marker's goes on.
func zeroByte(t *testing.T, s *scene) {
	s.Triggered()
	p := s.Start()
	pgtest.Exec(t, s.source, `INSERT INTO t15 VALUES (1, '\x6162')`, `INSERT INTO t15 VALUES (2, '\x610062'), (3, '\x6162')`)
	s.arrive(t, "after")
	s.arrived(t, p, "after")
	got := pgtest.Rows(t, s.target, "SELECT id, raw FROM cur.t15")
	if len(got) != 1 || got[0][1] != "ab" {
		t.Errorf("the target has %v, want the row before the fault", got)
	}
	if r := s.Command("status", "-c", "autocdc.yaml"); !strings.Contains(r.Stdout, "0x00") || !strings.Contains(r.Stdout, "stopped") {
		t.Errorf("status does not say what stopped the flow: %v", r)
	}
}

// quietThroughout demands that the stream is never interrupted.
func quietThroughout(t *testing.T, s *scene) {
	s.Triggered()
	p := s.Start()
	s.stream(t)
	s.arrived(t, p, "end")
	s.settle(t, p)
	mustBeQuiet(t, p.Log())
}

func mustBeQuiet(t *testing.T, log string) {
	t.Helper()
	if strings.Contains(log, "try again") || strings.Contains(log, "level=ERROR") {
		t.Errorf("the stream was interrupted:\n%s", log)
	}
}

// longLock locks a target for much longer than wal_sender_timeout.
func longLock(t *testing.T, s *scene) {
	s.Triggered()
	p := s.Start()
	release := hold(t, s.target, "LOCK TABLE cur.x04 IN SHARE MODE")
	s.stream(t)
	eventually(t, p, s.target, "SELECT 1 FROM pg_locks WHERE relation = 'cur.x04'::regclass AND NOT granted")
	<-time.After(4 * time.Second)
	release()
	s.settle(t, p)
	mustBeQuiet(t, p.Log())
}

// killedAfterCopy kills while rows that share one LSN arrive.
func killedAfterCopy(t *testing.T, s *scene) {
	s.copied(t)
	p := s.Start()
	conn := pgtest.Conn(t, s.source)
	for _, rows := range []string{"1\ta\n2\tb\n3\tc\n4\td\n", "11\ta\n12\tb\n13\tc\n14\td\n"} {
		if _, err := conn.PgConn().CopyFrom(t.Context(), strings.NewReader(rows), "COPY x06 FROM STDIN"); err != nil {
			t.Fatal(err)
		}
		s.plays[0].note(t, s.read)
	}
	s.write(t, "INSERT INTO x06 VALUES (5, 'e'), (6, 'f')")
	p.Kill()
	s.settle(t, s.Start())
}

// walsenderTerminated ends the walsender between two rows.
func walsenderTerminated(t *testing.T, s *scene) {
	s.Triggered()
	p := s.Start()
	s.stream(t)
	s.arrived(t, p, "end")
	pgtest.Exec(t, s.source, "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '"+s.slot()+"'")
	s.write(t, "INSERT INTO x12 VALUES (2)")
	s.settle(t, p)
	if !strings.Contains(p.Log(), "57P01") {
		t.Errorf("the log does not say why the stream was interrupted:\n%s", p.Log())
	}
}

// lastChangeArrives lets nothing follow the last row.
func lastChangeArrives(t *testing.T, s *scene) {
	s.Triggered()
	p := s.Start()
	pgtest.Exec(t, s.source, "INSERT INTO m03 VALUES (1)")
	eventually(t, p, s.target, "SELECT 1 FROM cur.m03 WHERE id = 1")
	pgtest.Exec(t, s.source, "INSERT INTO m03 VALUES (2)")
	began := time.Now()
	eventually(t, p, s.target, "SELECT 1 FROM hist.m03 WHERE id = 2")
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the last row took %s", took)
	}
}

// identityDropped drops the index of the replica identity: rows go on to arrive, and
// the next run is refused with the statement that helps.
func identityDropped(t *testing.T, s *scene) {
	s.Triggered()
	p := s.Start()
	s.arrive(t, "begin")
	s.arrived(t, p, "begin")
	s.stream(t)
	s.arrived(t, p, "end")
	p.Kill()
	s.compare(t, p.Log())
	r := s.TriggeredResult()
	if r.Code != 2 || !strings.Contains(r.Stderr, `ALTER TABLE "public"."r06" REPLICA IDENTITY DEFAULT;`) {
		t.Errorf("not refused with the statement that helps: %v", r)
	}
}
