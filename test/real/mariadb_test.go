package real

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/test/mariadb"
	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload/service"
)

// chinookFlows keep tables of Chinook as they are and as they were.
func chinookFlows() string {
	var sql strings.Builder
	for table, key := range map[string]string{
		"Artist": `"ArtistId"`, "Album": `"AlbumId"`, "Track": `"TrackId"`, "Customer": `"CustomerId"`,
		"Invoice": `"InvoiceId"`, "InvoiceLine": `"InvoiceLineId"`, "PlaylistTrack": `"PlaylistId", "TrackId"`,
	} {
		for scd, schema := range map[int]string{1: "now", 2: "ever"} {
			fmt.Fprintf(&sql, "CREATE STREAMING TABLE %s.%s;\nCREATE FLOW %[1]s_%[2]s AS AUTO CDC INTO %[1]s.%[2]s FROM SNAPSHOT (SELECT * FROM %s) KEYS (%s) STORED AS SCD TYPE %d;\n",
				schema, strings.ToLower(table), table, key, scd)
		}
	}
	return sql.String()
}

func TestChinook_InMariaDBBecomesHistory(t *testing.T) {
	t.Parallel()
	source, ok := mariadb.Chinook(t)
	if !ok {
		return
	}
	target := pgtest.TargetDatabase(t)
	s := service.New(t, service.Config{Pipeline: "maria", Sources: map[string]string{"shop": source}, Target: target}, chinookFlows())
	s.Triggered()
	counts := rowsOf(t, target, "SELECT (SELECT count(*) FROM now.track), (SELECT count(*) FROM ever.track), (SELECT count(*) FROM ever.playlisttrack)")
	if want := []string{"3503 3503 8715"}; !slices.Equal(counts, want) {
		t.Errorf("got %v, want %v", counts, want)
	}
	sums := rowsOf(t, target, `SELECT sum("Total"), min("InvoiceDate"), pg_typeof(min("Total")) FROM now.invoice`)
	if got, want := sums[0], mariadb.Value(t, source, "SELECT sum(Total) FROM Invoice")+" 2021-01-01 00:00:00 numeric"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	mariadb.Exec(t, source, "UPDATE Track SET UnitPrice = 1.99 WHERE GenreId = 2", "DELETE FROM PlaylistTrack WHERE PlaylistId = 5",
		"INSERT INTO Artist VALUES (900, 'Größe')", "UPDATE Album SET Title = Title")
	changed := mariadb.Value(t, source, "SELECT count(*) FROM Track WHERE GenreId = 2")
	gone := mariadb.Value(t, source, "SELECT 8715 - count(*) FROM PlaylistTrack")
	s.Triggered()
	s.Triggered() // nothing has changed since
	got := rowsOf(t, target, `SELECT
		(SELECT count(*) FROM ever.track WHERE __end_at IS NOT NULL AND "UnitPrice" = 0.99),
		(SELECT count(*) FROM ever.track WHERE __start_at > (SELECT min(__start_at) FROM ever.track) AND "UnitPrice" = 1.99),
		(SELECT count(*) FROM ever.playlisttrack WHERE __end_at IS NOT NULL),
		(SELECT string_agg("Name", ',') FROM ever.artist WHERE __start_at > (SELECT min(__start_at) FROM ever.artist)),
		(SELECT count(*) FROM ever.album WHERE __end_at IS NOT NULL OR __start_at > (SELECT min(__start_at) FROM ever.album))`)
	if want := fmt.Sprintf("%s %s %s Größe 0", changed, changed, gone); got[0] != want {
		t.Errorf("got %s, want %s", got[0], want)
	}
	same := rowsOf(t, target, `SELECT count(*) FROM (SELECT "TrackId", "Name", "UnitPrice" FROM now.track EXCEPT SELECT "TrackId", "Name", "UnitPrice" FROM ever.track WHERE __end_at IS NULL) AS d`)
	if same[0] != "0" {
		t.Errorf("%s current rows differ from the open versions", same[0])
	}
}

// rowsOf reads rows, the values of each with spaces between.
func rowsOf(t *testing.T, dsn, query string) []string {
	t.Helper()
	var lines []string
	for _, row := range pgtest.Rows(t, dsn, query) {
		lines = append(lines, strings.Join(row, " "))
	}
	return lines
}
