package embedpg

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// runAs is the user that the server runs as. Postgres refuses to run as root, so
// that root lends it to "postgres" or "nobody"; anybody else runs it themselves.
type runAs struct {
	uid, gid int
	switched bool
}

func serverUser() (runAs, error) {
	if os.Geteuid() != 0 {
		return runAs{uid: os.Geteuid(), gid: os.Getegid()}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.Atoi(u.Uid)
		gid, gidErr := strconv.Atoi(u.Gid)
		if uidErr == nil && gidErr == nil {
			return runAs{uid: uid, gid: gid, switched: true}, nil
		}
	}
	return runAs{}, errors.New("run postgres: it refuses to run as root, and there is no user postgres or nobody")
}

// attr starts a process as the user, in a session of its own.
func (u runAs) attr() *syscall.SysProcAttr {
	attr := detached()
	if u.switched {
		attr.Credential = &syscall.Credential{Uid: uint32(u.uid), Gid: uint32(u.gid)}
	}
	return attr
}

// own hands a file that we made to the user.
func (u runAs) own(file string) error {
	if !u.switched {
		return nil
	}
	return os.Chown(file, u.uid, u.gid)
}

// reaches says whether the user can enter every directory above path, and which
// one it cannot.
func (u runAs) reaches(path string) error {
	if !u.switched {
		return nil
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		if !u.mayEnter(info) {
			return fmt.Errorf("the server's user (uid %d) may not enter %s", u.uid, dir)
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

func (u runAs) mayEnter(dir os.FileInfo) bool {
	if dir.Mode().Perm()&0o001 != 0 {
		return true
	}
	stat, ok := dir.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == u.uid && dir.Mode().Perm()&0o100 != 0
}
