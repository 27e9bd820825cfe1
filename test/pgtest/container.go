package pgtest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/autocdc/autocdc/cmd/embedpg"
)

// containerProgram runs the container; see its package comment.
const containerProgram = "github.com/autocdc/autocdc/test/pgtest/container"

// container is a server that containerProgram runs until its input ends.
type container struct {
	cmd   *exec.Cmd
	input io.Closer
	addr  string
}

// engineAnswers looks for a Docker engine. Building the program is spared where
// neither a client nor a socket hints at one.
func engineAnswers(ctx context.Context) bool {
	_, noClient := exec.LookPath("docker")
	_, noSocket := os.Stat("/var/run/docker.sock")
	if noClient != nil && noSocket != nil && os.Getenv("DOCKER_HOST") == "" {
		return false
	}
	return exec.CommandContext(ctx, "go", "run", containerProgram, "ping").Run() == nil
}

func openContainer(ctx context.Context, version int) (server, error) {
	if version == 0 {
		version = embedpg.MinVersion
	}
	cmd := exec.CommandContext(ctx, "go", "run", containerProgram, strconv.Itoa(version))
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, _ := bufio.NewReader(output).ReadString('\n') // none if it failed, as the log says
	host, port, ok := strings.Cut(strings.TrimSpace(line), " ")
	if !ok {
		_ = input.Close()
		return nil, fmt.Errorf("run Postgres %d in a container: %w", version, cmd.Wait())
	}
	return &container{cmd: cmd, input: input, addr: net.JoinHostPort(host, port)}, nil
}

// DSN is the URL of a database of the server.
func (c *container) DSN(database string) string {
	u := url.URL{
		Scheme: "postgres", User: url.User("postgres"), Host: c.addr,
		Path: "/" + database, RawQuery: "sslmode=disable",
	}
	return u.String()
}

// Close ends the container.
func (c *container) Close() error {
	if err := c.input.Close(); err != nil {
		return err
	}
	return c.cmd.Wait()
}
