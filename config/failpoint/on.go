//go:build failpoints

package failpoint

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// Variable tells what is to happen where: "batch.begun=kill@3" kills the process
// at the third pass, "batch.begun=term@1" asks it to end there and goes on. The
// point "any" stands for all.
const Variable = "AUTOCDC_FAILPOINT"

// armed is what the variable says. It is read once.
var armed = sync.OnceValue(func() *arm {
	point, action, _ := strings.Cut(os.Getenv(Variable), "=")
	a := &arm{point: Point(point), signal: syscall.SIGKILL}
	kind, count, _ := strings.Cut(action, "@")
	if kind == "term" {
		a.signal = syscall.SIGTERM
	}
	if _, err := fmt.Sscan(count, &a.at); err != nil {
		a.at = 1
	}
	return a
})

// arm is one point that is to be hit.
type arm struct {
	point  Point
	signal syscall.Signal
	at     int64
	passed atomic.Int64
}

// Pass counts, and sends the signal at the pass that is asked for. After a kill it
// does not return.
func Pass(p Point) {
	a := armed()
	if a.point != p && a.point != "any" || a.passed.Add(1) != a.at {
		return
	}
	fmt.Fprintf(os.Stderr, "failpoint %s: %s\n", p, a.signal)
	_ = syscall.Kill(os.Getpid(), a.signal)
	if a.signal == syscall.SIGKILL {
		select {} // until it arrives
	}
}
