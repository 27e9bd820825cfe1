package embedpg

import (
	"fmt"
	"io"
	"os/exec"
)

// watchdogScript reads the pid to guard, line after line (0 for none). When the
// pipe ends, which it does however our process ends, it ends the server, without
// a checkpoint, and removes the directory. A death signal (Pdeathsig) would be
// no good: it follows the thread that forked, not the process.
const watchdogScript = `
pid=0
while read -r line; do pid=$line; done
if [ "$pid" -gt 0 ]; then
	kill -QUIT "$pid" 2>/dev/null
	tries=0
	while kill -0 "$pid" 2>/dev/null; do
		tries=$((tries + 1))
		[ "$tries" -eq 100 ] && kill -KILL "$pid" 2>/dev/null
		[ "$tries" -gt 200 ] && break
		sleep 0.1
	done
fi
[ -z "$1" ] || rm -rf -- "$1"
`

// watchdog is the shell that outlives us for a moment. A nil one does nothing.
type watchdog struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// startWatchdog guards a server to come; dir is removed in the end, if not empty.
func startWatchdog(dir string) (*watchdog, error) {
	cmd := exec.Command("sh", "-c", watchdogScript, "embedpg-watchdog", dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = detached()
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start watchdog: %w", err)
	}
	return &watchdog{cmd: cmd, pipe: pipe}, nil
}

// guard names the postmaster to end with us; 0 when there is none.
func (w *watchdog) guard(pid int) {
	if w != nil {
		fmt.Fprintln(w.pipe, pid)
	}
}

// close ends the watchdog, which removes the directory if that is still there.
func (w *watchdog) close() {
	if w == nil {
		return
	}
	_ = w.pipe.Close()
	_ = w.cmd.Wait()
}
