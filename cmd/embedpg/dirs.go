package embedpg

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// serverDir makes the directory of a server: the named one, or a new one that is
// ours to remove.
func serverDir(opts Options, user runAs) (dir string, own bool, err error) {
	if opts.Dir != "" {
		if dir, err = filepath.Abs(opts.Dir); err != nil {
			return "", false, err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", false, err
		}
		return dir, false, user.reaches(filepath.Join(dir, "data"))
	}
	parent, err := tempParent(user, opts.InMemory)
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
func tempParent(user runAs, inMemory bool) (string, error) {
	dirs := []string{os.TempDir(), "/tmp", "/var/tmp"}
	if inMemory && os.Getenv("TMPDIR") == "" && freeBytes(memoryDir) >= memoryNeeded {
		dirs = append([]string{memoryDir}, dirs...)
	}
	var errs error
	for _, dir := range dirs {
		err := user.reaches(filepath.Join(dir, "x"))
		if err == nil {
			return dir, nil
		}
		errs = errors.Join(errs, err)
	}
	return "", fmt.Errorf("find a directory for temporary servers: %w", errs)
}

// memoryDir is Linux's file system in memory, and memoryNeeded what must be free
// there: a server with a few gigabytes of tables and WAL must not fill it.
const (
	memoryDir    = "/dev/shm"
	memoryNeeded = 8 << 30
)

// freeBytes is 0 where dir does not exist or the system does not say.
func freeBytes(dir string) uint64 {
	var fs syscall.Statfs_t
	if syscall.Statfs(dir, &fs) != nil {
		return 0
	}
	return fs.Bavail * uint64(fs.Bsize)
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
