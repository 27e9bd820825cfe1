package files_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/autocdc/autocdc/snapshot/files"
)

func TestCSV(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("äöü\n\"\"", 200_000) // longer than the window
	for name, c := range map[string]struct {
		content  string
		settings string
		want     []string
	}{
		"nulls and quotes":       {"id,a\n1,\n2,\"\"\n3,\"x,\"\"y\"\"\"\n", "", []string{"id text, a text", "1|∅", "2|", `3|x,"y"`}},
		"lines in a value":       {"id,a\r\n1,\"x\r\ny\"\r\n2,z", "", []string{"id text, a text", "1|x\r\ny", "2|z"}},
		"quote within a value":   {"id,a\n1,5\" pipe\n", "", []string{"id text, a text", `1|5" pipe`}},
		"delimiter":              {"id;a\n1;x,y\n", "sep=;", []string{"id text, a text", "1|x,y"}},
		"tab":                    {"id\ta\n1\tx\n", `DELIMITER=\t`, []string{"id text, a text", "1|x"}},
		"escape":                 {"id,a\n1,\"x\\\"y\\\\ \\n\"\n", `escape=\`, []string{"id text, a text", `1|x"y\ \n`}},
		"other quote":            {"id,a\n1,'x''y'\n", "quote='", []string{"id text, a text", "1|x'y"}},
		"no quote":               {"id,a\n1,\"x\n", "quote=", []string{"id text, a text", `1|"x`}},
		"null string":            {"id,a\n1,NULL\n2,\"NULL\"\n3,\n", "nullvalue=NULL", []string{"id text, a text", "1|∅", "2|NULL", "3|"}},
		"byte order mark":        {"\ufeffid,a\n1,ä\n", "", []string{"id text, a text", "1|ä"}},
		"latin1":                 {"id,a\n1,\xe4\n", "encoding=latin1", []string{"id text, a text", "1|ä"}},
		"windows-1252":           {"id,a\n1,\x80\n", "charset=CP1252", []string{"id text, a text", "1|€"}},
		"utf-16":                 {"\xff\xfei\x00d\x00\n\x00\xe4\x00\n\x00", "encoding=UTF-16", []string{"id text", "ä"}},
		"schema":                 {"Id,a\n1,x\n", "schema=a varchar(3), ID bigint", []string{"a varchar(3), id bigint", "x|1"}},
		"schema with quotes":     {"Id,id\n1,2\n", `schema="Id" numeric(10,2), "id" int`, []string{"Id numeric(10,2), id int", "1|2"}},
		"schema, types of Spark": {"a,b\n1,2\n", "schema=a STRING, b double", []string{"a text, b double precision", "1|2"}},
		"no header":              {"1,\"x\"\"\"\n2,y\n", "header=false", []string{"_c0 text, _c1 text", `1|x"`, "2|y"}},
		"no header but a schema": {"1,x\n2,y\n", "header=false schema=id int, a text", []string{"id int, a text", "1|x", "2|y"}},
		"empty lines":            {"id,a\n\n1,x\n\n", "", []string{"id text, a text", "1|x"}},
		"one column":             {"a\nx\n\ny\n", "", []string{"a text", "x", "∅", "y"}},
		"header only":            {"id,a\n", "", []string{"id text, a text"}},
		"header without an end":  {"id,a", "", []string{"id text, a text"}},
		"last return":            {"id,a\r\n1,x\r", "", []string{"id text, a text", "1|x"}},
		"long":                   {"id,a\n1,\"" + long + "\"\n2,x\n", "", []string{"id text, a text", "1|" + strings.ReplaceAll(long, `""`, `"`), "2|x"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var settings []string
			if before, schema, ok := strings.Cut(c.settings, "schema="); ok {
				settings = append(strings.Fields(before), "schema="+schema)
			} else if c.settings != "" {
				settings = []string{c.settings}
			}
			got, err := read(t, write(t, "f.csv", c.content), options(t, settings...))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, got, c.want...)
		})
	}
}

func TestCSV_FoldsNames(t *testing.T) {
	t.Parallel()
	got, err := read(t, write(t, "1.csv", "Id,aB\n1,x\n", "2.csv", "AB,ID\ny,2\n"), files.Options{FoldNames: true})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, got, "id text, ab text", "1|x", "2|y")
}

// TestCSV_MIMEDatabase holds the reader to encoding/csv on files from elsewhere.
func TestCSV_MIMEDatabase(t *testing.T) {
	t.Parallel()
	dir := "../../../shared/data/mime-db"
	if _, err := os.Stat(dir); err != nil {
		t.Logf("NOT TESTED: %s is not there (%v); put it there to run this test", dir, err)
		if os.Getenv("AUTOCDC_DATA_REQUIRED") != "" {
			t.Errorf("AUTOCDC_DATA_REQUIRED is set, but %s is not there", dir)
		}
		return
	}
	list, err := files.List(context.Background(), dir)
	if err != nil || len(list) != 45 {
		t.Fatalf("%d files, %v", len(list), err)
	}
	for _, f := range list {
		got, err := readFiles(t, []files.File{f}, options(t, "null=never"))
		if err != nil {
			t.Fatal(err)
		}
		in, err := os.Open(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := csv.NewReader(in).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		_ = in.Close()
		if len(got) != len(want) {
			t.Fatalf("%s: %d lines, want %d", f.Name, len(got), len(want))
		}
		for i, row := range want[1:] {
			if got[i+1] != strings.Join(row, "|") {
				t.Fatalf("%s: got %s, want %s", f.Name, got[i+1], row)
			}
		}
	}
}

// FuzzCSV reads what encoding/csv accepts as that does, whatever the size of the
// window, and panics at nothing.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "a,b\n\"x\"\"y\n\",\n", "a,b\r\n\"\",\r\n", "a;b\n", "\ufeffa,b\nx,y", "a,b\n1\n", "a\n\"", "\"a\"x,b\n", "a,b\n\"\"\"\",\"\r\n\"\n", "a,b\n\n1,2"} {
		f.Add(seed, 1)
		f.Add(seed, 7)
	}
	f.Fuzz(func(t *testing.T, content string, window int) {
		got, err := files.ScanCSV(strings.NewReader(content), 4+abs(window)%64)
		want, refused := csv.NewReader(strings.NewReader(strings.TrimPrefix(content, "\ufeff"))).ReadAll()
		plain := utf8.ValidString(content) && !strings.ContainsAny(content, "\r\x00") && !strings.HasPrefix(content, "\ufeff\ufeff")
		if refused != nil || err != nil || !plain {
			if err != nil && refused == nil && plain {
				t.Fatalf("%q: refused: %v", content, err)
			}
			return
		}
		if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
			t.Fatalf("%q: got %q, want %q", content, got, want)
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return max(-n, 0)
	}
	return n
}

// BenchmarkCSV reads 2 million rows of 110 bytes.
func BenchmarkCSV(b *testing.B) {
	const n = 2_000_000
	path := filepath.Join(b.TempDir(), "f.csv")
	out, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := out.WriteString("id,name,mail,city,street,amount,created_at,note\n"); err != nil {
		b.Fatal(err)
	}
	var text []byte
	for i := range n {
		text = fmt.Appendf(text[:0], "%07d,name of person,person@example.com,Amsterdam,\"Long street, 17\",12345.67,2024-02-29 12:34:56,note %08d\n", i, i)
		if _, err := out.Write(text); err != nil {
			b.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text) * n))
	for b.Loop() {
		list, err := files.List(context.Background(), path)
		if err != nil {
			b.Fatal(err)
		}
		rows, err := files.Open(context.Background(), list, files.Options{})
		if err != nil {
			b.Fatal(err)
		}
		count := 0
		for rows.Next(context.Background()) {
			count++
		}
		if err := rows.Err(); err != nil || count != n {
			b.Fatalf("%d rows, %v", count, err)
		}
		_ = rows.Close()
	}
}
