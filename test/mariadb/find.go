package mariadb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/autocdc/autocdc/test/debian"
)

// binaries is one installation of the server.
type binaries struct {
	program string // mariadbd
	share   string // error messages, and the SQL of the system tables
	lib     string // for LD_LIBRARY_PATH, if libraries came along
	version string // as the server says, like "10.11.14-MariaDB-0+deb12u2"
}

// debianPackage is the server without clients, service or configuration.
const debianPackage = "mariadb-server-core"

var errNotFound = errors.New("no mariadbd found")

// findOrFetch is find, then fetch where nothing was found.
func findOrFetch(ctx context.Context, log io.Writer) (binaries, error) {
	bin, err := find(ctx)
	if !errors.Is(err, errNotFound) {
		return bin, err
	}
	cache, err := debian.Cache("mariadb")
	if err != nil {
		return binaries{}, err
	}
	unlock, err := debian.Lock(filepath.Join(cache, "fetch.lock"))
	if err != nil {
		return binaries{}, err
	}
	defer unlock()
	if bin, err := find(ctx); !errors.Is(err, errNotFound) {
		return bin, err // another process fetched it while we waited
	}
	if err := debian.Fetch(ctx, cache, debianPackage, log); err != nil {
		return binaries{}, fmt.Errorf("%w; install mariadb-server-core, or let apt-get fetch it: %w", errNotFound, err)
	}
	return find(ctx)
}

// find looks in PATH, where distributions put servers, and in our cache.
func find(ctx context.Context) (binaries, error) {
	programs := []string{"/usr/sbin/mariadbd", "/usr/libexec/mariadbd", "/usr/bin/mariadbd"}
	if program, err := exec.LookPath("mariadbd"); err == nil {
		programs = append([]string{program}, programs...)
	}
	if cache, err := debian.Cache("mariadb"); err == nil {
		fetched, _ := filepath.Glob(filepath.Join(cache, "*", "usr/sbin/mariadbd")) // the only error is a bad pattern
		programs = append(programs, fetched...)
	}
	for _, program := range programs {
		if bin, err := inspect(ctx, program); err == nil {
			return bin, nil
		}
	}
	return binaries{}, errNotFound
}

// inspect asks the server for its version: "mariadbd  Ver 10.11.14-MariaDB-… for …".
func inspect(ctx context.Context, program string) (binaries, error) {
	bin := binaries{program: program}
	base := filepath.Dir(filepath.Dir(program))
	if libs, _ := filepath.Glob(filepath.Join(base, "lib/*-linux-gnu")); len(libs) > 0 && base != "/usr" {
		bin.lib = libs[0]
	}
	for _, dir := range []string{"share/mysql", "share/mariadb"} {
		if found, _ := filepath.Glob(filepath.Join(base, dir, "*_system_tables.sql")); len(found) > 0 {
			bin.share = filepath.Join(base, dir)
		}
	}
	if bin.share == "" {
		return binaries{}, fmt.Errorf("%s: no system tables under %s", program, base)
	}
	out, err := bin.command(ctx, runAs{}, "--version").Output()
	if err != nil {
		return binaries{}, fmt.Errorf("%s --version: %w", program, err)
	}
	if fields := strings.Fields(string(out)); len(fields) > 2 {
		bin.version = fields[2]
	}
	return bin, nil
}

// command prepares the server to run as user, in a session of its own so that a
// Ctrl-C at the terminal is ours alone, and by no configuration of the machine's.
func (b binaries) command(ctx context.Context, user runAs, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, b.program, append([]string{"--no-defaults"}, args...)...)
	cmd.Dir = "/"
	cmd.SysProcAttr = user.attr()
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	if b.lib != "" {
		cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+b.lib)
	}
	return cmd
}
