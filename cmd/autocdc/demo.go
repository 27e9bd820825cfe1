package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/cmd/embedpg"
)

//go:embed demo/*.sql
var demoFiles embed.FS

type demoCmd struct {
	Keep bool `help:"Keep the servers and the replication running until Ctrl-C."`
}

// Help implements kong's HelpProvider.
func (demoCmd) Help() string {
	return "Starts a source and a target Postgres of its own on loopback ports, replicates between them while rows change, prints the targets with the SQL that asked them, and removes everything. Ends by itself in less than a minute."
}

// Run implements the command.
func (c demoCmd) Run(ctx context.Context, out output) (err error) {
	d := &demo{out: out.out, log: slog.New(slog.NewTextHandler(out.err, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	defer func() { err = errors.Join(err, d.close()) }()
	if err := d.start(ctx, out.err); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	running, stop := context.WithCancel(ctx)
	g, running := errgroup.WithContext(running)
	g.Go(func() error { return d.pipeline.Run(running, autocdc.RunOptions{}) })
	g.Go(func() error {
		defer stop()
		return d.play(running, c.Keep)
	})
	if err := g.Wait(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("demo: %w", err)
	}
	return nil
}

// demo holds both servers.
type demo struct {
	out            io.Writer
	log            *slog.Logger
	source, target *embedpg.Server
	pipeline       *autocdc.Pipeline
}

func (d *demo) start(ctx context.Context, log io.Writer) (err error) {
	d.say("Starting two Postgres servers, a source and a target …")
	if d.source, err = embedpg.Start(ctx, embedpg.Options{Settings: map[string]string{"wal_level": "logical"}, Log: log}); err != nil {
		return err
	}
	if d.target, err = embedpg.Start(ctx, embedpg.Options{Log: log}); err != nil {
		return err
	}
	flows, err := demoFiles.ReadFile("demo/flows.sql")
	if err != nil {
		return err
	}
	file, err := autocdc.ParseFlows("flows.sql", flows)
	if err != nil {
		return err
	}
	d.pipeline = &autocdc.Pipeline{
		Name: "demo", Sources: []autocdc.Source{{Name: "shop", DSN: d.source.DSN("postgres")}},
		Target: d.target.DSN("postgres"), Log: d.log,
	}
	d.pipeline.Files = append(d.pipeline.Files, file)
	d.say("source: %s\ntarget: %s", d.source.DSN("postgres"), d.target.DSN("postgres"))
	return d.shop(ctx, string(flows))
}

// shop makes the source's tables and the schema of the targets.
func (d *demo) shop(ctx context.Context, flows string) error {
	tables, err := demoFiles.ReadFile("demo/shop.sql")
	if err != nil {
		return err
	}
	d.say("\nThe source is a small shop:\n\n%s", indent(string(tables)))
	if err := d.exec(ctx, d.source, string(tables)); err != nil {
		return err
	}
	if err := d.exec(ctx, d.target, "CREATE SCHEMA dw"); err != nil {
		return err
	}
	d.say("This is all that autocdc is told (flows.sql):\n\n%s", indent(flows))
	return nil
}

func (d *demo) close() error {
	var errs []error
	for _, s := range []*embedpg.Server{d.source, d.target} {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	return errors.Join(errs...)
}

func (d *demo) exec(ctx context.Context, s *embedpg.Server, sql string) error {
	conn, err := pgx.Connect(ctx, s.DSN("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	_, err = conn.PgConn().Exec(ctx, sql).ReadAll()
	return err
}

func (d *demo) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

// until repeats a yes-or-no question to the target until the answer is yes.
func (d *demo) until(ctx context.Context, question string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		yes, err := d.ask(ctx, question)
		if err == nil && yes {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the target: %w", errors.Join(ctx.Err(), err))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (d *demo) ask(ctx context.Context, question string) (yes bool, err error) {
	conn, err := pgx.Connect(ctx, d.target.DSN("postgres"))
	if err != nil {
		return false, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	err = conn.QueryRow(ctx, question).Scan(&yes)
	return yes, err
}
