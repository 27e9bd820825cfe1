// Package debian fetches packages of the distribution without installing them: for
// servers that tests need and that are not there.
package debian

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Fetch downloads a package and what it needs, with state directories of our own, and
// unpacks them in the directory apt-<package> of the cache. The caller sees to it that
// nobody else does so at the same time.
func Fetch(ctx context.Context, cache, pkg string, log io.Writer) error {
	for _, name := range []string{"apt-get", "dpkg"} {
		if _, err := exec.LookPath(name); err != nil {
			return err
		}
	}
	fmt.Fprintf(log, "fetching %s by apt-get into %s (nothing is installed)\n", pkg, cache)
	dir, err := os.MkdirTemp(cache, ".fetch-") // moved when done, so that nobody finds half of it
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := download(ctx, dir, pkg); err != nil {
		return err
	}
	root := filepath.Join(dir, "root")
	if err := unpack(ctx, dir, root); err != nil {
		return err
	}
	return os.Rename(root, filepath.Join(cache, "apt-"+pkg))
}

// download lets apt-get choose what is missing on this machine.
func download(ctx context.Context, dir, pkg string) error {
	for _, d := range []string{"state", "lists/partial", "cache/archives/partial"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			return err
		}
	}
	options := []string{
		"-qq",
		"-o", "Debug::NoLocking=1",
		"-o", "APT::Sandbox::User=",
		"-o", "Dir::State=" + filepath.Join(dir, "state"),
		"-o", "Dir::State::lists=" + filepath.Join(dir, "lists"),
		"-o", "Dir::State::status=/var/lib/dpkg/status",
		"-o", "Dir::Cache=" + filepath.Join(dir, "cache"),
	}
	updateErr := Run(ctx, "apt-get", append(options, "update")...)
	err := Run(ctx, "apt-get", append(options, "install", "-y", "--download-only", "--no-install-recommends", pkg)...)
	if err != nil {
		return errors.Join(updateErr, err)
	}
	return nil
}

func unpack(ctx context.Context, dir, root string) error {
	if err := os.Mkdir(root, 0o755); err != nil {
		return err
	}
	if err := os.Chmod(root, 0o755); err != nil { // whatever the umask
		return err
	}
	archives, err := filepath.Glob(filepath.Join(dir, "cache/archives/*.deb"))
	if err != nil {
		return err
	}
	for _, deb := range archives {
		if err := Run(ctx, "dpkg", "-x", deb, root); err != nil {
			return err
		}
	}
	return nil
}

// Run runs a program whose output matters only if it fails.
func Run(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}
