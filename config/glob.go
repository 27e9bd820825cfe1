package config

import (
	"fmt"
	"os"
	"path/filepath"
)

// glob lists the flow files of a pattern relative to dir, sorted. A pattern
// without a file is an error, and so is a folder.
func glob(dir, pattern string) ([]string, error) {
	full := pattern
	if !filepath.IsAbs(pattern) {
		full = filepath.Join(escapeGlob(dir), pattern)
	}
	if literal := inDir(dir, pattern); isFile(literal) {
		return []string{literal}, nil // a name that only looks like a pattern
	}
	paths, err := filepath.Glob(full)
	if err != nil {
		return nil, fmt.Errorf("expand flow files %q: %w", pattern, err)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("find flow files: no file matches %q in %s", pattern, dir)
	}
	for _, path := range paths {
		if !isFile(path) {
			return nil, fmt.Errorf("find flow files: %s is no file; write %s", path, filepath.Join(pattern, "*.sql"))
		}
	}
	return paths, nil
}

func inDir(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// escapeGlob makes a folder's name mean itself in a pattern.
func escapeGlob(dir string) string {
	var escaped []rune
	for _, r := range dir {
		if r == '*' || r == '?' || r == '[' || r == '\\' && filepath.Separator != '\\' {
			escaped = append(escaped, '\\')
		}
		escaped = append(escaped, r)
	}
	return string(escaped)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
