package corpus

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/test/pgtest"
)

// ownServer is a source server of the case's own.
func ownServer(t *testing.T, settings map[string]string) *embedpg.Server {
	t.Helper()
	return pgtest.Start(t, embedpg.Options{InMemory: true, Settings: settings})
}

// preparedTransactions needs a setting that servers do not have by default.
func preparedTransactions(t *testing.T, c testcase) {
	source := ownServer(t, map[string]string{"max_prepared_transactions": "5"}).DSN("postgres")
	s := newSceneAt(t, source, source, c)
	quietThroughout(t, s)
}

// oncePromoted follows a server that was a standby before it was promoted: its
// position of replay stands still from then on.
func oncePromoted(t *testing.T, c testcase) {
	server := ownServer(t, nil)
	source := server.DSN("postgres")
	signal := pgtest.Rows(t, source, "SELECT current_setting('data_directory')")[0][0] + "/standby.signal"
	pgtest.Exec(t, source, "COPY (SELECT 1 WHERE false) TO '"+signal+"'")
	if err := server.Stop(embedpg.Fast); err != nil {
		t.Fatal(err)
	}
	if err := server.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, source, "SELECT pg_promote()")
	s := newSceneAt(t, source, source, c)
	quietThroughout(t, s)
}

// passwords reaches a server that wants one by every form of DSN.
func passwords(t *testing.T, c testcase) {
	const role, password = "a03 user@x", `p w@s:s/?#[]%20+&='"é`
	admin := ownServer(t, nil).DSN("postgres")
	pgtest.Exec(t, admin, `CREATE ROLE "a03 user@x" LOGIN SUPERUSER PASSWORD '`+strings.ReplaceAll(password, "'", "''")+`'`,
		`COPY (SELECT 'local all all trust' UNION ALL SELECT 'host all "a03 user@x" all scram-sha-256' UNION ALL SELECT 'host all all all trust') TO '`+
			pgtest.Rows(t, admin, "SELECT current_setting('hba_file')")[0][0]+"'",
		"SELECT pg_reload_conf()")
	at, err := url.Parse(admin)
	if err != nil {
		t.Fatal(err)
	}
	at.User = url.UserPassword(role, password)
	escaped := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(password)
	keywords := "host=" + at.Hostname() + " port=" + at.Port() + " dbname=postgres user='" + role + "' password='" + escaped + "'"
	s := newSceneAt(t, admin, at.String(), c)
	s.copied(t)
	s.Triggered()
	s.compare(t, "")
	for form, dsn := range map[string]string{"keywords": keywords, "url": at.String()} {
		r := s.Command("check", "-c", "autocdc.yaml", "--source", "shop="+dsn, "flows.sql")
		if r.Code != 0 || strings.Contains(r.Stdout+r.Stderr, "s:s") {
			t.Errorf("%s: %v", form, r)
		}
	}
	at.User = url.UserPassword(role, "wrong s:s")
	if r := s.Command("check", "-c", "autocdc.yaml", "--source", "shop="+at.String(), "flows.sql"); r.Code == 0 || strings.Contains(r.Stderr, "s:s") || !strings.Contains(r.Stderr, "password") {
		t.Errorf("a wrong password: %v", r)
	}
}

// loginRevoked takes the role's login away while it streams, and gives it back.
func loginRevoked(t *testing.T, s *scene) {
	role := s.slot()
	source := s.source
	pgtest.Exec(t, source, "CREATE ROLE "+role+" LOGIN SUPERUSER")
	t.Cleanup(func() { pgtest.Exec(t, source, "DROP ROLE "+role) })
	at, err := url.Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	at.User = url.User(role)
	s.copied(t)
	p := s.Start("--source", "shop="+at.String())
	s.write(t, "INSERT INTO a06 VALUES (1)")
	s.arrive(t, "before")
	s.arrived(t, p, "before")
	pgtest.Exec(t, source, "ALTER ROLE "+role+" NOLOGIN",
		"SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '"+s.slot()+"'")
	s.write(t, "INSERT INTO a06 VALUES (2)")
	if r := p.Wait(); r.Code != 1 || !strings.Contains(r.Stderr, "28000") && !strings.Contains(r.Stderr, "not permitted to log in") {
		t.Errorf("the run did not end with the reason: %v", r)
	}
	pgtest.Exec(t, source, "ALTER ROLE "+role+" LOGIN")
	s.settle(t, s.Start("--source", "shop="+at.String()))
}
