package files_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/autocdc/autocdc/snapshot/files"
)

// TestMain sets what the library of S3 reads from its environment, so that tests
// may run side by side: one profile is known to the servers of store, one is not.
func TestMain(m *testing.M) { os.Exit(withCredentials(m)) }

func withCredentials(m *testing.M) int {
	dir, err := os.MkdirTemp("", "files")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	profiles := filepath.Join(dir, "credentials")
	text := "[default]\naws_access_key_id = good\naws_secret_access_key = s\n[stranger]\naws_access_key_id = bad\naws_secret_access_key = s\n"
	if err := os.WriteFile(profiles, []byte(text), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_CONFIG_FILE"} {
		_ = os.Unsetenv(name)
	}
	_ = os.Setenv("AWS_SHARED_CREDENTIALS_FILE", profiles)
	_ = os.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	return m.Run()
}

// bucketOptions are those of URLs that reach a server of store.
const bucketOptions = "&region=eu-central-1&use_path_style=true&response_checksum_validation=when_required"

// store starts an S3-compatible server on the loopback with objects, names and
// contents in turn, in its bucket drop. cut ends answers to GET after so many bytes.
func store(t *testing.T, cut int, objects ...string) (query string, requests func() []string) {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("drop"); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(objects); i += 2 {
		if _, err := backend.PutObject("drop", objects[i], nil, strings.NewReader(objects[i+1]), int64(len(objects[i+1])), nil); err != nil {
			t.Fatal(err)
		}
	}
	s3 := gofakes3.New(backend).Server()
	var ranges []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Authorization"), "Credential=good/") {
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, "<Error><Code>InvalidAccessKeyId</Code><Message>The key does not exist.</Message></Error>")
			return
		}
		if r.Header.Get("Range") != "" {
			ranges = append(ranges, r.Header.Get("Range"))
		}
		if cut > 0 && r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, ".csv") {
			w = &cutting{w, cut}
		}
		s3.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return "?endpoint=" + server.URL + bucketOptions, func() []string { return ranges }
}

// cutting breaks the connection after so many bytes of a body.
type cutting struct {
	http.ResponseWriter
	left int
}

func (c *cutting) Write(p []byte) (int, error) {
	if c.left -= len(p); c.left < 0 {
		_, _ = c.ResponseWriter.Write(p[:len(p)+c.left])
		panic(http.ErrAbortHandler)
	}
	return c.ResponseWriter.Write(p)
}

func TestBucket_ListsAndReads(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 1100 { // more than a page
		many = append(many, fmt.Sprintf("many/%04d.csv", i), "id\n1\n")
	}
	query, _ := store(t, 0, append(many, "in/1.csv", "id\n1\n", "in/2.csv.gz", gzipped(t, "id\n2\n"), "in/deeper/3.csv", "id\n3\n",
		"in/_SUCCESS", "", "in2/a.csv", "id\n9\n", "empty/", "", "a b/ä+%41.csv", "id\n5\n")...)
	for location, want := range map[string]string{
		"s3://drop/in/":           "id text,1,2",
		"s3://drop/in":            "id text,1,2",
		"s3://drop/in/2*":         "id text,2",
		"s3://drop/in/?.csv":      "id text,1",
		"s3://drop/in/*/3.csv":    "id text,3",
		"s3://drop/*/[13].csv":    "id text,1",
		"s3://drop/in/1.csv":      "id text,1",
		"s3://drop/a b/ä+%41.csv": "id text,5",
		"s3://drop/in2":           "id text,9",
	} {
		got, err := read(t, location+query, files.Options{})
		if err != nil || strings.Join(got, ",") != want {
			t.Errorf("%s: got %q, %v, want %s", location, got, err, want)
		}
	}
	list, err := files.List(t.Context(), "s3://drop/in/"+query)
	if err != nil || len(list) != 2 || list[0].Path != "s3://drop/in/1.csv" || list[0].Name != "1.csv" || list[0].Size != 5 || list[0].ModTime.IsZero() {
		t.Errorf("got %v, %v", list, err)
	}
	for location, want := range map[string]int{"s3://drop": 0, "s3://drop/empty/": 0, "s3://drop/many": 1100} {
		if list, err := files.List(t.Context(), location+query); err != nil || len(list) != want {
			t.Errorf("%s: %d files, %v", location, len(list), err)
		}
	}
}

func TestBucket_ReadsParquetByRanges(t *testing.T) {
	t.Parallel()
	type row struct {
		ID   int64  `parquet:"id"`
		Text string `parquet:"text"`
	}
	var rows []row
	for i := range 20_000 {
		rows = append(rows, row{int64(i), fmt.Sprintf("%0100d", i)})
	}
	query, requests := store(t, 0, "p.parquet", parquetFile(t, rows))
	got, err := read(t, "s3://drop/p.parquet"+query, files.Options{})
	if err != nil || len(got) != 20_001 || !strings.HasPrefix(got[20_000], "19999|") {
		t.Errorf("%d lines, %v", len(got), err)
	}
	if n := len(requests()); n < 2 || n > 40 {
		t.Errorf("%d requests for ranges: %q", n, requests())
	}
}

func TestBucket_Faults(t *testing.T) {
	t.Parallel()
	query, _ := store(t, 0, "in/1.csv", "id\n1\n")
	for location, want := range map[string]string{
		"s3://drop/none.csv" + query:                   "list s3://drop/none.csv: file does not exist",
		"s3://drop/in/x*" + query:                      "list s3://drop/in/x*: no file matches the pattern",
		"s3://nobody/in" + query:                       "list s3://nobody/in: NoSuchBucket",
		"s3://drop/in/" + query + "&profile=stranger":  "list s3://drop/in: InvalidAccessKeyId: The key does not exist.",
		"s3://drop/in/1.csv" + query + "&profile=none": "list s3://drop/in/1.csv: open bucket: failed to get shared config profile",
		"s3://drop/in/" + query + "&colour=red":        `list s3://drop/in: open bucket: unknown query parameter "colour"`,
	} {
		_, err := read(t, location, files.Options{})
		if err == nil || !strings.Contains(err.Error(), want) || strings.ContainsAny(err.Error(), "\n?&") {
			t.Errorf("%s: got %v, want %s", location, err, want)
		}
	}
}

func TestBucket_CutConnectionIsAnErrorNotTheEnd(t *testing.T) {
	t.Parallel()
	query, _ := store(t, 1<<20, "1.csv", "id\n"+strings.Repeat("12345\n", 500_000))
	got, err := read(t, "s3://drop/1.csv"+query, files.Options{})
	if err == nil || !strings.Contains(err.Error(), "read s3://drop/1.csv:") {
		t.Errorf("%d lines, %v", len(got), err)
	}
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
}

func TestBucket_NoticesThatObjectsChange(t *testing.T) {
	t.Parallel()
	before, _ := store(t, 0, "1.csv", "id\n1\n")
	list, err := files.List(t.Context(), "s3://drop/1.csv"+before)
	if err != nil {
		t.Fatal(err)
	}
	list[0].Size++
	if _, err := readFiles(t, list, files.Options{}); err == nil || !strings.Contains(err.Error(), files.ErrChanged.Error()) {
		t.Errorf("got %v", err)
	}
}
