package mysql_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/snapshot"
	"github.com/autocdc/autocdc/snapshot/mysql"
	"github.com/autocdc/autocdc/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func open(t *testing.T, dsn string) *mysql.Conn {
	t.Helper()
	conn, err := mysql.Open(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return conn
}

func query(t *testing.T, conn *mysql.Conn, sql string) snapshot.Rows {
	t.Helper()
	rows, err := conn.Query(context.Background(), sql)
	if err != nil {
		t.Fatalf("%v\nin: %s", err, sql)
	}
	return rows
}

// all reads a query to its end, nulls as pgtest.Null.
func all(t *testing.T, conn *mysql.Conn, sql string) [][]string {
	t.Helper()
	rows := query(t, conn, sql)
	var got [][]string
	for rows.Next(context.Background()) {
		var row []string
		for _, v := range rows.Values() {
			text := string(v)
			if v == nil {
				text = pgtest.Null
			}
			row = append(row, text)
		}
		got = append(got, row)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		t.Fatalf("%v\nin: %s", err, sql)
	}
	return got
}

// one is the only value of a query.
func one(t *testing.T, conn *mysql.Conn, sql string) string {
	t.Helper()
	got := all(t, conn, sql)
	if len(got) != 1 || len(got[0]) != 1 {
		t.Fatalf("%s: got %v, want one value", sql, got)
	}
	return got[0][0]
}

// failure is how reading a query ends.
func failure(t *testing.T, conn *mysql.Conn, sql string) error {
	t.Helper()
	rows, err := conn.Query(context.Background(), sql)
	if err != nil {
		return err
	}
	for rows.Next(context.Background()) {
	}
	return errors.Join(rows.Err(), rows.Close())
}

// mustSay wants an error with each of the texts in it or in its hint.
func mustSay(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", texts)
		return
	}
	said := err.Error()
	var hinted *mysql.HintError
	if errors.As(err, &hinted) {
		said += "\nhint: " + hinted.Hint
	}
	for _, text := range texts {
		if !strings.Contains(said, text) {
			t.Errorf("got %q, want %q in it", said, text)
		}
	}
}
