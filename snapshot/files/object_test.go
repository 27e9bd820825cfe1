package files_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/parquet-go/parquet-go"

	"github.com/autocdc/autocdc/snapshot/files"
)

// store starts an S3-compatible server on the loopback and puts objects into its
// bucket; the query makes URLs reach it.
func store(t *testing.T, objects map[string]string) (query string) {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("drop"); err != nil {
		t.Fatal(err)
	}
	for key, content := range objects {
		if _, err := backend.PutObject("drop", key, nil, strings.NewReader(content), int64(len(content)), nil); err != nil {
			t.Fatal(err)
		}
	}
	s3 := gofakes3.New(backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Authorization"), "Credential=good/") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		s3.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return "?endpoint=" + server.URL + "&region=eu-central-1&use_path_style=true"
}

//nolint:paralleltest // it sets the credentials of the process
func TestObjects(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "good")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	var columns strings.Builder
	type row struct {
		ID int64 `parquet:"id"`
	}
	w := parquet.NewGenericWriter[row](&columns)
	for i := range 1000 {
		if _, err := w.Write([]row{{int64(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	query := store(t, map[string]string{"in/1.csv": "id\n1\n", "in/2.csv": "id\n2\n", "in/deeper/3.csv": "id\n3\n", "in/_SUCCESS": "", "p.parquet": columns.String()})
	for location, want := range map[string][]string{
		"s3://drop/in/":       {"id text", "1", "2"},
		"s3://drop/in":        {"id text", "1", "2"},
		"s3://drop/in/2*.csv": {"id text", "2"},
		"s3://drop/in/1.csv":  {"id text", "1"},
	} {
		got, err := read(t, location+query, files.Options{})
		if err != nil {
			t.Errorf("%s: %v", location, err)
		}
		compare(t, got, want...)
	}
	list, err := files.List(t.Context(), "s3://drop/in/"+query)
	if err != nil || len(list) != 2 || list[0].Path != "s3://drop/in/1.csv" || list[0].Size != 5 || list[0].ModTime.IsZero() {
		t.Errorf("got %v, %v", list, err)
	}
	if got, err := read(t, "s3://drop/p.parquet"+query, files.Options{}); err != nil || len(got) != 1001 || got[1000] != "999" {
		t.Errorf("Parquet by ranges: %d lines, %v", len(got), err)
	}
	for location, want := range map[string]string{
		"s3://drop/none.csv": "no such object", "s3://drop/in/x*": "no file matches", "s3://nobody/in/": "NoSuchBucket",
	} {
		if _, err := read(t, location+query, files.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", location, err)
		}
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "bad")
	if _, err := read(t, "s3://drop/in/"+query, files.Options{}); err == nil || !strings.Contains(err.Error(), "403") && !strings.Contains(err.Error(), "Forbidden") {
		t.Errorf("wrong credentials: got %v", err)
	}
}
