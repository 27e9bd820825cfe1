package service

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Process is a running autocdc.
type Process struct {
	t      testing.TB
	args   string
	cmd    *exec.Cmd
	stdout buffer
	stderr buffer
	done   chan struct{}
	code   int
	peak   atomic.Int64
}

// reap waits for the process and follows its memory meanwhile.
func (p *Process) reap() {
	ended := make(chan struct{})
	go func() {
		p.code = exitCode(p.cmd.Wait())
		close(ended)
	}()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			close(p.done)
			return
		case <-tick.C:
			p.peak.Store(max(p.peak.Load(), highWater(p.cmd.Process.Pid)))
		}
	}
}

// highWater returns the peak resident memory of a process in bytes, 0 if it is gone.
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

// Kill ends the process as kill -9 does and waits until it is gone.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// Freeze stops the process without its knowledge, as a hanging machine does.
func (p *Process) Freeze() { p.signal(syscall.SIGSTOP) }

// Thaw ends Freeze.
func (p *Process) Thaw() { p.signal(syscall.SIGCONT) }

func (p *Process) signal(sig syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(sig); err != nil {
		p.t.Errorf("signal autocdc: %v", err)
	}
}

// Interrupt asks the process to end, as a supervisor does, and returns how it did.
func (p *Process) Interrupt() Result {
	p.t.Helper()
	p.signal(syscall.SIGTERM)
	return p.wait(time.Minute)
}

// Wait returns how the process ended.
func (p *Process) Wait() Result { return p.wait(limit) }

// EndsWithin is Wait for a process that has to hurry.
func (p *Process) EndsWithin(limit time.Duration) Result {
	p.t.Helper()
	return p.wait(limit)
}

// Ended tells whether the process has ended.
func (p *Process) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Log returns what the process has written to stderr.
func (p *Process) Log() string { return p.stderr.String() }

func (p *Process) wait(limit time.Duration) Result {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(limit):
		_ = p.cmd.Process.Signal(syscall.SIGQUIT) // prints the goroutines
		select {
		case <-p.done:
		case <-time.After(10 * time.Second):
			p.Kill()
		}
		p.t.Errorf("autocdc %s has not ended in %s:\n%s", p.args, limit, tail(p.stderr.String()))
	}
	return Result{p.args, p.code, p.stdout.String(), p.stderr.String(), p.peak.Load()}
}

// buffer is a bytes.Buffer that may be read while it is written.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(text)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
