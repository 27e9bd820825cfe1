package files_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/snapshot/files"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// fault is what somebody does wrong: files, where they are looked for, and how they
// are read.
type fault struct {
	what     string
	files    []string // names and contents
	location string   // within their directory, or a URL
	settings []string
}

func faults(t testing.TB) []fault {
	packed := gzipped(t, strings.Repeat("id,a\n1,x\n", 1000))
	zst := zstded(t, "id,a\n"+strings.Repeat("1,x\n", 1000))
	return []fault{
		{"no location", nil, "", nil},
		{"missing file", nil, "none.csv", nil},
		{"missing directory", nil, "none/a.csv", nil},
		{"nothing matches", []string{"a.csv", ""}, "b*.csv", nil},
		{"malformed pattern", nil, "[a", nil},
		{"unknown scheme", nil, "s4://bucket/a.csv", nil},
		{"another scheme", nil, "ftp://host/a.csv", nil},
		{"no bucket", nil, "s3:///a.csv", nil},
		{"other host", nil, "file://elsewhere/a.csv", nil},
		{"unknown extension", []string{"a.cvs", "x"}, "a.cvs", nil},
		{"packed Parquet", []string{"a.parquet.gz", packed}, ".", nil},
		{"empty file", []string{"a.csv", ""}, ".", nil},
		{"empty file without header", []string{"a.csv", ""}, ".", []string{"header=false"}},
		{"nameless column", []string{"a.csv", "id,,a\n"}, ".", nil},
		{"name twice", []string{"a.csv", "id,a,id\n"}, ".", nil},
		{"names that differ in case", []string{"a.csv", "Id,ID\n"}, ".", []string{"schema=id int"}},
		{"too many fields", []string{"a.csv", "id,a\n1,x\n2,y,z\n"}, ".", nil},
		{"too few fields", []string{"a.csv", "id,a\n1,\"x\n\"\n2\n"}, ".", nil},
		{"open quote", []string{"a.csv", "id,a\n1,x\n2,\"y\n\n3,z\n"}, ".", nil},
		{"open quote behind lines", []string{"a.csv", "id,a\n\"1\n\",\"y\n"}, ".", nil},
		{"text after quote", []string{"a.csv", "id,a\n1,\"x\"y\n"}, ".", nil},
		{"old Mac", []string{"a.csv", "id,a\r1,x\r"}, ".", nil},
		{"not UTF-8", []string{"a.csv", "id,a\n1,ä\n2,\xe4\n"}, ".", nil},
		{"cut within a character", []string{"a.csv", "id,a\n1,\xc3"}, ".", nil},
		{"UTF-16", []string{"a.csv", "\xff\xfei\x00d\x00"}, ".", nil},
		{"not windows-1252", []string{"a.csv", "id,a\n1,\x81\n"}, ".", []string{"encoding=windows-1252"}},
		{"NUL", []string{"a.csv", "id,a\n1,\x00\n"}, ".", nil},
		{"cut gzip", []string{"a.csv.gz", packed[:len(packed)-9]}, ".", nil},
		{"broken gzip", []string{"a.csv.gz", packed[:len(packed)-8] + "12345678"}, ".", nil},
		{"not gzip", []string{"a.csv.gz", "id,a\n1,x\n"}, ".", nil},
		{"cut zstd", []string{"a.csv.zst", zst[:len(zst)-5]}, ".", nil},
		{"not zstd", []string{"a.csv.zst", "id,a\n1,x\n"}, ".", nil},
		{"column missing", []string{"a.csv", "id,a\n1,x\n", "b.csv", "id\n"}, ".", nil},
		{"column too many", []string{"a.csv", "id,a\n1,x\n", "b.csv", "id,a,b\n"}, ".", nil},
		{"column renamed", []string{"a.csv", "id,a\n1,x\n", "b.csv", "id,A\n"}, ".", nil},
		{"not in schema", []string{"a.csv", "id,a\n1,x\n"}, ".", []string{"schema=id int, b text"}},
		{"JSON cut", []string{"a.json", "{\"a\": 1}\n{\"a\": \n"}, ".", nil},
		{"JSON array", []string{"a.json", "[{\"a\": 1}]"}, ".", nil},
		{"JSON over lines", []string{"a.json", "{\n\"a\": 1\n}"}, ".", nil},
		{"JSON key twice", []string{"a.json", `{"a": 1, "a": 2}`}, ".", nil},
		{"JSON key twice by case", []string{"a.json", `{"A": 1, "a": 2}`}, ".", []string{"schema=a int"}},
		{"JSON unknown key", []string{"a.json", `{"a": 1}` + "\n\n" + `{"b": 1}`}, ".", []string{"schema=a int"}},
		{"JSON NUL", []string{"a.json", `{"a": "x\u0000"}`}, ".", nil},
		{"JSON surrogate", []string{"a.json", `{"a": ["x\ud800"]}`}, ".", nil},
		{"JSON of another kind", []string{"a.json", `{"a": 1}`, "b.json", `{"a": "x"}`}, ".", nil},
		{"JSON empty", []string{"a.json", "\n"}, ".", nil},
		{"no Parquet", []string{"a.parquet", "PAR1 no"}, ".", nil},
		{"no Parquet either", []string{"a.parquet", "id,a\n1,this is CSV\n"}, ".", nil},
		{"option for CSV", []string{"a.json", "{}"}, ".", []string{"sep=;"}},
	}
}

func TestFaults_SayWhatHelps(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, f := range faults(t) {
		dir := write(t, f.files...)
		location := f.location
		if location != "" && !strings.Contains(location, "://") {
			location = filepath.Join(dir, location)
		}
		_, err := read(t, location, options(t, f.settings...))
		fmt.Fprintf(&b, "-- %s\n%s\n", f.what, strings.ReplaceAll(shown(err), dir, "dir"))
	}
	for _, settings := range [][]string{
		{"hedaer=true"},
		{"colour=red"},
		{"header=maybe"},
		{"sep=ab"},
		{"sep=;", "delimiter=,"},
		{"sep=\""},
		{"escape=,"},
		{"format=parket"},
		{"encoding=latn1"},
		{"compression=rar"},
		{"schema=id"},
		{"schema=id bigint, id text"},
		{"schema=id int;"},
		{"schema=id numeric(10"},
		{"schema=id int,"},
	} {
		_, errs := files.Parse(settingsOf(settings))
		fmt.Fprintf(&b, "-- %s\n", strings.Join(settings, " "))
		for _, err := range errs {
			fmt.Fprintf(&b, "%s\n  hint: %s\n", err.Msg, err.Hint)
		}
	}
	compareGolden(t, "testdata/faults.golden", b.String())
}

func shown(err error) string {
	if err == nil {
		return "NO ERROR"
	}
	text := err.Error()
	if h := files.HintOf(err); h != "" {
		text += "\n  hint: " + h
	}
	return text
}

func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("differs from %s; got\n%s", path, got)
	}
}
