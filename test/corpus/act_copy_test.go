package corpus

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload/service"
)

// timeoutsDuringCopy has every timeout set for the database of the source, and a
// copy that waits longer than any of them.
func timeoutsDuringCopy(t *testing.T, s *scene) {
	pgtest.Exec(t, s.target, "CREATE TABLE cur.n02 (id int, v text, __sequence pg_lsn, PRIMARY KEY (id))")
	release := hold(t, s.target, "LOCK TABLE cur.n02 IN SHARE MODE")
	p := s.Start()
	eventually(t, p, s.target, "SELECT 1 FROM pg_locks WHERE relation = 'cur.n02'::regclass AND NOT granted")
	<-time.After(3 * time.Second)
	release()
	s.arrive(t, "copied")
	s.arrived(t, p, "copied")
	s.plays[0].note(t, s.read)
	s.settle(t, p)
	mustBeQuiet(t, p.Log())
}

// copyOfOneMoment moves money between two tables while they are copied: at no moment
// of the history is any lost.
func copyOfOneMoment(t *testing.T, s *scene) {
	stop := meanwhile(t, s.source, statement(strings.Join(s.plays[0].testcase.stream, "\n")))
	p := s.Start()
	s.arrive(t, "during")
	s.arrived(t, p, "during")
	if n := stop(); n == 0 {
		t.Error("nothing was written during the copy")
	}
	s.plays[0].note(t, s.read)
	s.settle(t, p)
	const sums = `
SELECT at, sum(bal)
FROM (SELECT DISTINCT __start_at FROM hist.n03a UNION SELECT DISTINCT __start_at FROM hist.n03b) AS m (at)
JOIN (SELECT * FROM hist.n03a UNION ALL SELECT * FROM hist.n03b) AS h ON h.__start_at <= at AND (h.__end_at > at OR h.__end_at IS NULL)
GROUP BY at HAVING sum(bal) <> 200000`
	if got := pgtest.Rows(t, s.target, sums); len(got) > 0 {
		t.Errorf("as of %s the total is %s, want 200000 at each of them", got[0][0], got[0][1])
	}
}

// rewrittenDuringCopy rewrites the table some times while it is copied.
func rewrittenDuringCopy(t *testing.T, s *scene) {
	p := s.Start()
	eventually(t, p, s.source, "SELECT 1 FROM pg_replication_slots WHERE slot_name = '"+s.slot()+"'")
	for range 5 {
		pgtest.Exec(t, s.source, "VACUUM FULL n05")
	}
	s.arrive(t, "during")
	s.arrived(t, p, "during")
	s.plays[0].note(t, s.read)
	s.settle(t, p)
}

// killedDuringCopy kills twice when a part is copied, and writes in between.
func killedDuringCopy(t *testing.T, s *scene) {
	for range 2 {
		p := s.Start()
		eventually(t, p, s.target, "SELECT 1 FROM pg_class WHERE oid = to_regclass('cur.n12') AND pg_relation_size(oid) > 0")
		p.Kill()
	}
	for _, sql := range s.plays[0].testcase.stream {
		pgtest.Exec(t, s.source, sql)
	}
	s.copied(t)
	s.settle(t, s.Start())
}

// comparedTwice compares the same rows again: no row of a target is written.
func comparedTwice(t *testing.T, s *scene) {
	s.copied(t)
	const rows = "SELECT 1, xmin, ctid, t::text FROM cur.n14 t UNION ALL SELECT 2, xmin, ctid, t::text FROM hist.n14 t ORDER BY 1, 3"
	before := pgtest.Rows(t, s.target, rows)
	s.Triggered()
	if after := pgtest.Rows(t, s.target, rows); fmt.Sprint(after) != fmt.Sprint(before) || len(after) != 4 {
		t.Errorf("the second comparison wrote\n%v, was\n%v", after, before)
	}
}

// refreshedWhileWritten refreshes while rows are updated, deleted and come back.
func refreshedWhileWritten(t *testing.T, s *scene) {
	s.Triggered()
	stop := meanwhile(t, s.source, statement(`UPDATE n15 SET v = v + 1;
DELETE FROM n15 WHERE id <= 10; INSERT INTO n15 SELECT g, 5 FROM generate_series(1, 10) g;`))
	s.refresh(t, "cur.n15")
	s.refresh(t, "hist.n15")
	stop()
	s.plays[0].note(t, s.read)
	s.settle(t, s.Start())
}

// refreshCutOff ends all sessions of a refresh at the source while it waits for its
// target.
func refreshCutOff(t *testing.T, s *scene) {
	s.copied(t)
	release := hold(t, s.target, "LOCK TABLE cur.n17 IN SHARE MODE")
	ended := make(chan service.Result, 1)
	go func() {
		ended <- s.Command("refresh", "cur.n17", "--full", "--yes", "-c", "autocdc.yaml", "--flows", "flows.sql")
	}()
	eventually(t, nil, s.target, "SELECT 1 FROM pg_locks WHERE relation = 'cur.n17'::regclass AND NOT granted")
	pgtest.Exec(t, s.source, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
	s.read = reader(t, s.source)
	release()
	if r := <-ended; r.Code == 0 {
		t.Errorf("the refresh ended well without its source: %v", r)
	}
	s.Triggered()
	s.compare(t, "")
}

// readersDuringRefresh reads the current rows all the time: each answer is whole.
func readersDuringRefresh(t *testing.T, s *scene) {
	s.Triggered()
	p := s.Start()
	s.stream(t)
	s.arrived(t, p, "end")
	p.Kill()
	s.compare(t, p.Log())
	stop := meanwhile(t, s.target, func(ctx context.Context, conn *pgx.Conn) error {
		var rows string
		const current = "SELECT string_agg(id || v, ' ' ORDER BY id) FROM hist.m06 WHERE __end_at IS NULL"
		if err := conn.QueryRow(ctx, current).Scan(&rows); err != nil || rows == "1a3 3c" {
			return err
		}
		return fmt.Errorf("a reader saw %q", rows)
	})
	s.refresh(t, "hist.m06")
	if n := stop(); n < 10 {
		t.Errorf("only %d reads during the refresh", n)
	}
	s.Triggered()
}
