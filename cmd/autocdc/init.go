package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/autocdc/autocdc"
)

type initCmd struct {
	Tables []string `default:"public.*" placeholder:"PATTERN" help:"Tables to take, as schema.table with * and ?; *.* for all. Repeatable. Default: public.*"`
	SCD    int      `name:"scd" default:"1" enum:"1,2" help:"Keep current rows (1) or their history (2). Default: ${default}"`
	Into   string   `placeholder:"SCHEMA" help:"Schema of the targets. Default: that of each table."`
	Output string   `short:"o" placeholder:"FILE" help:"Write to FILE, which must not exist yet. Default: standard output."`
	settings
}

// Run implements the command.
func (c *initCmd) Run(ctx context.Context, out output) error {
	if _, err := os.Stat(c.Output); c.Output != "" && !errors.Is(err, fs.ErrNotExist) {
		return &wrongUse{fmt.Sprintf("write %s: the file exists", c.Output), "choose another name; init does not overwrite"}
	}
	pipeline, err := c.declaration(out.err)
	if err != nil {
		return err
	}
	text, err := pipeline.Init(ctx, autocdc.InitOptions{Tables: c.Tables, SCD: c.SCD, Into: c.Into})
	if err != nil {
		return fmt.Errorf("init: %w", err)
	}
	if c.Output == "" {
		_, err := io.WriteString(out.out, text)
		return err
	}
	return c.write(text, out.err)
}

// write makes the file; it fails if somebody else made it meanwhile.
func (c *initCmd) write(text string, log io.Writer) error {
	f, err := os.OpenFile(c.Output, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("write flow file: %w", err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write flow file: %w", err)
	}
	fmt.Fprintf(log, "wrote %s: %s; next: autocdc check %s\n", c.Output, summary(text), c.Output)
	return nil
}

// summary says what a flow file of init holds, and what it holds as comments only.
func summary(text string) string {
	s := count(strings.Count(text, "\nCREATE FLOW "), "flow")
	if n := strings.Count(text, "\n-- CREATE FLOW "); n > 0 {
		s += fmt.Sprintf(", and %s as comments, below a WARNING that says what their tables need", count(n, "flow"))
	}
	return s
}
