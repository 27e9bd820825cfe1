// Package service builds the binary autocdc and runs it as users do: with a
// configuration file, flow files and flags, as a process of its own. It knows
// nothing of the program but its command line.
package service

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Binary returns the path of the binary, built once in this process from the
// tree that the test belongs to.
func Binary(t testing.TB) string {
	t.Helper()
	return binary(t, build)
}

// Breakable returns the path of the binary that has failpoints.
func Breakable(t testing.TB) string {
	t.Helper()
	return binary(t, buildBreakable)
}

func binary(t testing.TB, build func() (string, error)) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatalf("build autocdc: %v", err)
	}
	return path
}

// Root returns the directory of the module.
func Root(t testing.TB) string {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatalf("find module: %v", err)
	}
	return root
}

var (
	build          = sync.OnceValues(func() (string, error) { return buildWith("autocdc") })
	buildBreakable = sync.OnceValues(func() (string, error) { return buildWith("autocdc-breakable", "-tags=failpoints") })
)

// buildWith puts the binary at a place that depends on the tree, so that packages
// that are tested at the same time share it and nothing piles up.
func buildWith(name string, flags ...string) (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("autocdc-test-%d-%x", os.Getuid(), sha256.Sum256([]byte(root)))[:40])
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	fresh := filepath.Join(dir, fmt.Sprintf("%s.%d", name, os.Getpid()))
	cmd := exec.Command("go", append(append([]string{"build"}, flags...), "-o", fresh, "./cmd/autocdc")...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return filepath.Join(dir, name), os.Rename(fresh, filepath.Join(dir, name))
}

func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	return filepath.Dir(string(bytes.TrimSpace(out))), nil
}
