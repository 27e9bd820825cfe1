package mysql_test

import (
	"context"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/snapshot/mysql"
	"github.com/autocdc/autocdc/test/mariadb"
)

// with changes a part of a URL.
func with(t *testing.T, dsn string, change func(u *url.URL)) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	change(u)
	return u.String()
}

func TestQuery_RefusesWhatPostgresCannotHold(t *testing.T) {
	t.Parallel()
	dsn := mariadb.Database(t)
	mariadb.Exec(t, dsn, "SET sql_mode = 'ALLOW_INVALID_DATES'",
		`SET sql_mode = 'ALLOW_INVALID_DATES';
		 CREATE TABLE d (id int, d date, dt datetime(6), ts timestamp NULL);
		 INSERT INTO d VALUES (1, '2024-01-01', NULL, NULL), (2, '0000-00-00', NULL, NULL), (3, '2024-00-15', NULL, NULL),
			(4, '2023-02-29', NULL, NULL), (5, '0000-05-06', NULL, NULL), (6, NULL, '0000-00-00', NULL), (7, NULL, '2024-01-00 10:00:00', NULL),
			(8, NULL, NULL, '0000-00-00 00:00:00')`,
		"CREATE TABLE s (id int, s varchar(10)); INSERT INTO s VALUES (1, 'a'), (2, CONCAT('b', CHAR(0)))")
	conn := open(t, dsn)
	for id, want := range map[string]string{
		"2": "0000-00-00", "3": "2024-00-15", "4": "2023-02-29", "5": "0000-05-06", "6": "0000-00-00 00:00:00.000000", "7": "2024-01-00", "8": "0000-00-00 00:00:00",
	} {
		err := failure(t, conn, "SELECT * FROM d WHERE id IN (1, "+id+") ORDER BY id")
		mustSay(t, err, "row 2 of the query", "there is no date "+want, "NULLIF(column, '0000-00-00')", `: column "`)
	}
	if got := all(t, conn, "SELECT NULLIF(d, '0000-00-00') AS d, CAST(d AS CHAR) AS c FROM d WHERE id = 2"); got[0][0] != `\N` || got[0][1] != "0000-00-00" {
		t.Errorf("what the hint says gives %q", got)
	}
	mustSay(t, failure(t, conn, "SELECT * FROM s ORDER BY id"), `row 2 of the query: column "s"`, "NUL", "CAST(column AS BINARY)")
	if got := one(t, conn, "SELECT CAST(s AS BINARY) FROM s WHERE id = 2"); got != `\x6200` {
		t.Errorf("what the hint says gives %q", got)
	}
	if got := one(t, conn, "SELECT REPLACE(s, CHAR(0), '') FROM s WHERE id = 2"); got != "b" {
		t.Errorf("what the hint says gives %q", got)
	}
}

func TestQuery_SaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	dsn := mariadb.Database(t)
	mariadb.Exec(t, dsn, "CREATE TABLE t (a int)",
		"CREATE PROCEDURE p() SELECT 1 AS one")
	conn := open(t, dsn)
	for sql, want := range map[string][]string{
		"SELECT":                            {"1064"},
		"SELECT * FROM absent":              {"1146", "check database and table"},
		`SELECT "x" FROM t`:                 {"1054", "'x' a string"},
		"SELECT a, a FROM t":                {`two columns named "a"`, "AS"},
		"SELECT a FROM t WHERE a = ?":       {"question mark"},
		"SELECT 1; SELECT 2":                {"1064"},
		"CALL p()":                          {"more than the rows of one query"},
		"SELECT 1 FROM t WHERE a = '":       {"1064"},
		"SELECT a FROM no_such_base.t":      {"1146", "no_such_base"},
		"SELECT no_such_function(a) FROM t": {"no_such_function"},
	} {
		mustSay(t, failure(t, conn, sql), want...)
		if got := one(t, conn, "SELECT 1"); got != "1" {
			t.Fatalf("after %s the connection gives %q", sql, got)
		}
	}
	rows := query(t, conn, "SELECT 1")
	_, err := conn.Query(context.Background(), "SELECT 2")
	mustSay(t, err, "still open")
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
}

func TestOpen_SaysWhatIsWrongAndNoPassword(t *testing.T) {
	t.Parallel()
	dsn := mariadb.Database(t)
	mariadb.Exec(t, dsn, "CREATE TABLE t (a int)", "CREATE USER IF NOT EXISTS poor@'%' IDENTIFIED BY 'secret%&'")
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := free.Addr().String()
	free.Close()
	for name, c := range map[string]struct {
		dsn  string
		want []string
	}{
		"password":    {with(t, dsn, func(u *url.URL) { u.User = url.UserPassword("test", "secret%&") }), []string{"1045", "check user and password"}},
		"user":        {with(t, dsn, func(u *url.URL) { u.User = url.UserPassword("nobody", "secret%&") }), []string{"1045"}},
		"privilege":   {with(t, dsn, func(u *url.URL) { u.User = url.UserPassword("poor", "secret%&") }), []string{"1044", "GRANT SELECT"}},
		"database":    {with(t, dsn, func(u *url.URL) { u.Path = "/absent" }), []string{"1049", "check the database"}},
		"port":        {with(t, dsn, func(u *url.URL) { u.Host = closed }), []string{"refused", "check host and port"}},
		"host":        {with(t, dsn, func(u *url.URL) { u.Host = "no-such-host.invalid" }), []string{"no-such-host.invalid", "check the host"}},
		"socket":      {"mysql://test:secret@/x?socket=/no/such", []string{"/no/such", "check host and port"}},
		"certificate": {dsn + "?tls=true", []string{"certificate", "tls-ca=FILE"}},
		"no url":      {"test:secret@tcp(localhost:3306)/x", []string{"not a MySQL URL", "mysql://user:password@host"}},
		"postgres":    {"postgres://test:secret@localhost/x", []string{"not a MySQL URL"}},
		"unescaped":   {"mysql://test:secret%&@localhost/x", []string{"not a MySQL URL", "%40 for @"}},
		"slash":       {"mysql://test:secret/x@localhost/x", []string{"not a MySQL URL"}},
		"path":        {"mysql://test:secret@localhost/x/y", []string{"more than a database"}},
		"option":      {dsn + "?charset=latin1", []string{`unknown option "charset"`, "tls, tls-ca and socket"}},
		"tls mode":    {dsn + "?tls=maybe", []string{`unknown tls mode "maybe"`}},
		"ca":          {dsn + "?tls-ca=/no/such", []string{"/no/such"}},
		"ca unused":   {dsn + "?tls=false&tls-ca=/no/such", []string{"verifies nothing"}},
	} {
		conn, err := mysql.Open(context.Background(), c.dsn)
		if err == nil {
			_ = conn.Close()
		}
		mustSay(t, err, c.want...)
		if err != nil && (strings.Contains(err.Error(), "secret") || !strings.HasPrefix(err.Error(), "open snapshot: ")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOpen_NeedsSelectOnly(t *testing.T) {
	t.Parallel()
	dsn := mariadb.Database(t)
	mariadb.Exec(t, dsn, "CREATE TABLE t (a int PRIMARY KEY); CREATE TABLE hidden (a int); INSERT INTO t VALUES (1), (2), (3)",
		"CREATE USER reader@'%' IDENTIFIED BY 'r'; GRANT SELECT ON t TO reader@'%'")
	t.Cleanup(func() { mariadb.Exec(t, dsn, "DROP USER reader@'%'") })
	conn := open(t, with(t, dsn, func(u *url.URL) { u.User = url.UserPassword("reader", "r") }))
	rows := query(t, conn, "SELECT * FROM t")
	if err := rows.Close(); err != nil { // kills, which needs no privilege for one's own
		t.Error(err)
	}
	table, err := conn.Table(context.Background(), "", "t")
	if err != nil || len(table.Key) != 1 {
		t.Errorf("got %+v, %v, want the key a", table, err)
	}
	mustSay(t, failure(t, conn, "SELECT * FROM hidden"), "1142", "GRANT SELECT on the table")
}

func TestOpen_SpeaksTLS(t *testing.T) {
	t.Parallel()
	dsn := mariadb.Database(t)
	ca := url.QueryEscape(mariadb.Certificate(t))
	for options, encrypted := range map[string]bool{
		"": true, "?tls=false": false, "?tls=preferred": true, "?tls=skip-verify": true, "?tls-ca=" + ca: true, "?tls=true&tls-ca=" + ca: true,
	} {
		conn := open(t, dsn+options)
		got := one(t, conn, "SELECT VARIABLE_VALUE <> '' FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Ssl_cipher'") == "1"
		if got != encrypted {
			t.Errorf("%q: encrypted %v, want %v", options, got, encrypted)
		}
	}
}
