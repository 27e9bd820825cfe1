package autocdc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/autocdc/autocdc/config/flowsql"
)

// LoadFiles reads and parses flow files; patterns are paths in which *, ? and […]
// match as in a shell. Files are taken in the order of the patterns, each once. It
// returns a *FaultsError with the faults of all files.
func LoadFiles(patterns []string) ([]*flowsql.File, error) {
	paths, err := expand(patterns)
	if err != nil {
		return nil, err
	}
	var files []*flowsql.File
	found := &faults{}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read flow file: %w", err)
		}
		file, err := flowsql.Parse(path, src)
		found.parse(err)
		files = append(files, file)
	}
	return files, found.err()
}

// parse adds the faults that the parser found.
func (f *faults) parse(err error) {
	var list flowsql.ErrorList
	if errors.As(err, &list) {
		for _, e := range list {
			f.add(e.Pos, e.Hint, "%s", e.Msg)
		}
	}
}

func expand(patterns []string) ([]string, error) {
	var paths []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return nil, fmt.Errorf("expand %q: %w", pattern, err)
		}
		if _, err := os.Stat(pattern); err == nil {
			found = []string{pattern} // a name that only looks like a pattern
		}
		if len(found) == 0 {
			return nil, &HintError{fmt.Errorf("find flow files: no file %q", pattern), "autocdc init writes a first one from the source's catalog"}
		}
		for _, path := range found {
			if !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths, nil
}
