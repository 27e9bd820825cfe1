package mysql_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/snapshot"
	"github.com/autocdc/autocdc/test/mariadb"
)

func TestQuery_ReadsChinook(t *testing.T) {
	t.Parallel()
	dsn, ok := mariadb.Chinook(t)
	if !ok {
		return
	}
	conn := open(t, dsn)
	for table, want := range map[string]int{
		"Album": 347, "Artist": 275, "Customer": 59, "Employee": 8, "Genre": 25, "Invoice": 412,
		"InvoiceLine": 2240, "MediaType": 5, "Playlist": 18, "PlaylistTrack": 8715, "Track": 3503,
	} {
		if got := len(all(t, conn, fmt.Sprintf(`SELECT * FROM "%s"`, table))); got != want {
			t.Errorf("%s: %d rows, want %d", table, got, want)
		}
	}
	got := all(t, conn, `SELECT "CustomerId", "FirstName", "City", "Company" FROM "Customer" WHERE "CustomerId" < 3 ORDER BY 1`)
	want := [][]string{{"1", "Luís", "São José dos Campos", "Embraer - Empresa Brasileira de Aeronáutica S.A."}, {"2", "Leonie", "Stuttgart", `\N`}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := one(t, conn, `SELECT SUM("Total") FROM "Invoice"`); got != "2328.60" {
		t.Errorf("the invoices' sum is %s, want 2328.60", got)
	}
	if got := one(t, conn, `SELECT "InvoiceDate" FROM "Invoice" WHERE "InvoiceId" = 1`); !strings.HasSuffix(got, "-01-01 00:00:00") {
		t.Errorf("the first invoice is of %s, want a New Year", got)
	}
}

func TestTable_HasColumnsAndKeyInItsOrder(t *testing.T) {
	t.Parallel()
	dsn := mariadb.Database(t)
	mariadb.Exec(t, dsn,
		"CREATE TABLE `Größe \"k'1` (a int, `se\"lect` char(3), b bigint unsigned NOT NULL, c bit(3), PRIMARY KEY (c, a))",
		"CREATE TABLE bare (a int UNIQUE)",
		"CREATE VIEW seen AS SELECT a, 'x' AS x FROM bare")
	conn := open(t, dsn)
	got, err := conn.Table(context.Background(), "", `Größe "k'1`)
	if err != nil {
		t.Fatal(err)
	}
	want := []snapshot.Column{{Name: "a", Type: "integer"}, {Name: `se"lect`, Type: "text"}, {Name: "b", Type: "numeric(20,0)"}, {Name: "c", Type: "bit(3)"}}
	if !reflect.DeepEqual(got.Columns, want) || !reflect.DeepEqual(got.Key, []string{"c", "a"}) {
		t.Errorf("got %+v, want %+v with the key c, a", got, want)
	}
	database := one(t, conn, "SELECT DATABASE()")
	for _, name := range []string{"bare", "seen"} {
		if got, err := conn.Table(context.Background(), database, name); err != nil || len(got.Key) != 0 {
			t.Errorf("%s: got %+v, %v, want no key", name, got, err)
		}
	}
	_, err = conn.Table(context.Background(), database, "absent")
	mustSay(t, err, "absent", "check database and table")
}

func TestDescribe_GivesWhatQueryGives(t *testing.T) {
	t.Parallel()
	dsn := mariadb.Database(t)
	mariadb.Exec(t, dsn, "CREATE TABLE t (a int unsigned, d decimal(7,3) unsigned, u uuid, v varchar(5))",
		"INSERT INTO t SELECT seq, seq / 10, uuid(), 'x' FROM (SELECT 1 AS seq UNION SELECT 2 UNION SELECT 3) s")
	conn := open(t, dsn)
	for _, sql := range []string{
		"SELECT * FROM t",
		"SELECT a, v FROM t ORDER BY a LIMIT 2",
		"SELECT a, d FROM t UNION ALL SELECT a, d FROM t",
		"(SELECT a FROM t) UNION (SELECT 7) ORDER BY 1",
		"WITH w AS (SELECT * FROM t) SELECT u, count(*) AS n, avg(d) AS m, max(a) AS a FROM w GROUP BY u",
		"SELECT NULL AS n, 1.5 AS d, 'a' || 'b' AS s, x'00' AS b, now(6) AS t, true AS y",
		"SELECT a + 1 AS p, - a AS n, a * 1e0 AS f, a / 3 AS q, CASE WHEN a > 1 THEN d END AS c FROM t;",
	} {
		got, err := conn.Describe(context.Background(), sql)
		if err != nil {
			t.Errorf("%v\nin: %s", err, sql)
			continue
		}
		before := len(all(t, conn, sql)) // nothing of Describe's limit is left
		rows := query(t, conn, sql)
		if !reflect.DeepEqual(got, rows.Columns()) || before == 0 {
			t.Errorf("%s: described as %v, query has %v and %d rows", sql, got, rows.Columns(), before)
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestOpen_SeesOneMomentAndWritesNothing(t *testing.T) {
	t.Parallel()
	dsn := mariadb.Database(t)
	mariadb.Exec(t, dsn, "CREATE TABLE a (n int); CREATE TABLE b (n int); INSERT INTO a VALUES (1)")
	conn := open(t, dsn)
	before, err := conn.Now(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if age := time.Since(before); age < 0 || age > time.Minute || before.Location() != time.UTC {
		t.Errorf("the snapshot's clock says %s, %s ago", before, age)
	}
	mariadb.Exec(t, dsn, "UPDATE a SET n = 2; INSERT INTO b VALUES (1)")
	if got := one(t, conn, "SELECT n FROM a"); got != "1" {
		t.Errorf("got %s, want what was there when the snapshot was taken", got)
	}
	if got := one(t, conn, "SELECT count(*) FROM b"); got != "0" {
		t.Errorf("got %s rows, want none", got)
	}
	mustSay(t, failure(t, conn, "DELETE FROM a"), "1792", "write a SELECT")
	mustSay(t, failure(t, conn, "CREATE TABLE c (n int)"), "1792")
	mustSay(t, failure(t, conn, "COMMIT"), "no query")
	mustSay(t, failure(t, conn, "SELECT 1"), "ended before") // there is no snapshot any more
	if got := mariadb.Value(t, dsn, "SELECT group_concat(n) FROM a"); got != "2" {
		t.Errorf("the source now has %s, want 2", got)
	}
}

func TestQuery_SettingsOfTheServerChangeNothing(t *testing.T) {
	t.Parallel()
	dsn := mariadb.Database(t)
	mariadb.Exec(t, dsn, "CREATE TABLE t (n int, c char(5), s timestamp NULL)",
		"SET time_zone = '+00:00'; INSERT INTO t VALUES (1, 'a', '2024-07-01 12:00:00'), (2, 'b', NULL), (3, 'c', NULL)",
		"SET SESSION group_concat_max_len = 4")
	conn := open(t, dsn)
	for sql, want := range map[string]string{
		"SELECT count(*) FROM t WHERE c = 'a'": "1",
		`SELECT "c" || '\' FROM t WHERE n = 1`: `a\`,
		"SELECT s FROM t WHERE n = 1":          "2024-07-01 12:00:00+00",
		"SELECT length(group_concat(repeat('x', 1000000) SEPARATOR '')) FROM (SELECT n FROM t UNION SELECT 4) q": "4000000",
		"SELECT NULLIF(CAST('0000-00-00' AS date), '0000-00-00')":                                                `\N`,
	} {
		if got := one(t, conn, sql); got != want {
			t.Errorf("%s: got %.100q, want %q", sql, got, want)
		}
	}
}
