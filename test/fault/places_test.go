package fault_test

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/autocdc/autocdc/test/fault"
	"github.com/autocdc/autocdc/test/mariadb"
	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload/service"
)

const placeRows = 20_000

// The connection to a MySQL server breaks in the middle of its rows.
func TestRun_TakesAMySQLSnapshotWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	source := mariadb.Database(t)
	toSource, dsn := fault.NewProxy(t, source)
	mariadb.Exec(t, source, "CREATE TABLE big (id int PRIMARY KEY, v int, pad text)",
		fmt.Sprintf("INSERT INTO big SELECT seq, 0, repeat('x', 200) FROM seq_1_to_%d", placeRows))
	target := pgtest.TargetDatabase(t)
	s := service.New(t, service.Config{Pipeline: "mysql", Sources: map[string]string{"shop": dsn}, Target: target}, wholeFlow("SELECT id, v, pad FROM big"))
	wholeOrNot(t, s, target, toSource, func(int) { mariadb.Exec(t, source, "UPDATE big SET v = v + 1") })
}

// The connection to an object store breaks in the middle of a file.
func TestRun_TakesAFileOfAStoreWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	backend := s3mem.New()
	if err := backend.CreateBucket("drop"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	toSource, endpoint := fault.NewProxy(t, server.URL)
	put := func(round int) {
		var csv strings.Builder
		csv.WriteString("id,v,pad\n")
		for id := range placeRows {
			fmt.Fprintf(&csv, "%d,%d,%s\n", id, round, strings.Repeat("x", 200))
		}
		if _, err := backend.PutObject("drop", "big.csv", nil, strings.NewReader(csv.String()), int64(csv.Len()), nil); err != nil {
			t.Fatal(err)
		}
	}
	put(0)
	url := "s3://drop/big.csv?region=eu-central-1&use_path_style=true&response_checksum_validation=when_required&endpoint=" + endpoint
	target := pgtest.TargetDatabase(t)
	s := service.New(t, service.Config{
		Pipeline: "store", Target: target,
		Env: []string{"AWS_ACCESS_KEY_ID=k", "AWS_SECRET_ACCESS_KEY=s", "AWS_EC2_METADATA_DISABLED=true"},
	}, wholeFlow("SELECT id::int, v::int, pad FROM read_files('"+url+"', format => 'csv', header => true)"))
	wholeOrNot(t, s, target, toSource, put)
}

func wholeFlow(query string) string {
	return "CREATE STREAMING TABLE big;\nCREATE FLOW big AS AUTO CDC INTO big FROM SNAPSHOT (" + query + ") KEYS (id) STORED AS SCD TYPE 2 WITH (every = '10ms');"
}

// wholeOrNot changes all rows again and again, breaks the connection to the source
// when some have come, and holds that each change comes whole.
func wholeOrNot(t *testing.T, s *service.Service, target string, toSource *fault.Proxy, change func(round int)) {
	t.Helper()
	s.Triggered()
	toSource.Delay(time.Millisecond)
	p := s.Start()
	for round := 1; round <= rounds(2, 15); round++ {
		change(round)
		eventually(t, p, func() error {
			return some(target, "SELECT 1 FROM pg_stat_progress_copy WHERE datname = current_database() AND tuples_processed > 5000")
		})
		toSource.Cut()
		eventually(t, p, func() error {
			return some(target, fmt.Sprintf("SELECT 1 FROM big WHERE __end_at IS NULL HAVING count(*) = %d AND min(v) = %d AND max(v) = %[2]d", placeRows, round))
		})
	}
	p.Interrupt()
	if mixed := pgtest.Rows(t, target, fmt.Sprintf("SELECT __start_at, count(*) FROM big GROUP BY 1 HAVING count(*) <> %d", placeRows)); len(mixed) > 0 {
		t.Errorf("versions that hold a part of the table: %v", mixed)
	}
	if !strings.Contains(p.Log(), "try again") && !strings.Contains(p.Log(), "flow stopped") {
		t.Errorf("no connection was cut:\n%s", p.Log())
	}
}

// some demands that a query finds a row.
func some(dsn, sql string) error {
	rows, err := tryRows(dsn, sql)
	if err == nil && rows == 0 {
		err = errors.New("nothing yet: " + sql)
	}
	return err
}

func eventually(t *testing.T, p *service.Process, check func() error) {
	t.Helper()
	pgtest.Eventually(t, time.Minute, func() error {
		if p.Ended() {
			t.Fatalf("the service has ended: %v", p.Wait())
		}
		return check()
	})
}
