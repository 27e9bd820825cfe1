package embedpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// MinVersion is the oldest major version taken when none is asked for.
const MinVersion = 15

// EnvBin names a directory with initdb and postgres that is looked at first.
const EnvBin = "AUTOCDC_PG_BIN"

// ErrNotFound says that no suitable Postgres is installed.
var ErrNotFound = errors.New("no Postgres server found")

// Binaries is one installation of the Postgres server.
type Binaries struct {
	Dir     string // holds initdb and postgres
	LibDir  string // for LD_LIBRARY_PATH, if libraries came along
	Version string // as the server says, like "15.18"
	Major   int
}

// FindOrFetch is Find, then Fetch where nothing was found.
func FindOrFetch(ctx context.Context, version int, log io.Writer) (Binaries, error) {
	bin, err := Find(version)
	if !errors.Is(err, ErrNotFound) {
		return bin, err
	}
	return Fetch(ctx, version, log)
}

// Find looks for binaries of a major version, or for the newest that is at least
// MinVersion if version is 0: in $AUTOCDC_PG_BIN (which, if set, must fit), where
// pg_config points, under /usr/lib/postgresql and in our cache. Without any the
// error is ErrNotFound.
func Find(version int) (Binaries, error) {
	if dir := os.Getenv(EnvBin); dir != "" {
		bin, err := inspect(dir)
		if err == nil && !bin.fits(version) {
			err = fmt.Errorf("found Postgres %s, want %s", bin.Version, wanted(version))
		}
		if err != nil {
			return Binaries{}, fmt.Errorf("%s=%s: %w", EnvBin, dir, err)
		}
		return bin, nil
	}
	var found []Binaries
	for _, dir := range candidates() {
		if bin, err := inspect(dir); err == nil && bin.fits(version) {
			found = append(found, bin)
		}
	}
	if len(found) == 0 {
		return Binaries{}, fmt.Errorf("%w: want %s", ErrNotFound, wanted(version))
	}
	return slices.MaxFunc(found, func(a, b Binaries) int { return a.Major - b.Major }), nil
}

func (b Binaries) fits(version int) bool {
	return b.Major == version || version == 0 && b.Major >= MinVersion
}

func wanted(version int) string {
	if version == 0 {
		return strconv.Itoa(MinVersion) + " or newer"
	}
	return "version " + strconv.Itoa(version)
}

// candidates lists directories that may hold binaries, the preferred ones first.
func candidates() []string {
	var dirs []string
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	patterns := []string{
		"/usr/lib/postgresql/*/bin",
		"/usr/pgsql-*/bin",
		"/opt/homebrew/opt/postgresql@*/bin",
		"/usr/local/opt/postgresql@*/bin",
	}
	if cache, err := cacheDir("postgres"); err == nil {
		patterns = append(patterns, filepath.Join(cache, "*", "bin"), filepath.Join(cache, "*", aptBin))
	}
	for _, p := range patterns {
		found, _ := filepath.Glob(p) // the only error is a bad pattern
		dirs = append(dirs, found...)
	}
	return dirs
}

// inspect asks the server for its version, "postgres (PostgreSQL) 15.18 (Debian …)".
func inspect(dir string) (Binaries, error) {
	if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
		return Binaries{}, err
	}
	bin := Binaries{Dir: dir, LibDir: aptLibDir(dir)}
	cmd := bin.command(context.Background(), runAs{}, dir, "postgres", "--version")
	out, err := cmd.Output()
	if err != nil {
		return Binaries{}, fmt.Errorf("postgres --version: %w", err)
	}
	fields := strings.Fields(string(out))
	if len(fields) < 3 {
		return Binaries{}, fmt.Errorf("postgres --version: %q", out)
	}
	bin.Version = fields[2]
	bin.Major, err = leadingInt(bin.Version)
	return bin, err
}

// leadingInt reads the major version of "15.18", "18beta1".
func leadingInt(version string) (int, error) {
	end := strings.IndexFunc(version, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(version)
	}
	return strconv.Atoi(version[:end])
}
