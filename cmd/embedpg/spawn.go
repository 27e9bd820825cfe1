package embedpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// readyTimeout bounds a start, recovery after a kill included.
const readyTimeout = 120 * time.Second

// spawn starts the postmaster and waits for it. The caller holds s.mu.
func (s *Server) spawn(ctx context.Context) error {
	logFile, err := os.OpenFile(s.logFile(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer logFile.Close()
	cmd := s.bin.command(context.WithoutCancel(ctx), s.user, s.dir, "postgres", "-D", s.dataDir())
	cmd.Env = append(cmd.Env, s.env...)
	cmd.Stdout, cmd.Stderr = logFile, logFile
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the exit code says nothing that the log does not say better
		close(done)
	}()
	s.cmd, s.done = cmd, done
	s.watchdog.guard(cmd.Process.Pid)
	if err := s.waitReady(ctx, cmd.Process.Pid); err != nil {
		_ = killTree(cmd.Process, done)
		s.gone()
		return err
	}
	return nil
}

// waitReady polls the status line of postmaster.pid, which costs no connection.
func (s *Server) waitReady(ctx context.Context, pid int) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-s.done:
			return &startError{log: logTail(s.logFile())}
		case <-ctx.Done():
			return errors.Join(ctx.Err(), &startError{log: logTail(s.logFile())})
		case <-tick.C:
			if isReady(s.dataDir(), pid) {
				return nil
			}
		}
	}
}

// isReady reads postmaster.pid: the pid in its first line (an older file may be
// left from a kill), the status in its eighth (src/include/utils/pidfile.h).
func isReady(dataDir string, pid int) bool {
	text, err := os.ReadFile(filepath.Join(dataDir, "postmaster.pid"))
	if err != nil {
		return false
	}
	lines := strings.Split(string(text), "\n")
	return len(lines) >= 8 && lines[0] == strconv.Itoa(pid) && strings.TrimSpace(lines[7]) == "ready"
}

// startError carries the end of the server's log.
type startError struct{ log string }

func (e *startError) Error() string { return "server did not come up; its log ends:\n" + e.log }

func isPortTaken(err error) bool {
	var se *startError
	return errors.As(err, &se) && strings.Contains(se.log, "could not create any TCP/IP sockets")
}

func logTail(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	const most = 2000
	return strings.TrimSpace(string(text[max(0, len(text)-most):]))
}

// command prepares one of the installation's programs to run as the server's
// user, in a session of its own so that a Ctrl-C at the terminal is ours alone.
func (b Binaries) command(ctx context.Context, user runAs, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(b.Dir, name), args...)
	cmd.Dir = dir
	cmd.SysProcAttr = user.attr()
	cmd.Env = append(b.environ(), "LC_ALL=C")
	return cmd
}

// Command prepares one of the installation's client programs, such as pgbench, to
// run as we are, with the libraries that were fetched along. Not every
// installation has every program: the error is exec.ErrNotFound then.
func (b Binaries) Command(ctx context.Context, name string, args ...string) (*exec.Cmd, error) {
	program, err := exec.LookPath(filepath.Join(b.Dir, name))
	if err != nil {
		return nil, fmt.Errorf("find %s of Postgres %s: %w", name, b.Version, exec.ErrNotFound)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = b.environ()
	return cmd, nil
}

// environ is ours without PGPORT and the like, which the programs would obey.
func (b Binaries) environ() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "PG") })
	if b.LibDir != "" {
		env = append(env, "LD_LIBRARY_PATH="+b.LibDir)
	}
	return env
}

func dsn(port int, database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", port, pathEscape(database))
}
