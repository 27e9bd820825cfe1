package embedpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// Options say what server to start. The zero value is a server of the newest
// version found, in a directory of its own, with the package's settings.
type Options struct {
	// Version is the major version; 0 takes the newest one installed that is at
	// least MinVersion, or fetches FetchVersion where there is none.
	Version int
	// Settings go into postgresql.conf after, and so instead of, our defaults.
	Settings map[string]string
	// Dir holds the data directory and the log. Empty means a new directory that
	// Close removes; a named one is made if missing, started again as it is if it
	// was used before, and kept.
	Dir string
	// InMemory asks for a directory in memory, where making a database is five
	// times as quick as on a disk: for small servers. Without a Dir, without a
	// TMPDIR in the environment, and only while plenty of memory is free.
	InMemory bool
	// Env has variables, as NAME=value, for the server's process.
	Env []string
	// Log receives a line for each slow step (fetching, initdb); nil discards.
	Log io.Writer
}

// Mode is how Stop ends a server, in pg_ctl's words.
type Mode string

// The modes of Stop.
const (
	Smart     Mode = "smart"     // waits for the clients to leave
	Fast      Mode = "fast"      // ends sessions, writes a checkpoint
	Immediate Mode = "immediate" // no checkpoint: recovery at the next start
)

// stopTimeout is how long Stop waits; a fast shutdown waits for replication
// clients, at most their wal_sender_timeout.
const stopTimeout = 90 * time.Second

// ErrStopped is returned by what needs a running server.
var ErrStopped = errors.New("server is stopped")

// Server is one Postgres server and its data directory. Its methods may be
// called from several goroutines; those that start and stop take turns.
type Server struct {
	bin      Binaries
	user     runAs
	dir      string
	ownDir   bool
	port     int
	watchdog *watchdog
	env      []string

	mu   sync.Mutex
	cmd  *exec.Cmd
	done chan struct{} // closed when cmd has been waited for
}

// Start finds or fetches binaries, makes a data directory and starts a server on
// it. It returns when the server accepts connections. The caller calls Close.
func Start(ctx context.Context, opts Options) (*Server, error) {
	if opts.Log == nil {
		opts.Log = io.Discard
	}
	bin, err := FindOrFetch(ctx, opts.Version, opts.Log)
	if err != nil {
		return nil, err
	}
	user, err := serverUser()
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin, user: user, env: opts.Env}
	if err := s.create(ctx, opts); err != nil {
		return nil, errors.Join(fmt.Errorf("start postgres %s: %w", bin.Version, err), s.Close())
	}
	return s, nil
}

func (s *Server) create(ctx context.Context, opts Options) (err error) {
	if s.dir, s.ownDir, err = serverDir(opts, s.user); err != nil {
		return err
	}
	guarded := ""
	if s.ownDir {
		guarded = s.dir
	}
	if s.watchdog, err = startWatchdog(guarded); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(s.dataDir(), "PG_VERSION")); err != nil {
		if err := copyTemplate(ctx, s.bin, s.user, s.dataDir(), opts.Log); err != nil {
			return err
		}
	}
	return s.firstStart(ctx, opts.Settings)
}

// firstStart looks for a port; another process may take it between our look and
// the server's, so that a few are tried.
func (s *Server) firstStart(ctx context.Context, settings map[string]string) error {
	var errs error
	for range 5 {
		port, err := freePort()
		if err != nil {
			return err
		}
		s.port = port
		if err := writeSettings(s.dataDir(), s.user, port, settings); err != nil {
			return err
		}
		err = s.Start(ctx)
		if err == nil || !isPortTaken(err) {
			return err
		}
		errs = errors.Join(errs, err)
	}
	return errs
}

// Start starts a stopped or killed server again, on the same data and port.
func (s *Server) Start(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd != nil {
		return nil
	}
	return s.spawn(ctx)
}

// Stop ends the server and waits until it is gone. Stopping a stopped one does
// nothing.
func (s *Server) Stop(mode Mode) error {
	sig, ok := stopSignal(mode)
	if !ok {
		return fmt.Errorf("stop postgres: no such mode %q", mode)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return nil
	}
	if err := s.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop postgres: %w", err)
	}
	select {
	case <-s.done:
		s.gone()
		return nil
	case <-time.After(stopTimeout):
		return fmt.Errorf("stop postgres (%s): still there after %s", mode, stopTimeout)
	}
}

// Kill ends the server and all its backends with SIGKILL, as a power cut would,
// and waits until they are gone. Start recovers it.
func (s *Server) Kill() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return nil
	}
	if err := killTree(s.cmd.Process, s.done); err != nil {
		return fmt.Errorf("kill postgres: %w", err)
	}
	s.gone()
	return nil
}

// Restart is Stop and Start.
func (s *Server) Restart(ctx context.Context, mode Mode) error {
	if err := s.Stop(mode); err != nil {
		return err
	}
	return s.Start(ctx)
}

// Close stops the server without ceremony and removes its directory, unless the
// caller named it. It may be called more than once.
func (s *Server) Close() error {
	err := s.Stop(Immediate)
	if s.ownDir {
		err = errors.Join(err, os.RemoveAll(s.dir))
	}
	s.watchdog.close()
	return err
}

func (s *Server) gone() {
	s.cmd, s.done = nil, nil
	s.watchdog.guard(0)
}

// DSN is the URL of a database of the server, for the superuser postgres.
func (s *Server) DSN(database string) string {
	return dsn(s.port, database)
}

// Port is the TCP port on 127.0.0.1; it stays the same across restarts.
func (s *Server) Port() int { return s.port }

// Version is the server's major version.
func (s *Server) Version() int { return s.bin.Major }

// Binaries says which installation the server runs from.
func (s *Server) Binaries() Binaries { return s.bin }

// Dir is the directory that holds the data directory "data" and "server.log".
func (s *Server) Dir() string { return s.dir }

// PID is the postmaster's process id, 0 while it is stopped.
func (s *Server) PID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return 0
	}
	return s.cmd.Process.Pid
}

func (s *Server) dataDir() string { return filepath.Join(s.dir, "data") }

func (s *Server) logFile() string { return filepath.Join(s.dir, "server.log") }
