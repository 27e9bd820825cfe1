package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// sizes are how large the works are.
type sizes struct {
	Rows, Bulk, PerTx, Single, Hot, Big, Flows, Ticks int
}

// options are the flags.
type options struct {
	works          string
	rounds         int
	source, target int
	out            string
	gate           string
	keep           bool
	settings       settings
	sizes          sizes
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, parse()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

func parse() options {
	o := options{settings: settings{}}
	flag.StringVar(&o.works, "work", "all", "works to measure, by name, with commas: "+strings.Join(workNames(), ", "))
	flag.IntVar(&o.rounds, "rounds", 3, "rounds; their medians count")
	flag.IntVar(&o.source, "source", 15, "major version of the source")
	flag.IntVar(&o.target, "target", 15, "major version of the target")
	flag.StringVar(&o.out, "json", "", "file to write the figures to")
	flag.StringVar(&o.gate, "gate", "", "file of the smallest ratios allowed; below them the run fails")
	flag.BoolVar(&o.keep, "logs", false, "print the log of autocdc after each measurement")
	flag.Var(o.settings, "set", "name=value: a setting of both servers, repeatable")
	flag.IntVar(&o.sizes.Rows, "rows", 500_000, "rows of the table")
	flag.IntVar(&o.sizes.Bulk, "bulk", 250_000, "updates in large transactions")
	flag.IntVar(&o.sizes.PerTx, "pertx", 5_000, "updates in each of those")
	flag.IntVar(&o.sizes.Single, "single", 100_000, "transactions of one row")
	flag.IntVar(&o.sizes.Hot, "hot", 1_000, "hot rows")
	flag.IntVar(&o.sizes.Big, "big", 10_000_000, "rows of the one large transaction")
	flag.IntVar(&o.sizes.Flows, "flows", 200, "flows of one source, of which all but one are idle")
	flag.IntVar(&o.sizes.Ticks, "ticks", 5_000, "transactions of a measurement of the lag, a thousand a second")
	flag.Parse()
	return o
}

func run(ctx context.Context, o options) error {
	works, err := chosen(o.works)
	if err != nil {
		return err
	}
	b, err := newBench(ctx, o)
	if err != nil {
		return err
	}
	defer b.close()
	report := b.report()
	for _, w := range works {
		lines, err := w.measure(b, ctx)
		report.Lines = append(report.Lines, lines...)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
	}
	fmt.Print(report.table())
	if o.out != "" {
		if err := writeJSON(o.out, report); err != nil {
			return err
		}
	}
	return report.hold(o.gate)
}

func writeJSON(file string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// settings are name=value pairs of a repeatable flag.
type settings map[string]string

// String implements flag.Value.
func (s settings) String() string { return "" }

// Set implements flag.Value.
func (s settings) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("%q: want name=value", text)
	}
	s[name] = value
	return nil
}
