package main

import (
	"context"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// cli is the command line.
type cli struct {
	Init    initCmd    `cmd:"" help:"Read the sources' catalogs and write a commented flow file."`
	Check   checkCmd   `cmd:"" help:"Report everything that would keep the flows from running. Changes nothing."`
	Run     runCmd     `cmd:"" help:"Copy, then follow the sources until a signal."`
	Status  statusCmd  `cmd:"" help:"Show flows, states, positions and lag."`
	Refresh refreshCmd `cmd:"" help:"Rebuild targets from their sources."`
	Demo    demoCmd    `cmd:"" help:"Play a small shop on throw-away servers and show what the targets tell."`
	Version versionCmd `cmd:"" help:"Show version, commit, Go version and supported Postgres versions."`
}

// output is where a command writes: results to out, everything else to err.
type output struct{ out, err io.Writer }

// exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// execute runs one command line and returns the exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	code := -1
	parser, err := kong.New(&cli{}, kong.Name("autocdc"), kong.Writers(stdout, stderr),
		kong.Description("Replicates tables of Postgres servers into current and history tables of another, as flow files in SQL declare it."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Exit(func(c int) { code = c }))
	if err != nil {
		return report(stderr, err)
	}
	parsed, err := parser.Parse(customary(args))
	if code >= 0 { // --help was printed
		return code
	}
	if err != nil {
		return report(stderr, usageError(err))
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	return report(stderr, parsed.Run(output{stdout, stderr}))
}

// customary understands what other programs have taught people to type.
func customary(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "help":
		return append(args[1:len(args):len(args)], "--help")
	case args[0] == "--version":
		return []string{"version"}
	}
	return args
}

// usageError turns kong's message into cause and hint.
func usageError(err error) error {
	message, suggestion, found := strings.Cut(err.Error(), ", did you mean ")
	hint := "see autocdc --help"
	if found {
		hint = "did you mean " + suggestion
	}
	return &wrongUse{message: "parse command line: " + message, hint: hint}
}

// wrongUse is a mistake of the caller: exit 2.
type wrongUse struct{ message, hint string }

func (e *wrongUse) Error() string { return e.message }
