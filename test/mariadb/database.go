package mariadb

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"
)

// shared is the server of this test process; package state, since the tests of a
// package have nothing else in common.
var shared = sync.OnceValues(func() (*server, error) { return start(context.Background(), os.Stderr) })

// databases numbers the databases of this process.
var databases atomic.Int64

func sharedServer(t testing.TB) *server {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatalf("this test needs a MariaDB server and never skips: %v", err)
	}
	return s
}

// Database makes a database of the test's own and returns its URL, for an account
// that may do everything. It is dropped at the end of the test.
func Database(t testing.TB) string {
	t.Helper()
	s := sharedServer(t)
	name := databaseName(t.Name(), databases.Add(1))
	admin := s.dsn("")
	Exec(t, admin, "CREATE DATABASE "+name)
	t.Cleanup(func() { Exec(t, admin, "DROP DATABASE "+name) })
	return s.dsn(name)
}

// Certificate is the file with the authority that vouches for the server.
func Certificate(t testing.TB) string {
	t.Helper()
	return sharedServer(t).certificate()
}

// databaseName is readable in the process list and needs no quoting.
func databaseName(test string, n int64) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(test))
	return fmt.Sprintf("t%d_%.40s", n, name)
}

func (s *server) dsn(database string) string {
	u := url.URL{Scheme: "mysql", User: url.UserPassword("test", "test"), Host: s.address(), Path: "/" + database}
	return u.String()
}

// Exec runs statements one after the other on a connection of their own; each
// string may hold several.
func Exec(t testing.TB, dsn string, statements ...string) {
	t.Helper()
	db := open(t, dsn)
	defer db.Close()
	for _, s := range statements {
		if _, err := db.ExecContext(context.Background(), s); err != nil {
			t.Fatalf("%v\nin: %.2000s", err, s)
		}
	}
}

// Value runs a query of one value and returns it as text, "NULL" for null.
func Value(t testing.TB, dsn, query string) string {
	t.Helper()
	db := open(t, dsn)
	defer db.Close()
	var value sql.NullString
	if err := db.QueryRowContext(context.Background(), query).Scan(&value); err != nil {
		t.Fatalf("%v\nin: %.2000s", err, query)
	}
	if !value.Valid {
		return "NULL"
	}
	return value.String
}

// open gives a pool of one connection, so that session settings stay.
func open(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	cfg := mysql.NewConfig()
	cfg.Net, cfg.Addr, cfg.DBName = "tcp", u.Host, strings.TrimPrefix(u.Path, "/")
	cfg.User = u.User.Username()
	cfg.Passwd, _ = u.User.Password()
	cfg.MultiStatements = true
	if err := cfg.Apply(mysql.Charset("utf8mb4", "")); err != nil {
		t.Fatal(err)
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	return db
}
