package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/autocdc/autocdc"
)

type refreshCmd struct {
	Targets []string `arg:"" name:"target" help:"Targets to rebuild, as the flow files name them."`
	Full    bool     `help:"Rebuild from all rows of the sources. Required: there is no other way yet."`
	Yes     bool     `short:"y" help:"Do not ask."`
	Flows   []string `name:"flows" placeholder:"FILE" help:"Flow files; repeatable, patterns are expanded. Default: those of the configuration."`
	settings
}

// Help implements kong's HelpProvider.
func (refreshCmd) Help() string {
	return "The new contents replace the old in one transaction; until then the old stay readable. A history begins anew with what the sources still have. Keys, kind, sequence and tracked columns may have changed since the target was made. The run must have ended; the next one goes on from there."
}

// Run implements the command.
func (c *refreshCmd) Run(ctx context.Context, out output) error {
	if !c.Full {
		return &wrongUse{"refresh: --full is missing", "autocdc refresh " + strings.Join(c.Targets, " ") + " --full rebuilds from all rows of the sources; without it there is nothing to do, run brings targets up to date"}
	}
	opts := autocdc.RefreshOptions{Targets: c.Targets}
	if !c.Yes {
		if !isTerminal(os.Stdin) {
			return unanswered()
		}
		opts.Confirm = func(what string) error { return confirm(os.Stdin, out.err, what) }
	}
	pipeline, err := watched(out.err, func(log io.Writer) (*autocdc.Pipeline, error) { return c.pipeline(c.Flows, "with --flows FILE", log) })
	if err != nil {
		return fmt.Errorf("refresh: %w", err)
	}
	err = pipeline.Refresh(ctx, opts)
	var faults *autocdc.FaultsError
	if errors.As(err, &faults) {
		return fmt.Errorf("refresh: %w", err)
	}
	return err
}

func unanswered() error {
	return &wrongUse{"refresh: nobody confirms it: standard input is no terminal", "add --yes if the contents of the targets may be replaced"}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// confirm asks and takes y and yes for consent.
func confirm(in io.Reader, out io.Writer, what string) error {
	fmt.Fprintf(out, "%s\nGo on? [y/N] ", what)
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && answer == "" {
		fmt.Fprintln(out)
		return unanswered() // such as /dev/null
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return fmt.Errorf("refresh: not confirmed, nothing was changed")
}
