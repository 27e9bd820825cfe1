package main

import (
	"context"
	"fmt"
	"io"

	"github.com/autocdc/autocdc"
)

type runCmd struct {
	Flows         []string `arg:"" optional:"" name:"flows" help:"Flow files; patterns are expanded. Default: those of the configuration."`
	Triggered     bool     `help:"Apply everything that is available when it starts, then end."`
	HTTP          string   `name:"http" placeholder:"ADDR" help:"Serve /healthz, /readyz and /metrics there, for instance :8080."`
	AcceptDeletes []string `placeholder:"FLOW" sep:"none" help:"Let one snapshot of the flow delete whatever it lacks; repeatable."`
	settings
}

// Run implements the command.
func (c *runCmd) Run(ctx context.Context, out output) error {
	pipeline, err := watched(out.err, func(log io.Writer) (*autocdc.Pipeline, error) { return c.pipeline(c.Flows, asArguments, log) })
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	if err := pipeline.Run(ctx, autocdc.RunOptions{Triggered: c.Triggered, HTTP: c.HTTP, AcceptDeletes: c.AcceptDeletes}); err != nil {
		return fmt.Errorf("run: %w", err)
	}
	return nil
}
