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
		if faults := FaultsOf(err); faults != nil {
			found.list = append(found.list, faults.Faults...)
		}
		files = append(files, file)
	}
	return files, found.err()
}

// ParseFlows parses the text of one flow file; name is what positions show.
func ParseFlows(name string, src []byte) (*flowsql.File, error) {
	file, err := flowsql.Parse(name, src)
	if faults := FaultsOf(err); faults != nil {
		return file, faults
	}
	return file, err
}

// FaultsOf returns the faults that a parser of flow files or of the configuration
// found, nil if err is another error or none.
func FaultsOf(err error) *FaultsError {
	var list flowsql.ErrorList
	if !errors.As(err, &list) {
		return nil
	}
	faults := &FaultsError{}
	for _, e := range list {
		faults.Faults = append(faults.Faults, Fault{Pos: e.Pos, Message: e.Msg, Hint: e.Hint})
	}
	return faults
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
