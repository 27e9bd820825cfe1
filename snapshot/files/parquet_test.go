package files_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/autocdc/autocdc/snapshot/files"
)

func parquetFile[T any](t testing.TB, rows []T, options ...parquet.WriterOption) string {
	t.Helper()
	var b bytes.Buffer
	if err := parquet.Write(&b, rows, options...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type flat struct {
	ID    int64     `parquet:"id"`
	Name  *string   `parquet:"name,optional"`
	Price int64     `parquet:"price,decimal(2:18)"`
	Big   uint64    `parquet:"big"`
	Small int8      `parquet:"small"`
	At    time.Time `parquet:"at,timestamp(microsecond)"`
	Local int64     `parquet:"local,timestamp(millisecond:local)"`
	Day   int32     `parquet:"day,date"`
	Clock int64     `parquet:"clock,time(microsecond)"`
	Ratio float64   `parquet:"ratio"`
	Real  float32   `parquet:"real"`
	Raw   []byte    `parquet:"raw"`
	OK    bool      `parquet:"ok"`
	Code  [16]byte  `parquet:"code,uuid"`
	Doc   string    `parquet:"doc,json"`
}

func TestParquet_Scalars(t *testing.T) {
	t.Parallel()
	name := "ä\t"
	at := time.Date(2024, 2, 29, 12, 0, 0, 123456000, time.UTC)
	text := parquetFile(t, []flat{
		{ID: math.MinInt64, Price: -5, Big: math.MaxUint64, Small: -8, At: at, Local: -1, Day: -1, Clock: 86399999999, Ratio: math.Inf(-1), Real: 0.1, Raw: []byte{0, 255}, OK: true, Code: [16]byte{15: 1}, Doc: `{"b":1.10}`},
		{Name: &name, Price: 123456, At: time.Unix(0, 0), Day: -719528, Ratio: math.NaN(), Real: float32(math.Inf(1)), Doc: "1"},
	})
	got, err := read(t, write(t, "f.parquet", text), files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, got,
		"id bigint, name text, price numeric(18,2), big numeric(20,0), small smallint, at timestamp with time zone, local timestamp without time zone, day date, clock time without time zone, ratio double precision, real real, raw bytea, ok boolean, code uuid, doc json",
		`-9223372036854775808|∅|-0.05|18446744073709551615|-8|2024-02-29 12:00:00.123456+00|1969-12-31 23:59:59.999|1969-12-31|23:59:59.999999|-Infinity|0.1|\x00ff|true|00000000-0000-0000-0000-000000000001|{"b":1.10}`,
		"0|"+name+`|1234.56|0|0|1970-01-01 00:00:00+00|1970-01-01 00:00:00|0001-01-01 BC|00:00:00|NaN|Infinity|\x|false|00000000-0000-0000-0000-000000000000|1`)
}

type part struct {
	K string   `parquet:"k"`
	V *float64 `parquet:"v,optional"`
}

type nested struct {
	ID    int64            `parquet:"id"`
	List  []int32          `parquet:"list,list"`
	Bare  []string         `parquet:"bare"`
	Parts []part           `parquet:"parts,list"`
	One   *part            `parquet:"one,optional"`
	Map   map[string]int64 `parquet:"map"`
	Last  string           `parquet:"last"`
}

func TestParquet_NestedBecomesJSON(t *testing.T) {
	t.Parallel()
	v := 1.5
	text := parquetFile(t, []nested{
		{ID: 1, List: []int32{1, 2}, Bare: []string{"a\"", "b\n"}, Parts: []part{{"x", &v}, {"y", nil}}, One: &part{"z", &v}, Map: map[string]int64{"m": 1}, Last: "end"},
		{ID: 2, Last: "end"},
	})
	got, err := read(t, write(t, "f.parquet", text), files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, got, "id bigint, list jsonb, bare jsonb, parts jsonb, one jsonb, map jsonb, last text",
		`1|[1,2]|["a\"","b\u000a"]|[{"k":"x","v":1.5},{"k":"y","v":null}]|{"k":"z","v":1.5}|{"m":1}|end`,
		`2|[]|[]|[]|∅|{}|end`)
}

func TestParquet_ManyPagesAndGroups(t *testing.T) {
	t.Parallel()
	type row struct {
		ID   int64    `parquet:"id"`
		Name string   `parquet:"name,dict"`
		Tags []string `parquet:"tags,list"`
	}
	var rows []row
	for i := range 5000 {
		rows = append(rows, row{int64(i), strings.Repeat("n", i%7), make([]string, i%3)})
	}
	text := parquetFile(t, rows, parquet.PageBufferSize(512), parquet.MaxRowsPerRowGroup(1111), parquet.Compression(&parquet.Zstd))
	got, err := read(t, write(t, "f.parquet", text), files.Options{})
	if err != nil || len(got) != 5001 {
		t.Fatalf("%d lines, %v", len(got), err)
	}
	tags := []string{"[]", `[""]`, `["",""]`}
	for i, r := range rows {
		if want := strings.Join([]string{strconv.Itoa(i), r.Name, tags[i%3]}, "|"); got[i+1] != want {
			t.Fatalf("row %d: got %s, want %s", i, got[i+1], want)
		}
	}
}

type precise struct {
	At int64 `parquet:"at,timestamp(nanosecond)"`
}

func TestParquet_RoundsNothing(t *testing.T) {
	t.Parallel()
	dir := write(t, "f.parquet", parquetFile(t, []precise{{1000}, {1001}}))
	if _, err := read(t, dir, files.Options{}); err == nil || !strings.Contains(err.Error(), `f.parquet:2: column "at": it has nanoseconds`) {
		t.Errorf("got %v", err)
	}
	got, err := read(t, dir, options(t, "schema=at text"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, got, "at text", "1970-01-01 00:00:00.000001+00", "1970-01-01 00:00:00.000001001+00")
}

// TestParquet_BrokenIsAnError breaks a file in many places: it must not panic, nor
// end the rows too early without an error.
func TestParquet_BrokenIsAnError(t *testing.T) {
	t.Parallel()
	whole := parquetFile(t, []precise{{1000}, {2000}})
	path := filepath.Join(t.TempDir(), "f.parquet")
	for i := 0; i < len(whole); i += 5 {
		if err := os.WriteFile(path, []byte(whole[:i]), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := read(t, path, files.Options{}); err == nil {
			t.Fatalf("cut after %d bytes: no error", i)
		}
		broken := []byte(whole)
		broken[i] ^= 0xff
		if err := os.WriteFile(path, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _ = read(t, path, files.Options{})
	}
}
