package files_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/snapshot/files"
)

func options(t testing.TB, pairs ...string) files.Options {
	t.Helper()
	var list []flowsql.Option
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, flowsql.Option{Name: flowsql.Ident{Name: pairs[i]}, Value: pairs[i+1]})
	}
	o, errs := files.Parse(list)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return o
}

// write makes files and returns their directory.
func write(t testing.TB, contents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range contents {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// read gives the columns and rows of files as lines, or the error.
func read(t testing.TB, location string, opts files.Options) ([]string, error) {
	t.Helper()
	list, err := files.List(t.Context(), location)
	if err != nil {
		return nil, err
	}
	rows, err := files.Open(t.Context(), list, opts)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var head []string
	for _, c := range rows.Columns() {
		head = append(head, c.Name+" "+c.Type)
	}
	lines := []string{strings.Join(head, ", ")}
	for rows.Next(context.Background()) {
		var values []string
		for _, v := range rows.Values() {
			if v == nil {
				values = append(values, "∅")
			} else {
				values = append(values, string(v))
			}
		}
		lines = append(lines, strings.Join(values, "|"))
	}
	return lines, rows.Err()
}

func compare(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		options []string
		want    []string
	}{
		"nulls and quotes": {"id,a\n1,\n2,\"\"\n3,\"x,\"\"y\"\"\"\n", nil, []string{"id text, a text", "1|∅", "2|", `3|x,"y"`}},
		"lines in a value": {"id,a\r\n1,\"x\r\ny\"\r\n2,z", nil, []string{"id text, a text", "1|x\r\ny", "2|z"}},
		"delimiter":        {"id;a\n1;x,y\n", []string{"sep", ";"}, []string{"id text, a text", "1|x,y"}},
		"escape":           {`id,a` + "\n" + `1,"x\"y\\"` + "\n", []string{"escape", `\`}, []string{"id text, a text", `1|x"y\`}},
		"null string":      {"id,a\n1,NULL\n2,\"NULL\"\n3,\n", []string{"nullValue", "NULL"}, nil},
		"byte order mark":  {"\ufeffid,a\n1,ä\n", nil, []string{"id text, a text", "1|ä"}},
		"latin1":           {"id,a\n1,\xe4\n", []string{"encoding", "latin1"}, []string{"id text, a text", "1|ä"}},
		"schema":           {"id,a\n1,x\n", []string{"schema", "id bigint, a varchar(3)"}, []string{"id bigint, a varchar(3)", "1|x"}},
		"no header":        {"1,x\n2,y\n", []string{"header", "false", "schema", "id int, a text"}, []string{"id int, a text", "1|x", "2|y"}},
		"empty lines":      {"id,a\n\n1,x\n\n", nil, []string{"id text, a text", "1|x"}},
		"one column":       {"a\nx\n\ny\n", nil, []string{"a text", "x", "∅", "y"}},
		"header only":      {"id,a\n", nil, []string{"id text, a text"}},
		"tab":              {"id\ta\n1\tx\n", []string{"delimiter", `\t`}, []string{"id text, a text", "1|x"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := c.options
			if name == "null string" {
				opts = []string{"nullvalue", "NULL"}
				c.want = []string{"id text, a text", "1|∅", "2|NULL", "3|"}
			}
			got, err := read(t, write(t, map[string]string{"f.csv": c.content}), options(t, opts...))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, got, c.want...)
		})
	}
}

func TestCSV_Faults(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"id,a\n1,x\n2,y,z\n":         "f.csv:3: the row has 3 values, there are 2 columns",
		"id,a\n1,x\n2\n":             "f.csv:3: the row has 1 values",
		"id,a\n\"1\n\n,x\n":          "f.csv:2: a quote that opens is not closed",
		"id,a\n\"x\ny\",1\n2,\xff\n": "f.csv:4: not valid UTF-8",
		"id,a\n1,\x00\n":             "f.csv:2: a NUL byte",
		"id,a\n1,\"x\"y\n":           `behind the quote that closes column 2 comes "y"`,
		"id,,a\n":                    "column 2 of the header has no name",
		"id,id\n":                    `the header names "id" twice`,
		"":                           "the file is empty",
	} {
		_, err := read(t, write(t, map[string]string{"f.csv": content}), files.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", content, err, want)
		}
	}
}

func TestOpen_SeveralFilesAndPackings(t *testing.T) {
	t.Parallel()
	var gz, zst bytes.Buffer
	g := gzip.NewWriter(&gz)
	fmt.Fprint(g, "a,id\ny,2\n")
	_ = g.Close()
	z, _ := zstd.NewWriter(&zst)
	fmt.Fprint(z, "id,a\n3,z\n")
	_ = z.Close()
	dir := write(t, map[string]string{"1.csv": "id,a\n1,x\n", "2.csv.gz": gz.String(), "3.csv.zst": zst.String(), ".hidden": "x", "_SUCCESS": ""})
	got, err := read(t, dir, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got, "id text, a text", "1|x", "2|y", "3|z")
	got, err = read(t, filepath.Join(dir, "[12]*"), files.Options{Metadata: true})
	if err != nil || len(got) != 3 || !strings.Contains(got[2], "2|y|"+dir+"/2.csv.gz|2.csv.gz|") {
		t.Errorf("got %q, %v", got, err)
	}
	for content, want := range map[string]string{"id,b\n": "it lacks a; it has b besides", "id\n": "it lacks a", "id,a,c\n": "it has c besides"} {
		if err := os.WriteFile(filepath.Join(dir, "4.csv"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := read(t, dir, files.Options{}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "4.csv") {
			t.Errorf("%q: got %v", content, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "4.csv.gz"), gz.Bytes()[:gz.Len()-6], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := read(t, filepath.Join(dir, "4.csv.gz"), files.Options{}); err == nil || !strings.Contains(err.Error(), "4.csv.gz") {
		t.Errorf("a file that is cut off: got %v", err)
	}
}

func TestList_Faults(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"a.csv": ""})
	for location, want := range map[string]string{
		filepath.Join(dir, "b.csv"):         "no such file or directory",
		filepath.Join(dir, "b*.csv"):        "no file matches",
		"":                                  "the location is empty",
		"ftp://host/a.csv":                  "ftp:// is not known",
		filepath.Join(dir, "none", "a.csv"): "no such file or directory",
	} {
		_, err := files.List(t.Context(), location)
		var hinted *files.HintError
		if err == nil || !strings.Contains(err.Error(), want) || location != "" && (!errors.As(err, &hinted) || hinted.Note == "") {
			t.Errorf("%s: got %v", location, err)
		}
	}
	if list, err := files.List(t.Context(), t.TempDir()); err != nil || len(list) != 0 {
		t.Errorf("an empty directory: got %v, %v", list, err)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"f.jsonl": `{"id": 1, "a": "x\u00e4", "n": {"k": [1, 2]}, "b": true}

{"b": null, "id": 12345678901234567890.10, "d": 1}
`})
	got, err := read(t, dir, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got, "id numeric, a text, n jsonb, b boolean, d numeric", `1|xä|{"k": [1, 2]}|true|∅`, "12345678901234567890.10|∅|∅|∅|1")
	for content, want := range map[string]string{
		"[1]\n": "f.json:1: no JSON object", "{\"a\": 1}\n{\"a\": \n": "f.json:2: no JSON object", "{\"a\": 1, \"a\": 2}": `"a" is there twice`, "": "no rows to tell its columns by",
	} {
		if _, err := read(t, write(t, map[string]string{"f.json": content}), files.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", content, err)
		}
	}
	if _, err := read(t, dir, options(t, "schema", "id numeric")); err == nil || !strings.Contains(err.Error(), `the row has "a"`) {
		t.Errorf("got %v", err)
	}
}

func TestParse_Faults(t *testing.T) {
	t.Parallel()
	_, errs := files.Parse([]flowsql.Option{
		{Name: flowsql.Ident{Name: "hedaer"}, Value: "true"}, {Name: flowsql.Ident{Name: "sep"}, Value: "ab"},
		{Name: flowsql.Ident{Name: "format"}, Value: "xml"}, {Name: flowsql.Ident{Name: "encoding"}, Value: "klingon"},
		{Name: flowsql.Ident{Name: "header"}, Value: "maybe"}, {Name: flowsql.Ident{Name: "schema"}, Value: "id"},
	})
	for i, want := range []string{`unknown option "hedaer"`, "one ASCII character", "csv, json, parquet", "klingon", "neither true nor false", "option schema"} {
		if i >= len(errs) || !strings.Contains(errs[i].Msg, want) {
			t.Fatalf("fault %d: got %v, want %s", i, errs, want)
		}
	}
	if errs[0].Hint != "did you mean header?" {
		t.Errorf("hint: %s", errs[0].Hint)
	}
}
