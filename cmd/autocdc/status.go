package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/autocdc/autocdc"
)

type statusCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
	settings
}

// Run implements the command.
func (c *statusCmd) Run(ctx context.Context, out output) error {
	cfg, err := c.load()
	if err != nil {
		return err
	}
	if cfg.Target == "" {
		return noTarget()
	}
	pipeline := c.declare(cfg, out.err)
	status, err := pipeline.Status(ctx)
	if err != nil {
		return fmt.Errorf("read status of pipeline %q: %w", pipeline.Name, err)
	}
	if c.JSON {
		return writeJSON(out.out, status)
	}
	return printStatus(out.out, status)
}

func printStatus(out io.Writer, s *autocdc.Status) error {
	if len(s.Sources) == 0 && len(s.Snapshots) == 0 {
		fmt.Fprintf(out, "pipeline %s has not run yet\n", s.Pipeline)
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	printSources(w, s.Sources)
	printSnapshots(w, s.Snapshots)
	printExpectations(w, s)
	return w.Flush()
}

func printSources(w io.Writer, sources []autocdc.SourceStatus) {
	if len(sources) == 0 {
		return
	}
	fmt.Fprintln(w, "SOURCE\tSTATE\tCHECKPOINT\tLAG BYTES\tLAG SECONDS\tRETAINED BYTES\tERROR")
	for _, src := range sources {
		state := "not running"
		if src.Active {
			state = "running"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%.1f\t%d\t%s\n", src.Name, state, src.Checkpoint, src.LagBytes, src.LagSeconds, src.Retained, src.Error)
	}
	fmt.Fprintln(w, "\nFLOW\tSTATE\tTARGET\tPOSITION\tLATE BEYOND WINDOW\tERROR")
	for _, src := range sources {
		for _, f := range src.Flows {
			state := f.Status
			if f.PartlyCopied {
				state += " (partly copied)"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\n", f.Name, state, f.Target, f.Position, f.LateBeyondWindow, f.Error)
		}
	}
	fmt.Fprintln(w)
}

func printSnapshots(w io.Writer, flows []autocdc.FlowStatus) {
	if len(flows) == 0 {
		return
	}
	fmt.Fprintln(w, "SNAPSHOTS\tSTATE\tTARGET\tSOURCE\tVERSION\tSKIPPED\tERROR")
	for _, f := range flows {
		source := f.Source
		if source == "" {
			source = "(target)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n", f.Name, f.Status, f.Target, source, f.Version, f.Skipped, f.Error)
	}
}

// printExpectations lists those that have been tested.
func printExpectations(w io.Writer, s *autocdc.Status) {
	flows := slices.Clone(s.Snapshots)
	for _, src := range s.Sources {
		flows = append(flows, src.Flows...)
	}
	head := "\nEXPECTATION\tFLOW\tTARGET\tPASSED\tFAILED\n"
	for _, f := range flows {
		for _, e := range f.Expectations {
			fmt.Fprintf(w, "%s%s\t%s\t%s\t%d\t%d\n", head, e.Name, f.Name, f.Target, e.Passed, e.Failed)
			head = ""
		}
	}
}
