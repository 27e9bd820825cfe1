package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// service is this product: a process with a configuration and flow files.
type service struct {
	b      *bench
	source string
	kind   int // of history: 1 or 2
	tables []string

	database, pipeline, dir string
	cmd                     *exec.Cmd
	log                     bytes.Buffer
	peak                    int64 // of its memory, in bytes, at the last end
}

func (s *service) name() string { return fmt.Sprintf("autocdc, SCD %d", s.kind) }

func (s *service) dsn() string { return s.database }

func (s *service) now() string {
	if s.kind == 2 {
		return "(SELECT * FROM item WHERE __end_at IS NULL) t"
	}
	return "item t"
}

// setUp makes no table: the service does.
func (s *service) setUp(ctx context.Context) (err error) {
	if s.database, err = s.b.database(ctx, 1, "autocdc"); err != nil {
		return err
	}
	if s.tables == nil {
		s.tables = []string{"item"}
	}
	s.pipeline = s.b.unique("bench")
	s.dir = filepath.Join(s.b.dir, s.pipeline)
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		return err
	}
	config := fmt.Sprintf("pipeline: %s\nflows: [flows.sql]\nsources:\n  shop: {dsn: %q}\ntarget: {dsn: %q}\n", s.pipeline, s.source, s.database)
	if err := os.WriteFile(filepath.Join(s.dir, "autocdc.yaml"), []byte(config), 0o600); err != nil {
		return err
	}
	var flows strings.Builder
	for _, t := range s.tables {
		fmt.Fprintf(&flows, "CREATE STREAMING TABLE public.%[1]s;\nCREATE FLOW %[1]s AS AUTO CDC INTO public.%[1]s FROM CHANGES(public.%[1]s) KEYS (id) STORED AS SCD TYPE %[2]d;\n", t, s.kind)
	}
	return os.WriteFile(filepath.Join(s.dir, "flows.sql"), []byte(flows.String()), 0o600)
}

// command is a command of the binary in the service's directory.
func (s *service) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.b.binary, args...)
	cmd.Dir = s.dir
	s.log.Reset()
	cmd.Stdout, cmd.Stderr = &s.log, &s.log
	return cmd
}

func (s *service) begin(ctx context.Context) error {
	s.cmd = s.command(ctx, "run", "--log-level", "debug")
	return s.cmd.Start()
}

// end waits until the copy is recorded, after the clock has stopped.
func (s *service) end(ctx context.Context) error {
	if err := waitFor(ctx, s.database, "SELECT 1 WHERE NOT EXISTS (SELECT FROM autocdc.flow WHERE status <> 'streaming')"); err != nil {
		return err
	}
	s.peak = max(s.peak, highWater(s.cmd.Process.Pid))
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("%w\n%s", err, s.log.String())
	}
	err := s.cmd.Wait()
	if s.b.keep || err != nil {
		fmt.Fprint(os.Stderr, s.log.String())
	}
	return err
}

// triggered runs until there is nothing more to do.
func (s *service) triggered(ctx context.Context) (time.Duration, error) {
	cmd := s.command(ctx, "run", "--triggered")
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%w\n%s", err, s.log.String())
	}
	return time.Since(began), nil
}

func (s *service) drop(ctx context.Context) error {
	return exec1(ctx, s.source, fmt.Sprintf("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name LIKE '%s%%'", s.pipeline))
}

// waitFor polls a query on a connection of its own until it has a row.
func waitFor(ctx context.Context, dsn, sql string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return until(ctx, conn, 10*time.Millisecond, sql)
}

// highWater is the peak resident memory of a process in bytes, 0 if it is gone.
func highWater(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes int64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		return 0
	}
	return kilobytes << 10
}

// processorTime is what a process has used so far.
func processorTime(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	var user, system int64
	_, _ = fmt.Sscan(fields[11], &user) // numbers, by proc(5)
	_, _ = fmt.Sscan(fields[12], &system)
	return time.Duration(user+system) * 10 * time.Millisecond
}
