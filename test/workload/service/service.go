package service

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Config is what the configuration file says.
type Config struct {
	Pipeline string            // made unique, since slots are shared by all databases of a server
	Sources  map[string]string // name → DSN
	Target   string            // DSN
	Extra    string            // more lines of YAML
	Env      []string          // NAME=value, beside the environment of the test
	Break    bool              // the binary has failpoints
}

// pipelines numbers the pipelines of this process, and so of its servers.
var pipelines atomic.Int64

// Service is a configured pipeline. Its files live in a directory of their own.
type Service struct {
	Pipeline string

	t      testing.TB
	binary string
	dir    string
	env    []string
}

// New writes configuration and flow file; flows may be empty for commands that
// need none.
func New(t testing.TB, cfg Config, flows string) *Service {
	t.Helper()
	cfg.Pipeline = fmt.Sprintf("%s_%d", cfg.Pipeline, pipelines.Add(1))
	s := &Service{Pipeline: cfg.Pipeline, t: t, dir: t.TempDir(), env: cfg.Env}
	if cfg.Break {
		s.binary = Breakable(t)
	} else {
		s.binary = Binary(t)
	}
	s.Write("autocdc.yaml", cfg.yaml())
	s.Write("flows.sql", flows)
	return s
}

func (c Config) yaml() string {
	var text strings.Builder
	fmt.Fprintf(&text, "pipeline: %s\n", c.Pipeline)
	if len(c.Sources) > 0 {
		text.WriteString("sources:\n")
	}
	for _, name := range slices.Sorted(maps.Keys(c.Sources)) {
		fmt.Fprintf(&text, "  %s: {dsn: %q}\n", name, c.Sources[name])
	}
	fmt.Fprintf(&text, "target: {dsn: %q}\n%s", c.Target, c.Extra)
	return text.String()
}

// Write replaces a file of the service's directory and returns its path.
func (s *Service) Write(name, text string) string {
	s.t.Helper()
	path := s.Path(name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// Path returns the path of a file in the service's directory.
func (s *Service) Path(name string) string { return filepath.Join(s.dir, name) }

// Result is a finished command.
type Result struct {
	Args   string
	Code   int
	Stdout string
	Stderr string
	Peak   int64 // peak resident memory in bytes
}

// String returns everything that a reader of a failure wants to see.
func (r Result) String() string {
	return fmt.Sprintf("autocdc %s: exit %d\nstdout:\n%s\nstderr:\n%s", r.Args, r.Code, tail(r.Stdout), tail(r.Stderr))
}

func tail(text string) string {
	const most = 6000
	if len(text) > most {
		return "…" + text[len(text)-most:]
	}
	return text
}

// limit is how long a command that ends by itself may take.
const limit = 10 * time.Minute

// Command runs a command to its end, in the service's directory.
func (s *Service) Command(args ...string) Result {
	s.t.Helper()
	p := s.start(args...)
	return p.wait(limit)
}

// Check runs `check` and fails the test unless it is clean.
func (s *Service) Check() {
	s.t.Helper()
	if r := s.Command("check", "-c", "autocdc.yaml", "flows.sql"); r.Code != 0 {
		s.t.Fatalf("check is not clean: %v", r)
	}
}

// TriggeredResult runs everything that is available.
func (s *Service) TriggeredResult() Result {
	s.t.Helper()
	return s.Command("run", "--triggered", "-c", "autocdc.yaml", "flows.sql")
}

// Triggered runs everything that is available and fails the test unless that
// ends well.
func (s *Service) Triggered() Result {
	s.t.Helper()
	r := s.TriggeredResult()
	if r.Code != 0 {
		s.t.Fatalf("%v", r)
	}
	return r
}

// Start runs the service continuously; the test's end kills it.
func (s *Service) Start(args ...string) *Process {
	s.t.Helper()
	return s.start(append([]string{"run", "-c", "autocdc.yaml", "flows.sql"}, args...)...)
}

// Begin runs another command that the test will end, or that ends by itself.
func (s *Service) Begin(args ...string) *Process {
	s.t.Helper()
	return s.start(args...)
}

// Env sets variables of the environment for processes that are started from now on;
// those of an earlier call are gone.
func (s *Service) Env(vars ...string) { s.env = vars }

func (s *Service) start(args ...string) *Process {
	s.t.Helper()
	p := &Process{t: s.t, args: strings.Join(args, " "), done: make(chan struct{})}
	p.cmd = exec.Command(s.binary, args...)
	p.cmd.Dir = s.dir
	p.cmd.Env = append(os.Environ(), s.env...)
	p.cmd.Stdout, p.cmd.Stderr = &p.stdout, &p.stderr
	if err := p.cmd.Start(); err != nil {
		s.t.Fatalf("start autocdc %s: %v", p.args, err)
	}
	go p.reap()
	s.t.Cleanup(p.Kill)
	return p
}

// exitCode returns the code of an ended process, -1 if a signal ended it.
func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}
