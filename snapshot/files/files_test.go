package files_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/snapshot"
	"github.com/autocdc/autocdc/snapshot/files"
)

// options parses "name=value" settings.
func options(t testing.TB, settings ...string) files.Options {
	t.Helper()
	o, faults := files.Parse(settingsOf(settings))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return o
}

func settingsOf(settings []string) []flowsql.Option {
	var list []flowsql.Option
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		list = append(list, flowsql.Option{Name: flowsql.Ident{Name: name}, Value: value})
	}
	return list
}

// write makes files, of names and contents in turn, in a directory of their own.
func write(t testing.TB, namesAndContents ...string) string {
	t.Helper()
	dir := t.TempDir()
	for pair := range slices.Chunk(namesAndContents, 2) {
		name := filepath.Join(dir, pair[0])
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(pair[1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// read gives columns and rows as lines, and what ended them.
func read(t testing.TB, location string, opts files.Options) ([]string, error) {
	t.Helper()
	list, err := files.List(context.Background(), location)
	if err != nil {
		return nil, err
	}
	return readFiles(t, list, opts)
}

func readFiles(t testing.TB, list []files.File, opts files.Options) ([]string, error) {
	t.Helper()
	rows, err := files.Open(context.Background(), list, opts)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err := rows.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	var head []string
	for _, c := range rows.Columns() {
		head = append(head, c.Name+" "+c.Type)
	}
	lines := []string{strings.Join(head, ", ")}
	for rows.Next(context.Background()) {
		lines = append(lines, line(rows))
	}
	return lines, rows.Err()
}

func line(rows snapshot.Rows) string {
	var values []string
	for _, v := range rows.Values() {
		if v == nil {
			values = append(values, "∅")
		} else {
			values = append(values, string(v))
		}
	}
	return strings.Join(values, "|")
}

func equal(t testing.TB, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstded(t testing.TB, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

func TestOpen_ReadsFilesInTheOrderOfPaths(t *testing.T) {
	t.Parallel()
	dir := write(t, "3.csv.zst", zstded(t, "id,a\n3,z\n"), "1.csv", "id,a\n1,x\n", "2.csv.gz", gzipped(t, "a,id\ny,2\n"),
		"4.csv", gzipped(t, "id,a\n4,w\n"), ".hidden", "x", "_SUCCESS", "", "deeper/5.csv", "x")
	got, err := read(t, dir, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, got, "id text, a text", "1|x", "2|y", "3|z", "4|w")
}

func TestOpen_GivesMetadata(t *testing.T) {
	t.Parallel()
	dir := write(t, "a.csv", "id\n1\n")
	moment := time.Date(2024, 2, 29, 12, 0, 0, 123456789, time.FixedZone("", 3600))
	if err := os.Chtimes(filepath.Join(dir, "a.csv"), moment, moment); err != nil {
		t.Fatal(err)
	}
	got, err := read(t, dir, files.Options{Metadata: true})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, got, "id text, __file_path text, __file_name text, __file_size bigint, __file_modification_time timestamp with time zone",
		"1|"+dir+"/a.csv|a.csv|5|2024-02-29 11:00:00.123456+00")
}

func TestOpen_WithoutFiles(t *testing.T) {
	t.Parallel()
	if _, err := files.Open(context.Background(), nil, files.Options{}); err == nil {
		t.Error("columns of nothing")
	}
	got, err := readFiles(t, nil, options(t, "schema=id bigint"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, got, "id bigint")
}

func TestRows_WhereCountsLinesWithinQuotes(t *testing.T) {
	t.Parallel()
	dir := write(t, "a.csv", "id,t\r\n1,\"x\n\ny\"\r\n\r\n2,z\n")
	list, err := files.List(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := files.Open(context.Background(), list, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for _, want := range []string{":2", ":6"} {
		if !rows.Next(context.Background()) || rows.Where() != dir+"/a.csv"+want {
			t.Errorf("got %s, %v, want %s", rows.Where(), rows.Err(), want)
		}
	}
}

func TestRows_EndWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	list, err := files.List(ctx, write(t, "a.csv", "id\n1\n2\n"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := files.Open(ctx, list, files.Options{})
	if err != nil || !rows.Next(ctx) {
		t.Fatal(err)
	}
	defer rows.Close()
	cancel()
	if rows.Next(ctx) || !errors.Is(rows.Err(), context.Canceled) {
		t.Errorf("got %v", rows.Err())
	}
}

func TestOpen_NoticesThatFilesChange(t *testing.T) {
	t.Parallel()
	const many = 200_000 // more than is read ahead
	for name, change := range map[string]func(p string) error{
		"shrinks": func(p string) error { return os.Truncate(p, 900_000) },
		"grows": func(p string) error {
			f, err := os.OpenFile(p, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("more\n")
			return errors.Join(err, f.Close())
		},
		"is touched": func(p string) error { return os.Chtimes(p, time.Unix(1, 0), time.Unix(1, 0)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := write(t, "a.csv", "id\n"+strings.Repeat("12345\n", many))
			list, err := files.List(context.Background(), dir)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := files.Open(context.Background(), list, files.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			if err := change(list[0].Path); err != nil {
				t.Fatal(err)
			}
			for rows.Next(context.Background()) {
			}
			if !errors.Is(rows.Err(), files.ErrChanged) {
				t.Errorf("while it is read: got %v", rows.Err())
			}
			if _, err := readFiles(t, list, files.Options{}); !errors.Is(err, files.ErrChanged) {
				t.Errorf("before it is read: got %v", err)
			}
			if err := os.Remove(list[0].Path); err != nil {
				t.Fatal(err)
			}
			if _, err := readFiles(t, list, files.Options{}); !errors.Is(err, files.ErrChanged) || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("when it is gone: got %v", err)
			}
		})
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	dir := write(t, "a.csv", "", "b.csv", "", "B.json", "", "_x.csv", "", ".y.csv", "", "s/a.csv", "", "_tmp/a.csv", "", "t/a.csv", "", "q[1].csv", "")
	for location, want := range map[string]string{
		dir:                        "B.json a.csv b.csv q[1].csv",
		dir + "/":                  "B.json a.csv b.csv q[1].csv",
		"file://" + dir:            "B.json a.csv b.csv q[1].csv",
		dir + "/*.csv":             "a.csv b.csv q[1].csv",
		dir + "/[ab].csv":          "a.csv b.csv",
		dir + "/?.csv":             "a.csv b.csv",
		dir + "/_*.csv":            "_x.csv",
		dir + "/.y.csv":            ".y.csv",
		dir + "/*/a.csv":           "s/a.csv t/a.csv",
		dir + "/s/*":               "s/a.csv",
		dir + "/q[1].csv":          "q[1].csv",
		"file:" + dir + "/%61.csv": "a.csv",
	} {
		list, err := files.List(context.Background(), location)
		var got []string
		for _, f := range list {
			got = append(got, strings.TrimPrefix(f.Path, dir+"/"))
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, %v, want %s", location, got, err, want)
		}
	}
	if list, err := files.List(context.Background(), t.TempDir()); err != nil || len(list) != 0 {
		t.Errorf("an empty directory: got %v, %v", list, err)
	}
}
