// Command container runs one Postgres server in a container through
// testcontainers-go, for pgtest: it prints the server's address and ends the
// container when its standard input ends, as it does when the test process is
// gone. It is a program of its own so that the Docker client is compiled and
// linked for nobody else, and that the container ends with the test process also
// where the library's reaper is switched off.
//
// Reviewed, but not run where it was written: there is no Docker engine.
//
//	container ping       exit 0 if a Docker engine answers
//	container VERSION    run Postgres VERSION
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/modules/postgres"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: container ping | VERSION")
		os.Exit(2)
	}
	signal.Ignore(os.Interrupt) // a Ctrl-C ends the test process, which ends us in order
	work := func() error { return run(os.Args[1]) }
	if os.Args[1] == "ping" {
		work = ping
	}
	if err := guarded(work); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// guarded makes an error of a panic: the library panics where there is no engine.
func guarded(work func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("reach a Docker engine: %v", r)
		}
	}()
	return work()
}

func ping() error {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	provider, err := testcontainers.NewDockerProvider()
	if err != nil {
		return fmt.Errorf("reach a Docker engine: %w", err)
	}
	defer provider.Close()
	return provider.Health(ctx)
}

func run(version string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	c, err := postgres.Run(ctx, "postgres:"+version,
		postgres.WithUsername("postgres"),
		postgres.WithDatabase("postgres"),
		testcontainers.WithEnv(map[string]string{"POSTGRES_HOST_AUTH_METHOD": "trust"}),
		testcontainers.WithCmd(command()...),
		postgres.BasicWaitStrategies(),
	)
	if err == nil {
		err = announce(ctx, c)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, os.Stdin)
	}
	return errors.Join(err, testcontainers.TerminateContainer(c))
}

// command sets what embedpg sets for local servers.
func command() []string {
	return []string{
		"postgres",
		"-c", "fsync=off",
		"-c", "max_connections=300",
		"-c", "max_replication_slots=200",
		"-c", "max_wal_senders=40",
		"-c", "max_wal_size=4GB",
		"-c", "timezone=UTC",
		"-c", "wal_level=logical",
	}
}

// announce prints host and port on one line.
func announce(ctx context.Context, c testcontainers.Container) error {
	host, err := c.Host(ctx)
	if err != nil {
		return err
	}
	port, err := c.MappedPort(ctx, "5432/tcp")
	if err != nil {
		return err
	}
	_, err = fmt.Printf("%s %s\n", host, port.Port())
	return err
}
