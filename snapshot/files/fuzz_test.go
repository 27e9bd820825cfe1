package files_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/autocdc/autocdc/snapshot/files"
)

// FuzzCSV reads what another reader of CSV accepts as that one does, and panics at
// nothing.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "a\n\"x\"\"y\n\"\n", "a,b\r\n\"\",\r\n", "a;b\n", "\ufeffa\nx", "a,b\n1\n", "a\n\"", "\"a\"x,b\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		path := filepath.Join(t.TempDir(), "f.csv")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := read(t, path, files.Options{})
		want, wantErr := csv.NewReader(strings.NewReader(strings.TrimPrefix(content, "\ufeff"))).ReadAll()
		if wantErr != nil || err != nil || len(want) < 2 || !utf8.ValidString(content) || strings.ContainsRune(content, '\r') || len(want[0]) < 2 {
			return // they may differ in what they refuse, and in ends of lines
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %d rows, want %d", content, len(got)-1, len(want)-1)
		}
		for i, row := range want[1:] {
			if text := strings.ReplaceAll(got[i+1], "∅", ""); !slices.Contains(want[0], "∅") && text != strings.ReplaceAll(strings.Join(row, "|"), "∅", "") {
				t.Errorf("%q: got %q, want %q", content, got[i+1], row)
			}
		}
	})
}
