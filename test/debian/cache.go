package debian

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Package returns the directory in which a package lies unpacked; it is fetched if it
// is not there yet.
func Package(ctx context.Context, name string, log io.Writer) (string, error) {
	cache, err := Cache("debian")
	if err != nil {
		return "", err
	}
	unlock, err := Lock(filepath.Join(cache, "fetch.lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	root := filepath.Join(cache, "apt-"+name)
	if _, err := os.Stat(root); err == nil {
		return root, nil
	}
	return root, Fetch(ctx, cache, name, log)
}

// Cache makes and returns a directory of our cache, which for root is one
// that the server's user can enter.
func Cache(elem string) (string, error) {
	base := "/var/cache"
	if os.Geteuid() != 0 {
		var err error
		if base, err = os.UserCacheDir(); err != nil { // no HOME
			base = filepath.Join(os.TempDir(), "cache-"+strconv.Itoa(os.Geteuid()))
		}
	}
	dir := filepath.Join(base, "autocdc")
	for _, d := range []string{dir, filepath.Join(dir, elem)} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return "", err
		}
		if err := os.Chmod(d, 0o755); err != nil { // whatever the umask
			return "", err
		}
	}
	return filepath.Join(dir, elem), nil
}

// Lock waits for the lock on file, which ends with the process at the latest.
func Lock(file string) (unlock func(), err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}
