package autocdc_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/test/pgtest"
)

// drop is a directory that files are dropped into.
type drop struct {
	*shop
	dir string
	at  time.Time
}

// newDrop is a pipeline over files; %s in its flows is their directory.
func newDrop(t *testing.T, flows string) *drop {
	t.Helper()
	d := &drop{dir: t.TempDir(), at: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	d.shop = newShop(t, "SELECT 1", strings.ReplaceAll(flows, "%s", d.dir))
	return d
}

// put writes a file, each a minute younger than the one before.
func (d *drop) put(name, content string) {
	d.t.Helper()
	path := filepath.Join(d.dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		d.t.Fatal(err)
	}
	d.at = d.at.Add(time.Minute)
	if err := os.Chtimes(path, d.at, d.at); err != nil {
		d.t.Fatal(err)
	}
}

// fails runs and wants an error that says all of it.
func (d *drop) fails(says ...string) {
	d.t.Helper()
	err := d.Run(context.Background(), autocdc.RunOptions{Triggered: true})
	if err == nil {
		d.t.Errorf("no error, want %q", says)
		return
	}
	text := err.Error()
	var hinted *autocdc.HintError
	if errors.As(err, &hinted) {
		text += "\nhint: " + hinted.Hint
	}
	for _, s := range says {
		if !strings.Contains(text, s) {
			d.t.Errorf("want %q in\n%s", s, text)
		}
	}
}

// byTime takes files in the order of their times, with a composite version.
const byTime = `
CREATE STREAMING TABLE dw.city;
CREATE FLOW city AS AUTO CDC INTO dw.city
FROM SNAPSHOT (SELECT * FROM read_files('%s') WHERE _metadata.file_path = (SELECT version.path FROM current_snapshot_version()))
WITH VERSION (
  SELECT ROW(modification_time, path) AS version FROM list_files('%s')
  WHERE NOT EXISTS (SELECT 1 FROM last_snapshot_version())
     OR CAST(ROW(modification_time, path) AS record) > (SELECT version FROM last_snapshot_version())
  ORDER BY modification_time, path LIMIT 1)
KEYS (userid) STORED AS SCD TYPE 2;`

func TestRun_TakesFilesByTheirTimes(t *testing.T) {
	t.Parallel()
	d := newDrop(t, byTime)
	d.put("snapshot_1.csv", "userid,city\n1,Oaxaca\n2,Monterrey\n3,Tijuana\n")
	d.put("snapshot_2.csv", "userid,city\n2,Carmel\n3,Los Angeles\n4,Death Valley\n6,Kings Canyon\n")
	d.triggered()
	const rows = `SELECT userid, city, substring((__start_at).path FROM '\d\.csv'), coalesce(substring((__end_at).path FROM '\d\.csv'), '') FROM dw.city ORDER BY 1, 3`
	d.eventually(rows, "1|Oaxaca|1.csv|2.csv", "2|Monterrey|1.csv|2.csv", "2|Carmel|2.csv|", "3|Tijuana|1.csv|2.csv", "3|Los Angeles|2.csv|", "4|Death Valley|2.csv|", "6|Kings Canyon|2.csv|")
	d.put("a_last.csv", "userid,city\n2,Carmel\n3,Los Angeles\n4,Death Valley\n")
	d.triggered()
	d.triggered()
	d.eventually("SELECT userid FROM dw.city WHERE __end_at IS NULL ORDER BY 1", "2", "3", "4")
	d.eventually("SELECT pg_typeof(__start_at)::text, (__start_at).modification_time::text FROM dw.city WHERE userid = '4'", "dw.city__sequence|2026-01-01 00:02:00+00")
}

// newest takes what the newest file says, with types.
const newest = `
CREATE STREAMING TABLE dw.price (id bigint, price numeric(10,2), note text);
CREATE FLOW price AS AUTO CDC INTO dw.price
FROM SNAPSHOT (SELECT id, price, note FROM read_files('%s', schema => 'id bigint, price numeric(10,2), note text')
  WHERE _metadata.file_name = (SELECT version FROM current_snapshot_version()))
WITH VERSION (SELECT max(name) AS version FROM list_files('%s') WHERE name > coalesce((SELECT version FROM last_snapshot_version()), ''))
KEYS (id);`

func TestRun_SaysWhatIsWrongWithAFile(t *testing.T) {
	t.Parallel()
	d := newDrop(t, newest)
	d.put("a.csv", "id,price,note\n1,1.50,x\n2,2.50,\"two\nlines\"\n")
	d.triggered()
	const rows = "SELECT id::text, price::text, note FROM dw.price ORDER BY 1"
	good := []string{"1|1.50|x", "2|2.50|two\nlines"}
	d.eventually(rows, good...)
	for content, says := range map[string][]string{
		"id,price,note\n1,1.50,x\n2,2.50,\"two\nlines\"\n3,cheap,y\n": {"b.csv:5", "column price", `"cheap"`, "schema => "},
		"id,price,note\n1,1.50\n":                                     {"b.csv:2", "2 fields, where the header has 3"},
		"id,price,note\n1,1.50,\xff\n":                                {"b.csv:2", "not valid UTF-8", "encoding => "},
		"id,price,note\n1,1.50,x\n1,1.50,y\n":                         {"several rows have one key", "(1) (2 rows)"},
		"id,price,note\n,1.50,x\n":                                    {"key is null"},
		"id,cost,note\n1,1.50,x\n":                                    {"price"},
		"id,price,note\n":                                             {"it is empty, the target has 2 current keys"},
	} {
		d.put("b.csv", content)
		d.fails(says...)
		d.eventually(rows, good...)
	}
	d.put("b.csv", "id,price,note\n1,1.75,x\n3,3.50,z\n")
	d.triggered()
	d.eventually(rows, "1|1.75|x", "3|3.50|z")
}

func TestRun_SaysThatADirectoryIsNotThere(t *testing.T) {
	t.Parallel()
	d := newDrop(t, strings.ReplaceAll(newest, "'%s'", "'%s/none'"))
	d.fails("flows.sql:", "file does not exist")
}

func TestRun_SelectsFromFiles(t *testing.T) {
	t.Parallel()
	d := newDrop(t, `
CREATE STREAMING TABLE dw.sum;
CREATE FLOW sum AS AUTO CDC INTO dw.sum
FROM SNAPSHOT (WITH f AS (SELECT CAST(id AS int) AS id, CAST(v AS int) AS v, _metadata.file_name AS name FROM read_files('%s/*.csv') WHERE _metadata.file_name < 'x' AND CAST(v AS int) > 0)
  SELECT id, sum(v) AS total, string_agg(name, ',' ORDER BY name) AS names FROM f GROUP BY id)
KEYS (id) WITH (every = '1m');`)
	d.put("a.csv", "id,v\n1,10\n2,20\n3,0\n")
	d.put("b.csv", "id,v\n1,1\n")
	d.put("x.csv", "other,columns\n1,1\n")
	d.put("c.csv", "id,v\n2,2\n")
	d.triggered()
	d.eventually("SELECT id::text, total::text, names FROM dw.sum ORDER BY 1", "1|11|a.csv,b.csv", "2|22|a.csv,c.csv")
}

// TestRun_SnapshotsWithLittleMoreThanSelect reads as a role that may do nothing else.
func TestRun_SnapshotsWithLittleMoreThanSelect(t *testing.T) {
	t.Parallel()
	s := newShop(t, customers+versions, versionFlows)
	role := "reader_" + s.Name
	pgtest.Exec(t, s.source, fmt.Sprintf("CREATE ROLE %s LOGIN; ALTER ROLE %[1]s SET default_transaction_read_only = on; GRANT SELECT ON release TO %[1]s", role))
	t.Cleanup(func() { pgtest.Exec(t, s.source, "DROP OWNED BY "+role, "DROP ROLE "+role) })
	s.Sources[0].DSN = strings.Replace(s.Sources[0].DSN, "postgres@", role+"@", 1)
	if !strings.Contains(s.Sources[0].DSN, role) {
		s.Sources[0].DSN += "&user=" + role
	}
	s.triggered()
	s.eventually(releaseRows, "1|2|30", "2|3|30", "3|0|30")
}

func TestRun_RefusesAnotherTypeOfVersion(t *testing.T) {
	t.Parallel()
	s := newShop(t, versions, versionFlows)
	s.triggered()
	s.redeclare(strings.ReplaceAll(versionFlows, "min(v) AS v FROM release WHERE v > coalesce((SELECT v FROM last_snapshot_version()), 0)", "max(v::text) AS v FROM release"))
	s.refused("type of the version", "autocdc refresh dw.r --full")
}

// sparkFiles is the documents' way to take numbered files, in their dialect.
const sparkFiles = `
SET dialect = 'spark';
CREATE OR REFRESH STREAMING TABLE main.dw.users;
CREATE FLOW users AS AUTO CDC INTO main.dw.users
FROM SNAPSHOT (
  SELECT * FROM read_files("%s", format => "csv", header => true)
  WHERE _metadata.file_name = concat("snapshot_", CAST((SELECT version FROM current_snapshot_version()) AS STRING), ".csv"))
WITH VERSION (
  SELECT min(CAST(regexp_extract(name, "snapshot_(\\d+)\\.csv", 1) AS INT)) AS version
  FROM list_files("%s")
  WHERE CAST(regexp_extract(name, "snapshot_(\\d+)\\.csv", 1) AS INT) > coalesce((SELECT version FROM last_snapshot_version()), 0))
KEYS (userId)
STORED AS SCD TYPE 2;`

func TestRun_TakesNumberedFilesInTheSparkDialect(t *testing.T) {
	t.Parallel()
	d := newDrop(t, sparkFiles)
	d.put("snapshot_2.csv", "userId,city\n2,Carmel\n3,Los Angeles\n4,Death Valley\n6,Kings Canyon\n")
	d.put("snapshot_1.csv", "userId,city\n1,Oaxaca\n2,Monterrey\n3,Tijuana\n")
	d.triggered()
	d.eventually("SELECT userid, city, __start_at::text, coalesce(__end_at::text, '') FROM dw.users ORDER BY 1, 3",
		"1|Oaxaca|1|2", "2|Monterrey|1|2", "2|Carmel|2|", "3|Tijuana|1|2", "3|Los Angeles|2|", "4|Death Valley|2|", "6|Kings Canyon|2|")
}
