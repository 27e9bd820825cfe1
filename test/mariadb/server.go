package mariadb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/autocdc/autocdc/test/debian"
)

// server is one running mariadbd on 127.0.0.1.
type server struct {
	dir   string // holds the data directory, the log and the certificate
	port  int
	guard io.WriteCloser // ends the server when closed, be it by the garbage collector
}

// readyTimeout bounds a start.
const readyTimeout = 60 * time.Second

// start starts a server that lives as long as this process.
func start(ctx context.Context, log io.Writer) (*server, error) {
	bin, err := findOrFetch(ctx, log)
	if err != nil {
		return nil, err
	}
	user, err := serverUser()
	if err != nil {
		return nil, err
	}
	template, err := ensureTemplate(ctx, bin, user, log)
	if err != nil {
		return nil, err
	}
	s, err := create(ctx, user, template)
	if err != nil {
		return nil, err
	}
	var errs error
	for range 5 { // another process may take the port between our look and the server's
		err := s.launch(ctx, bin, user)
		if err == nil {
			return s, nil
		}
		errs = errors.Join(errs, err)
		if !strings.Contains(err.Error(), "Can't start server") {
			break
		}
	}
	return nil, errors.Join(fmt.Errorf("start mariadbd %s: %w", bin.version, errs), s.guard.Close())
}

// create makes the server's directory and the watchdog that removes it.
func create(ctx context.Context, user runAs, template string) (*server, error) {
	dir, err := os.MkdirTemp(tempParent(), "autocdc-mariadb-")
	if err != nil {
		return nil, err
	}
	guard, err := watch(dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s := &server{dir: dir, guard: guard}
	err = errors.Join(
		user.own(dir),
		debian.Run(ctx, "cp", "-a", template, s.data()),
		writeCertificate(dir, user),
	)
	if err != nil {
		return nil, errors.Join(err, guard.Close())
	}
	return s, nil
}

// tempParent avoids a TMPDIR of root's that the server's user cannot enter.
func tempParent() string {
	if os.Geteuid() == 0 {
		return "/tmp"
	}
	return os.TempDir()
}

// launch starts the server on a free port and waits until it answers.
func (s *server) launch(ctx context.Context, bin binaries, user runAs) error {
	s.port = 15000 + rand.IntN(17000) // below the range that outgoing connections use
	log, err := os.Create(filepath.Join(s.dir, "server.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := bin.command(context.WithoutCancel(ctx), user, append(settings(bin, s.data()),
		"--bind-address=127.0.0.1",
		"--port="+strconv.Itoa(s.port),
		"--socket="+filepath.Join(s.dir, "s"),
		"--skip-name-resolve",
		"--innodb-flush-method=nosync",
		"--ssl-cert="+s.certificate(),
		"--ssl-key="+filepath.Join(s.dir, keyFile),
	)...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	fmt.Fprintln(s.guard, cmd.Process.Pid)
	return s.waitReady(ctx, cmd)
}

func (s *server) waitReady(ctx context.Context, cmd *exec.Cmd) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	exited := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the exit code says nothing that the log does not say better
		close(exited)
	}()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-exited:
			return fmt.Errorf("server did not come up; its log ends:\n%s", s.log())
		case <-ctx.Done():
			_ = cmd.Process.Kill()
			return fmt.Errorf("%w; the server's log ends:\n%s", ctx.Err(), s.log())
		case <-tick.C:
			if strings.Contains(s.log(), "ready for connections") {
				return nil
			}
		}
	}
}

func (s *server) log() string {
	text, err := os.ReadFile(filepath.Join(s.dir, "server.log"))
	if err != nil {
		return err.Error()
	}
	return tail(text)
}

func (s *server) data() string { return filepath.Join(s.dir, "data") }

func (s *server) address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// watchdogScript reads pids, the last of which counts, until the pipe ends, which
// it does however our process ends. Then it ends the server and removes $1. The
// server dies at once, but where nobody reaps orphans its pid stays.
const watchdogScript = `
pid=
while read -r line; do pid=$line; done
if [ -n "$pid" ] && kill -KILL "$pid" 2>/dev/null; then
	tries=0
	while kill -0 "$pid" 2>/dev/null && [ "$tries" -lt 40 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
fi
rm -rf -- "$1"
`

// watch starts the shell that outlives us for a moment.
func watch(dir string) (io.WriteCloser, error) {
	cmd := exec.CommandContext(context.Background(), "sh", "-c", watchdogScript, "mariadb-watchdog", dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = runAs{}.attr()
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start watchdog: %w", err)
	}
	return pipe, nil
}
