package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/cmd/embedpg"
)

// bench is two servers and the binary.
type bench struct {
	options
	servers [2]*embedpg.Server
	binary  string
	dir     string
	count   int // of databases, subscriptions and pipelines so far
}

// tuned are the settings of both servers, for all sides the same. fsync is off,
// since the disk of a shared machine says nothing about the programs. The
// launcher of native replication would otherwise sleep up to five seconds.
func tuned() map[string]string {
	return map[string]string{
		"checkpoint_timeout":          "30min",
		"fsync":                       "off",
		"maintenance_work_mem":        "256MB",
		"max_wal_size":                "16GB",
		"random_page_cost":            "1.1",
		"shared_buffers":              "1GB",
		"wal_retrieve_retry_interval": "50ms",
		"work_mem":                    "16MB",
	}
}

func newBench(ctx context.Context, o options) (b *bench, err error) {
	b = &bench{options: o}
	defer func() {
		if err != nil {
			b.close()
		}
	}()
	if b.dir, err = os.MkdirTemp("", "autocdc-bench-"); err != nil {
		return nil, err
	}
	if err := b.build(ctx); err != nil {
		return nil, err
	}
	set := tuned()
	maps.Copy(set, o.settings)
	for i, version := range []int{o.source, o.target} {
		b.servers[i], err = embedpg.Start(ctx, embedpg.Options{Version: version, Settings: set, Log: os.Stderr})
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}

// build makes the binary as a release does.
func (b *bench) build(ctx context.Context) error {
	b.binary = filepath.Join(b.dir, "autocdc")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.binary, "github.com/autocdc/autocdc/cmd/autocdc")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build autocdc: %w\n%s", err, out)
	}
	return nil
}

func (b *bench) close() {
	for _, s := range b.servers {
		if s != nil {
			_ = s.Close() // throw-away
		}
	}
	_ = os.RemoveAll(b.dir)
}

// unique is a name that no database, slot or pipeline had before.
func (b *bench) unique(name string) string {
	b.count++
	return fmt.Sprintf("%s_%d", name, b.count)
}

// database makes a database of server 0 (source) or 1 (target).
func (b *bench) database(ctx context.Context, server int, name string) (string, error) {
	name = b.unique(name)
	return b.servers[server].DSN(name), exec1(ctx, b.servers[server].DSN("postgres"), "CREATE DATABASE "+name)
}

// exec1 runs statements on a connection of their own; a string may hold several.
func exec1(ctx context.Context, dsn string, sql ...string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, s := range sql {
		if _, err := conn.PgConn().Exec(ctx, s).ReadAll(); err != nil {
			return fmt.Errorf("%w in: %s", err, s)
		}
	}
	return nil
}

func query1(ctx context.Context, dsn, sql string) (text string, err error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, sql).Scan(&text)
	return text, err
}

// patience is how long anything may take.
const patience = 4 * time.Minute

// until polls a query until it has a row.
func until(ctx context.Context, conn *pgx.Conn, every time.Duration, sql string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		var one int
		err := conn.QueryRow(ctx, sql, args...).Scan(&one)
		if err == nil {
			return nil
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("%w in: %s", err, sql)
		}
		time.Sleep(every)
	}
}

// machine says where the figures come from.
func (b *bench) machine() map[string]string {
	facts := map[string]string{
		"cores": fmt.Sprint(runtime.NumCPU()), "go": runtime.Version(), "os": runtime.GOOS + "/" + runtime.GOARCH,
		"source": b.servers[0].Binaries().Version, "target": b.servers[1].Binaries().Version,
	}
	if out, err := exec.Command("git", "describe", "--always", "--dirty").Output(); err == nil {
		facts["autocdc"] = strings.TrimSpace(string(out))
	}
	return facts
}
