package autocdc_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/test/pgtest"
)

const clicks = `
CREATE TYPE device AS ENUM ('phone', 'desk');
CREATE TABLE click (id int, tags text[], device device, at timestamptz DEFAULT now());
INSERT INTO click VALUES (1, '{a,b}', 'phone'), (2, '{}', 'desk'), (-1, '{x}', NULL);`

const clickFlows = `
CREATE STREAMING TABLE dw.click COMMENT 'all clicks';
CREATE FLOW click AS INSERT INTO dw.click BY NAME SELECT id, device, __op AS op FROM STREAM shop.public.click WHERE id > 0;
CREATE STREAMING TABLE dw.tag (tag varchar(10), note text, id bigint);
CREATE FLOW tag AS INSERT INTO dw.tag BY NAME
SELECT c.id, t AS tag -- one row a tag
FROM STREAM(click) AS c, unnest(c.tags) AS t;`

const (
	clickRows = "SELECT id::text, device, op FROM dw.click ORDER BY id, op"
	tagRows   = "SELECT id::text, tag, note FROM dw.tag ORDER BY id, tag"
)

func TestRun_AppendsWhatAQueryGives(t *testing.T) {
	t.Parallel()
	s := newShop(t, clicks, clickFlows)
	s.triggered()
	s.eventually(clickRows, "1|phone|snapshot", "2|desk|snapshot")
	s.eventually(tagRows, "-1|x|∅", "1|a|∅", "1|b|∅")
	s.eventually("SELECT obj_description('dw.click'::regclass), attname FROM pg_attribute WHERE attrelid = 'dw.click'::regclass AND attnum > 0 ORDER BY attnum",
		"all clicks|id", "all clicks|device", "all clicks|op")
	stop := s.start(autocdc.RunOptions{})
	pgtest.Exec(t, s.source, "INSERT INTO click VALUES (1, '{a}', 'desk'), (-2, NULL, 'desk')", "DELETE FROM click WHERE id = 2", "TRUNCATE click",
		"ALTER TABLE click ADD COLUMN late text", "INSERT INTO click VALUES (3, '{b,b}', NULL)")
	s.eventually(clickRows, "1|desk|insert", "1|phone|snapshot", "2|desk|snapshot", "3|∅|insert")
	s.eventually(tagRows, "-1|x|∅", "1|a|∅", "1|a|∅", "1|b|∅", "3|b|∅", "3|b|∅")
	stop()
	s.triggered()
	s.eventually(clickRows, "1|desk|insert", "1|phone|snapshot", "2|desk|snapshot", "3|∅|insert")
	s.eventually("SELECT flow, status FROM autocdc.flow ORDER BY 1", "click|streaming", "tag|streaming")
	status, err := s.Status(context.Background())
	if err != nil || len(status.Sources) != 1 || len(status.Sources[0].Flows) != 2 {
		t.Errorf("got %+v %v", status, err)
	}
}

func TestRefresh_RebuildsAppends(t *testing.T) {
	t.Parallel()
	s := newShop(t, clicks, clickFlows)
	s.triggered()
	pgtest.Exec(t, s.target, "DELETE FROM dw.click", "INSERT INTO dw.tag VALUES ('wrong')")
	pgtest.Exec(t, s.source, "DELETE FROM click WHERE id = 1", "INSERT INTO click VALUES (4, '{z}', 'desk')")
	s.refresh("dw.click", "dw.tag")
	s.eventually(clickRows, "2|desk|snapshot", "4|desk|snapshot")
	s.eventually(tagRows, "-1|x|∅", "4|z|∅")
	pgtest.Exec(t, s.source, "INSERT INTO click VALUES (5, '{}', NULL)")
	s.triggered()
	s.eventually(clickRows, "2|desk|snapshot", "4|desk|snapshot", "5|∅|insert")
	s.redeclare(strings.Replace(clickFlows, "SELECT id, device", "SELECT ARRAY[id] AS id, device", 1))
	s.refused("integer[]", "autocdc refresh dw.click --full")
	s.refresh("dw.click")
	s.eventually("SELECT id::text FROM dw.click AS c ORDER BY c.id", "{2}", "{4}", "{5}")
	// what was kept by key becomes rows
	s.redeclare("CREATE STREAMING TABLE dw.click; CREATE FLOW click AS AUTO CDC INTO dw.click FROM STREAM(click) KEYS (id) SEQUENCE BY at COLUMNS (id, device);")
	s.refused("STORED AS", "autocdc refresh dw.click --full")
	s.refresh("dw.click")
	s.eventually("SELECT id::text FROM dw.click ORDER BY id", "-1", "2", "4", "5")
	s.redeclare(clickFlows)
	s.refused("STORED AS", "autocdc refresh dw.click --full")
	s.refresh("dw.click")
	s.eventually(clickRows, "2|desk|snapshot", "4|desk|snapshot", "5|∅|snapshot")
}

const archive = `
CREATE STREAMING TABLE dw.all_clicks;
CREATE FLOW old AS INSERT INTO ONCE dw.all_clicks BY NAME SELECT id, count(*) AS n FROM click GROUP BY id;
CREATE FLOW older AS INSERT INTO ONCE dw.all_clicks BY NAME SELECT 100 AS id, current_setting('TimeZone') AS zone;`

func TestRun_InsertsTheRowsOfAQueryOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t, clicks, archive)
	const query = "SELECT id::text, n::text, (zone IS NOT NULL)::text FROM dw.all_clicks AS c ORDER BY c.id"
	all := []string{"-1|1|false", "1|1|false", "2|1|false", "100|∅|true"}
	s.triggered()
	s.eventually(query, all...)
	pgtest.Exec(t, s.source, "DELETE FROM click WHERE id < 2", "INSERT INTO click VALUES (2)")
	s.triggered()
	s.eventually(query, all...)
	s.eventually("SELECT flow, status FROM autocdc.flow ORDER BY 1", "old|done", "older|done")
	// a flow is known by its name
	s.redeclare(strings.Replace(archive, "CREATE FLOW older", "CREATE FLOW oldest", 1))
	s.triggered()
	s.eventually(query, append(all, "100|∅|true")...)
}

func TestRun_InsertsTheRowsOfFilesOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte("id,kind\n1,x\n2,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newShop(t, clicks, fmt.Sprintf(`CREATE STREAMING TABLE dw.f (id bigint, kind text, file text);
CREATE FLOW f AS INSERT INTO ONCE dw.f BY NAME SELECT CAST(id AS bigint) AS id, kind, _metadata.file_name AS file FROM read_files('%s', format => 'csv', header => true);
CREATE FLOW g AS INSERT INTO dw.f BY NAME SELECT id, device AS kind FROM STREAM(click) WHERE id > 1;`, dir))
	for range 2 {
		s.triggered()
		s.eventually("SELECT id::text, kind, file FROM dw.f ORDER BY file, kind", "1|x|a.csv", "2|∅|a.csv", "2|desk|∅")
	}
}

func TestRefresh_RunsQueriesThatInsertOnceAgain(t *testing.T) {
	t.Parallel()
	flows := strings.Replace(archive, "SELECT 100 AS id, current_setting('TimeZone') AS zone", "SELECT id + 100 AS id FROM click", 1)
	s := newShop(t, clicks, flows+"CREATE FLOW live AS INSERT INTO dw.all_clicks BY NAME SELECT id * 1000 AS id FROM STREAM(click);")
	const query = "SELECT id::text FROM dw.all_clicks AS c ORDER BY c.id"
	s.triggered()
	s.eventually(query, "-1000", "-1", "1", "2", "99", "101", "102", "1000", "2000")
	pgtest.Exec(t, s.source, "DELETE FROM click WHERE id < 2")
	s.refresh("dw.all_clicks")
	s.eventually(query, "2", "102", "2000")
	s.redeclare(flows)
	s.triggered()
	pgtest.Exec(t, s.source, "INSERT INTO click VALUES (3)")
	s.refresh("dw.all_clicks")
	s.eventually(query, "2", "3", "102", "103")
	s.triggered()
	s.eventually(query, "2", "3", "102", "103")
}

func TestRun_AppendsAFeedOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t, clicks, strings.ReplaceAll(clickFlows, "INSERT INTO", "INSERT INTO ONCE"))
	for range 2 {
		s.triggered()
		s.eventually(clickRows, "1|phone|snapshot", "2|desk|snapshot")
		pgtest.Exec(t, s.source, "INSERT INTO click VALUES (3)")
	}
	s.eventually("SELECT flow, status FROM autocdc.flow ORDER BY 1", "click|done", "tag|done")
	if rows := pgtest.Rows(t, s.source, "SELECT slot_name FROM pg_replication_slots WHERE database = current_database()"); len(rows) > 0 {
		t.Errorf("a slot is left: %v", rows)
	}
}

func TestRun_StopsAnAppendAndGoesOn(t *testing.T) {
	t.Parallel()
	s := newShop(t, "CREATE TABLE feed (id int); INSERT INTO feed VALUES (1)", `
CREATE STREAMING TABLE dw.f;
CREATE FLOW f AS INSERT INTO dw.f BY NAME SELECT id FROM STREAM(feed);
CREATE FLOW g AS INSERT INTO dw.f BY NAME SELECT id, 10 / id AS q FROM STREAM(feed) WHERE id <> 1;`)
	s.triggered()
	pgtest.Exec(t, s.source, "INSERT INTO feed VALUES (2)", "INSERT INTO feed VALUES (0)", "INSERT INTO feed VALUES (5)")
	err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true})
	var stopped *autocdc.StoppedError
	if !errors.As(err, &stopped) || len(stopped.Flows) != 1 || stopped.Flows["g"] == nil {
		t.Fatalf("want flow g stopped, got %v", err)
	}
	s.eventually("SELECT id::text, q::text FROM dw.f ORDER BY id, q", "0|∅", "1|∅", "2|5", "2|∅", "5|∅")
	s.redeclare(`CREATE STREAMING TABLE dw.f;
CREATE FLOW f AS INSERT INTO dw.f BY NAME SELECT id FROM STREAM(feed);
CREATE FLOW g AS INSERT INTO dw.f BY NAME SELECT id, 10 / nullif(id, 0) AS q FROM STREAM(feed) WHERE id <> 1;`)
	s.triggered()
	s.eventually("SELECT id::text, q::text FROM dw.f ORDER BY id, q", "0|∅", "0|∅", "1|∅", "2|5", "2|∅", "5|2", "5|∅")
}

// A table that the user made keeps its defaults and what it has more; one with rows
// of which nothing is known is refused.
func TestRun_AppendsToATableOfTheUsers(t *testing.T) {
	t.Parallel()
	s := newShop(t, clicks, "CREATE STREAMING TABLE dw.click; CREATE FLOW click AS INSERT INTO dw.click BY NAME SELECT id FROM STREAM(click) WHERE id > 0;")
	pgtest.Exec(t, s.target, "CREATE TABLE dw.click (n bigint GENERATED ALWAYS AS IDENTITY, seen text DEFAULT 'now', id int); INSERT INTO dw.click (id) VALUES (7)")
	s.refused("has rows, but nothing is known", "empty the table")
	pgtest.Exec(t, s.target, "TRUNCATE dw.click RESTART IDENTITY")
	s.triggered()
	s.eventually("SELECT n::text, seen, id::text FROM dw.click ORDER BY n", "1|now|1", "2|now|2")
}

// Appended rows cannot tell that they have come before: a batch that is applied
// twice shows.
func TestRun_AppendsWhileWritersWrite(t *testing.T) {
	t.Parallel()
	s := newShop(t, "CREATE TABLE feed (id int GENERATED ALWAYS AS IDENTITY, pad text)", `
CREATE STREAMING TABLE dw.f;
CREATE FLOW f AS INSERT INTO dw.f BY NAME SELECT id, length(pad) AS n FROM STREAM(feed);`)
	for i := range 6 {
		stop := s.start(autocdc.RunOptions{})
		for range 20 {
			pgtest.Exec(t, s.source, fmt.Sprintf("INSERT INTO feed (pad) SELECT repeat('x', %d) FROM generate_series(1, 50)", i))
		}
		stop()
	}
	s.triggered()
	s.eventually("SELECT count(*)::text, count(DISTINCT id)::text, sum(n)::text FROM dw.f", "6000|6000|15000")
}

func TestSQL_OfAppends(t *testing.T) {
	t.Parallel()
	s := newShop(t, clicks, clickFlows+archive)
	plan, err := s.Check(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range plan.Flows {
		ddl, statements, err := autocdc.SQL(f)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&all, strings.Join(append(ddl, statements...), ";\n"))
	}
	for _, want := range []string{`CREATE TABLE "dw"."tag" (`, `INSERT INTO "dw"."click" ("id", "device", "op")`, `"__op" FROM "pg_temp"."raw_0_0") AS "click" WHERE id > 0`, `FROM "autocdc"."snapshot_0" AS s`} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no %s in\n%s", want, all.String())
		}
	}
}
