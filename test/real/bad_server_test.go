package real

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/test/pgtest"
)

// changed returns a DSN with another user, password or host.
func changed(t *testing.T, dsn string, change func(*url.URL)) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	change(u)
	return u.String()
}

func as(t *testing.T, dsn, user, password string) string {
	t.Helper()
	return changed(t, dsn, func(u *url.URL) { u.User = url.UserPassword(user, password) })
}

// pair makes a source with a table and a target.
func pair(t *testing.T) (source, target string) {
	t.Helper()
	source, target = pgtest.Database(t), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, goodSource)
	pgtest.Exec(t, target, "CREATE SCHEMA now")
	return source, target
}

func TestBadInput_NoServerAtTheDSN(t *testing.T) {
	t.Parallel()
	source, target := pair(t)
	nowhere := func(u *url.URL) { u.Host = "127.0.0.1:9" }
	mustRefuse(t, newService(t, "bad", changed(t, source, nowhere), target, goodFlows), source, target, "shop", "127.0.0.1")
	mustRefuse(t, newService(t, "bad", source, changed(t, target, nowhere), goodFlows), source, target, "target", "127.0.0.1")
}

func TestBadInput_NoSuchDatabase(t *testing.T) {
	t.Parallel()
	source, target := pair(t)
	missing := changed(t, source, func(u *url.URL) { u.Path = "/no_such_database" })
	mustRefuse(t, newService(t, "bad", missing, target, goodFlows), source, target, "shop", "no_such_database")
}

func TestBadInput_NotADSN(t *testing.T) {
	t.Parallel()
	source, target := pair(t)
	mustRefuse(t, newService(t, "bad", "postgres://:::", target, goodFlows), source, target, "shop")
}

func TestBadInput_WrongPassword(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t, embedpg.Options{})
	source, target := server.DSN("postgres"), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, goodSource, "CREATE ROLE locked LOGIN REPLICATION PASSWORD 'right'")
	pgtest.Exec(t, target, "CREATE SCHEMA now")
	demandPasswords(t, server)
	s := newService(t, "bad", as(t, source, "locked", "s3cret-wrong"), target, goodFlows)
	mustRefuse(t, s, source, target, "shop", "locked", "password")
	for _, command := range []string{"check", "run"} {
		if r := s.Command(command, "-c", "autocdc.yaml", "flows.sql"); contains(r.Stdout+r.Stderr, "s3cret-wrong") {
			t.Errorf("the password is printed: %v", r)
		}
	}
}

// demandPasswords makes a server ask everybody but postgres for a password.
func demandPasswords(t *testing.T, server *embedpg.Server) {
	t.Helper()
	const rules = `host all postgres 127.0.0.1/32 trust
host replication postgres 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
host replication all 127.0.0.1/32 scram-sha-256
`
	if err := os.WriteFile(filepath.Join(server.Dir(), "data", "pg_hba.conf"), []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, server.DSN("postgres"), "SELECT pg_reload_conf()")
}

func TestBadInput_WalLevelIsNotLogical(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t, embedpg.Options{Settings: map[string]string{"wal_level": "replica"}})
	source, target := server.DSN("postgres"), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, goodSource)
	pgtest.Exec(t, target, "CREATE SCHEMA now")
	mustRefuse(t, newService(t, "bad", source, target, goodFlows), source, target, "shop", "wal_level", "logical")
}

func TestBadInput_SourceRoleLacksPrivileges(t *testing.T) {
	t.Parallel()
	source, target := pair(t)
	role := roleFor(t, source)
	s := newService(t, "bad", as(t, source, role, "x"), target, goodFlows)
	mustRefuse(t, s, source, target, role, "REPLICATION")
	pgtest.Exec(t, source, "ALTER ROLE "+role+" REPLICATION")
	mustRefuse(t, s, source, target, role, "items")
}

func TestBadInput_TargetRoleLacksPrivileges(t *testing.T) {
	t.Parallel()
	source, target := pair(t)
	role := roleFor(t, target)
	mustRefuse(t, newService(t, "bad", source, as(t, target, role, "x"), goodFlows), source, target, role, "GRANT")
}

// roleFor makes a role that may do nothing and goes with the test.
func roleFor(t *testing.T, dsn string) string {
	t.Helper()
	role := "role_" + pgtest.Rows(t, dsn, "SELECT substr(md5(current_database() || pg_backend_pid()), 1, 12)")[0][0]
	pgtest.Exec(t, dsn, "CREATE ROLE "+role+" LOGIN")
	t.Cleanup(func() { pgtest.Exec(t, dsn, "DROP OWNED BY "+role+"; DROP ROLE "+role) })
	return role
}

func TestBadInput_TargetIsItsOwnSource(t *testing.T) {
	t.Parallel()
	source, _ := pair(t)
	pgtest.Exec(t, source, "CREATE SCHEMA now")
	mustRefuse(t, newService(t, "bad", source, source, `
CREATE STREAMING TABLE public.items;
CREATE FLOW items AS AUTO CDC INTO public.items FROM CHANGES(items) KEYS (id) STORED AS SCD TYPE 1;`), source, "", "items")
}
