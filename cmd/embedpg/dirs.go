package embedpg

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// serverDir makes the directory of a server: the named one, or a new one that is
// ours to remove.
func serverDir(named string, user runAs) (dir string, own bool, err error) {
	if named != "" {
		if dir, err = filepath.Abs(named); err != nil {
			return "", false, err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", false, err
		}
		return dir, false, user.reaches(filepath.Join(dir, "data"))
	}
	parent, err := tempParent(user)
	if err != nil {
		return "", false, err
	}
	if dir, err = os.MkdirTemp(parent, "autocdc-pg-"); err != nil {
		return "", false, err
	}
	return dir, true, user.own(dir)
}

// tempParent is the first directory for temporary files that the server's user
// can enter: root's TMPDIR may be closed to it.
func tempParent(user runAs) (string, error) {
	var errs error
	for _, dir := range []string{os.TempDir(), "/tmp", "/var/tmp"} {
		err := user.reaches(filepath.Join(dir, "x"))
		if err == nil {
			return dir, nil
		}
		errs = errors.Join(errs, err)
	}
	return "", fmt.Errorf("find a directory for temporary servers: %w", errs)
}

// cacheDir makes and returns a directory of our cache. Root's own cache lies in
// a home that the server's user cannot enter, so root has one under /var.
func cacheDir(elem ...string) (string, error) {
	dir := filepath.Join(cacheBase(), "autocdc")
	for _, e := range append([]string{""}, elem...) {
		dir = filepath.Join(dir, e)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", err
		}
		if err := os.Chmod(dir, 0o755); err != nil { // whatever the umask
			return "", err
		}
	}
	return dir, nil
}

func cacheBase() string {
	if os.Geteuid() == 0 {
		return "/var/cache"
	}
	if base, err := os.UserCacheDir(); err == nil {
		return base
	}
	return filepath.Join(os.TempDir(), "cache-"+strconv.Itoa(os.Geteuid())) // no HOME
}
