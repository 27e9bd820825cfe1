package embedpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func stopSignal(mode Mode) (os.Signal, bool) {
	switch mode {
	case Smart:
		return syscall.SIGTERM, true
	case Fast:
		return syscall.SIGINT, true
	case Immediate:
		return syscall.SIGQUIT, true
	}
	return nil, false
}

func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// killTree kills the postmaster and its backends. The postmaster is stopped
// first, so that it starts no others while we look.
func killTree(p *os.Process, done <-chan struct{}) error {
	_ = p.Signal(syscall.SIGSTOP)
	backends, err := children(p.Pid)
	killErr := p.Kill()
	if errors.Is(killErr, os.ErrProcessDone) {
		killErr = nil
	}
	for _, pid := range backends {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	<-done
	return errors.Join(err, killErr, waitGone(backends, 30*time.Second))
}

// waitGone polls until no process of pids exists any more: before that the
// shared memory is in use and a new server refuses to start.
func waitGone(pids []int, timeout time.Duration) error {
	deadline := time.Now().Add(timeout)
	for _, pid := range pids {
		for alive(pid) {
			if time.Now().After(deadline) {
				return fmt.Errorf("backend %d is still there", pid)
			}
			time.Sleep(2 * time.Millisecond)
		}
	}
	return nil
}

// alive is false for a process that is gone or only waits to be reaped by init.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return !os.IsNotExist(err) || !hasProc()
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z")
}

func hasProc() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}

// children lists the processes whose parent is pid.
func children(pid int) ([]int, error) {
	if hasProc() {
		return childrenProc(pid)
	}
	out, err := exec.CommandContext(context.Background(), "ps", "-A", "-o", "pid=,ppid=").Output()
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var pids []int
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) == 2 && f[1] == strconv.Itoa(pid) {
			child, _ := strconv.Atoi(f[0])
			pids = append(pids, child)
		}
	}
	return pids, nil
}

func childrenProc(pid int) ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, e := range entries {
		child, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if parentOf(child) == pid {
			pids = append(pids, child)
		}
	}
	return pids, nil
}

// parentOf reads the fourth field of /proc/<pid>/stat; the second, the name, may
// hold spaces and parentheses.
func parentOf(pid int) int {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	text := string(stat)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}
