package mariadb

import (
	"errors"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// runAs is the user that the server runs as. It refuses to run as root, so that
// root lends it to "mysql" or "nobody"; anybody else runs it themselves.
type runAs struct {
	uid, gid int
	switched bool
}

func serverUser() (runAs, error) {
	if os.Geteuid() != 0 {
		return runAs{uid: os.Geteuid(), gid: os.Getegid()}, nil
	}
	for _, name := range []string{"mysql", "nobody"} {
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
	return runAs{}, errors.New("run mariadbd: it refuses to run as root, and there is no user mysql or nobody")
}

// attr starts a process as the user, in a session of its own.
func (u runAs) attr() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	if u.switched {
		attr.Credential = &syscall.Credential{Uid: uint32(u.uid), Gid: uint32(u.gid)}
	}
	return attr
}

// makeDir makes a directory of the user's, which only the user may enter.
func (u runAs) makeDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return u.own(dir)
}

// own hands a file that we made to the user.
func (u runAs) own(file string) error {
	if !u.switched {
		return nil
	}
	return os.Chown(file, u.uid, u.gid)
}
