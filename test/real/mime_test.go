package real

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload/service"
)

// The releases of the MIME database, numbered without a gap.
const firstRelease, lastRelease = 10, 54

const mimeRow = "ROW(type, source, charset, compressible, extensions)::text"

// mimeFlows take the releases of a directory in the order of their numbers.
func mimeFlows(dir string) string {
	var sql strings.Builder
	for scd, table := range map[int]string{1: "now", 2: "ever"} {
		fmt.Fprintf(&sql, `
CREATE STREAMING TABLE mime.%[2]s;
CREATE FLOW %[2]s AS AUTO CDC INTO mime.%[2]s
FROM SNAPSHOT (SELECT * FROM read_files('%[3]s', format => 'csv', header => true)
  WHERE _metadata.file_name = 'snapshot_' || (SELECT version FROM current_snapshot_version()) || '.csv')
WITH VERSION (SELECT min(CAST(substring(name FROM '\d+') AS int)) AS version FROM list_files('%[3]s')
  WHERE CAST(substring(name FROM '\d+') AS int) > coalesce((SELECT version FROM last_snapshot_version()), 0))
KEYS (type) STORED AS SCD TYPE %[1]d;
`, scd, table, dir)
	}
	return sql.String()
}

// mimeDirectory is where the releases are; ok is false, and the test has said so,
// where they are absent.
func mimeDirectory(t *testing.T) (dir string, ok bool) {
	t.Helper()
	_, ok = data(t, "mime-db/snapshot_10.csv")
	return filepath.Join(service.Root(t), "../shared/data/mime-db"), ok
}

// checkReleases asks the history as of each release, and the present of the last.
func checkReleases(t *testing.T, source, target, dir string, last int) {
	t.Helper()
	for v := firstRelease; v <= last; v++ {
		want := release(t, source, dir, v)
		got := texts(t, target, fmt.Sprintf("SELECT %s FROM mime.ever WHERE __start_at <= %d AND (__end_at > %[2]d OR __end_at IS NULL)", mimeRow, v))
		if !slices.Equal(got, want) {
			t.Fatalf("as of release %d: %d rows, want %d", v, len(got), len(want))
		}
	}
	if got := texts(t, target, "SELECT "+mimeRow+" FROM mime.now"); !slices.Equal(got, release(t, source, dir, last)) {
		t.Errorf("after release %d the current rows are not those of its file", last)
	}
	if n := texts(t, target, "SELECT count(*) FROM mime.ever WHERE __end_at <= __start_at"); n[0] != "0" {
		t.Errorf("%s empty versions", n[0])
	}
}

// release is what Postgres's own COPY makes of a file.
func release(t *testing.T, scratch, dir string, v int) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("snapshot_%d.csv", v)))
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(string(text), "\n")
	table := fmt.Sprintf("release_%d", v)
	pgtest.Exec(t, scratch, fmt.Sprintf("DROP TABLE IF EXISTS %s; CREATE TABLE %[1]s (%s text)", table, strings.ReplaceAll(strings.TrimSpace(header), ",", " text, ")))
	conn := pgtest.Conn(t, scratch)
	if _, err := conn.PgConn().CopyFrom(t.Context(), strings.NewReader(string(text)), "COPY "+table+" FROM STDIN WITH (FORMAT csv, HEADER)"); err != nil {
		t.Fatal(err)
	}
	return texts(t, scratch, "SELECT "+mimeRow+" FROM "+table)
}

func texts(t *testing.T, dsn, query string) []string {
	t.Helper()
	lines := rowsOf(t, dsn, query)
	slices.Sort(lines)
	return lines
}

func TestMIME_AllReleasesInOneRun(t *testing.T) {
	t.Parallel()
	dir, ok := mimeDirectory(t)
	if !ok {
		return
	}
	target, scratch := pgtest.TargetDatabase(t), pgtest.Database(t)
	pgtest.Exec(t, target, "CREATE SCHEMA mime")
	s := service.New(t, service.Config{Pipeline: "mime", Target: target}, mimeFlows(dir))
	s.Triggered()
	checkReleases(t, scratch, target, dir, lastRelease)
}

func TestMIME_ReleaseByRelease(t *testing.T) {
	t.Parallel()
	dir, ok := mimeDirectory(t)
	if !ok {
		return
	}
	drop := t.TempDir()
	target, scratch := pgtest.TargetDatabase(t), pgtest.Database(t)
	pgtest.Exec(t, target, "CREATE SCHEMA mime")
	s := service.New(t, service.Config{Pipeline: "mime", Target: target}, mimeFlows(drop))
	for v := firstRelease; v <= lastRelease; v++ {
		name := fmt.Sprintf("snapshot_%d.csv", v)
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(drop, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
		s.Triggered()
		if v%15 == 0 || v == lastRelease {
			checkReleases(t, scratch, target, dir, v)
		}
	}
}
