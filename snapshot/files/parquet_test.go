package files_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/autocdc/autocdc/snapshot/files"
)

type sample struct {
	ID    int64     `parquet:"id"`
	Name  *string   `parquet:"name,optional"`
	Price int64     `parquet:"price,decimal(2:18)"`
	Big   uint64    `parquet:"big"`
	Small int8      `parquet:"small"`
	At    time.Time `parquet:"at,timestamp(microsecond)"`
	Day   int32     `parquet:"day,date"`
	Ratio float64   `parquet:"ratio"`
	Raw   []byte    `parquet:"raw"`
	OK    bool      `parquet:"ok"`
	Code  [16]byte  `parquet:"code,uuid"`
}

func TestParquet(t *testing.T) {
	t.Parallel()
	name := "x\tä"
	path := filepath.Join(t.TempDir(), "f.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[sample](f)
	var rows []sample
	for i := range 600 { // more than are read at a time
		rows = append(rows, sample{
			ID: int64(i), Price: -5, Big: math.MaxUint64, Small: -8, At: time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC),
			Day: -1, Ratio: math.Copysign(0, -1), Raw: []byte{0, 255}, OK: true, Code: [16]byte{15: 1},
		})
	}
	rows[1].Name, rows[1].Price, rows[1].Ratio = &name, 1234, math.Inf(-1)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := read(t, path, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 601 {
		t.Errorf("%d rows", len(got)-1)
	}
	compare(t, got[:3],
		"id bigint, name text, price numeric(18,2), big numeric(20,0), small smallint, at timestamp with time zone, day date, ratio double precision, raw bytea, ok boolean, code uuid",
		`0|∅|-0.05|18446744073709551615|-8|2026-01-02 03:04:05.000006+00|1969-12-31|-0|\x00ff|true|00000000-0000-0000-0000-000000000001`,
		"1|x\tä"+`|12.34|18446744073709551615|-8|2026-01-02 03:04:05.000006+00|1969-12-31|-Infinity|\x00ff|true|00000000-0000-0000-0000-000000000001`)
}

func TestParquet_Faults(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"f.parquet": "PAR1 no"})
	if _, err := read(t, dir, files.Options{}); err == nil || !strings.Contains(err.Error(), "it is no Parquet file") {
		t.Errorf("got %v", err)
	}
	type nested struct{ List []int }
	path := filepath.Join(dir, "g.parquet")
	if err := parquet.WriteFile(path, []nested{{List: []int{1}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := read(t, path, files.Options{}); err == nil || !strings.Contains(err.Error(), `column "List" is nested`) {
		t.Errorf("got %v", err)
	}
}
