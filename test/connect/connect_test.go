package connect_test

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload/service"
)

// way is a way to reach the server; %s stands for the database.
type way struct {
	dsn     string
	env     []string
	refused string // part of the message, if it must not work
}

func (s *secured) ways(t *testing.T) map[string]way {
	t.Helper()
	file := func(name string) string { return filepath.Join(s.dir, name) }
	scram := "postgres://" + url.UserPassword("scram", password).String()
	at := func(user, host, more string) string {
		return fmt.Sprintf("%s@%s:%d/%%s?%s", user, host, s.Port(), more)
	}
	tls := "sslmode=verify-full&sslrootcert=" + file("ca.crt")
	client := tls + "&sslcert=" + file("client.crt") + "&sslkey=" + file("client.key")
	write(t, file("services"), []byte(strings.Join([]string{
		"[shop]", "host=127.0.0.1", fmt.Sprintf("port=%d", s.Port()), "user=postgres", "sslmode=disable", "",
	}, "\n")))
	write(t, file("passwords"), fmt.Appendf(nil, "localhost:%d:*:scram:%s\n", s.Port(), strings.ReplaceAll(password, ":", `\:`)))
	return map[string]way{
		"own CA":                {dsn: at(scram, "localhost", tls)},
		"client certificate":    {dsn: at("postgres://certified", "localhost", client)},
		"no client certificate": {dsn: at("postgres://certified", "localhost", tls), refused: "certificate"},
		"another CA":            {dsn: at(scram, "localhost", "sslmode=verify-full&sslrootcert="+file("other.crt")), refused: "unknown authority"},
		"another name":          {dsn: at(scram, "127.0.0.1", tls), refused: "127.0.0.1"},
		"SCRAM without TLS":     {dsn: at(scram, "127.0.0.1", "sslmode=disable")},
		"channel binding":       {dsn: at(scram, "localhost", tls+"&channel_binding=require")},
		"no channel to bind":    {dsn: at(scram, "127.0.0.1", "sslmode=disable&channel_binding=require"), refused: "channel binding"},
		"wrong password":        {dsn: at("postgres://scram:no", "127.0.0.1", "sslmode=disable"), refused: "password authentication failed"},
		"password file":         {dsn: at("postgres://scram", "localhost", tls), env: []string{"PGPASSFILE=" + file("passwords")}},
		"unix socket":           {dsn: fmt.Sprintf("host=%s port=%d user=scram password='%s' dbname=%%s", s.data(""), s.Port(), password)},
		"IPv6":                  {dsn: at(scram, "[::1]", tls)},
		"several hosts":         {dsn: fmt.Sprintf("postgres://postgres@127.0.0.1:9,127.0.0.1:%d/%%s?sslmode=disable&target_session_attrs=read-write", s.Port())},
		"service":               {dsn: "service=shop dbname=%s", env: []string{"PGSERVICEFILE=" + file("services")}},
		"PGSERVICE":             {dsn: "dbname=%s", env: []string{"PGSERVICEFILE=" + file("services"), "PGSERVICE=shop"}},
	}
}

const flow = `
CREATE STREAMING TABLE %[1]s.t;
CREATE FLOW t AS AUTO CDC INTO %[1]s.t FROM CHANGES(t) KEYS (id);`

// Source and target are reached in each of the ways, by ordinary and by replication
// connections; where that must not be, the message says why, and no password.
func TestRun_ReachesServersInEveryWay(t *testing.T) {
	t.Parallel()
	s := newSecured(t)
	n := 0
	for name, w := range s.ways(t) {
		n++
		schema := fmt.Sprintf("way_%d", n)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pgtest.Exec(t, s.DSN("dw"), "CREATE SCHEMA "+schema)
			dsn := strings.ReplaceAll(w.dsn, "%s", "%[1]s")
			at := func(database string) string { return strings.ReplaceAll(dsn, "%[1]s", database) }
			svc := service.New(t, service.Config{
				Pipeline: schema, Sources: map[string]string{"shop": at("postgres")}, Target: at("dw"), Env: w.env,
				Extra: "metadata_schema: state_" + schema + "\n",
			}, fmt.Sprintf(flow, schema))
			r := svc.TriggeredResult()
			if strings.Contains(r.Stderr, password) || strings.Contains(r.Stderr, url.QueryEscape(password)) {
				t.Errorf("the password is shown: %v", r)
			}
			if w.refused != "" {
				if r.Code == 0 || !strings.Contains(r.Stderr, w.refused) {
					t.Errorf("want it refused with %q: %v", w.refused, r)
				}
				return
			}
			if r.Code != 0 {
				t.Fatal(r)
			}
			if got := pgtest.Rows(t, s.DSN("dw"), fmt.Sprintf("SELECT id FROM %s.t", schema)); len(got) != 1 {
				t.Errorf("rows: %v", got)
			}
		})
	}
}
