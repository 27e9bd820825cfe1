package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

// report is everything that a run has measured.
type report struct {
	Machine  map[string]string
	Settings map[string]string
	Sizes    sizes
	Lines    []line
}

func (b *bench) report() *report {
	set := tuned()
	maps.Copy(set, b.settings)
	return &report{Machine: b.machine(), Settings: set, Sizes: b.sizes}
}

// line is a work: the figures of the other side and ours.
type line struct {
	Name, What string
	Goal       float64 `json:",omitempty"` // what the ratio should be at least; negative: at most
	Unit       string  `json:",omitempty"` // seconds if empty
	Rows       int     `json:",omitempty"`
	Sides      []figures
	Note       string `json:",omitempty"`
}

// figures are those of one side, a figure a round.
type figures struct {
	Side   string
	Rounds []float64
	Median float64
}

// add takes the figure of a round. The first side that is named stays first, and ours last.
func (l *line) add(side string, figure float64) {
	i := slices.IndexFunc(l.Sides, func(f figures) bool { return f.Side == side })
	if i < 0 {
		i = len(l.Sides)
		l.Sides = append(l.Sides, figures{Side: side})
	}
	f := &l.Sides[i]
	f.Rounds = append(f.Rounds, figure)
	f.Median = median(f.Rounds)
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// ratio is the other side's median divided by ours, or ours by the other's where
// the goal is an upper bound. Without another side it is our figure.
func (l *line) ratio() float64 {
	switch {
	case len(l.Sides) == 0:
		return math.NaN()
	case len(l.Sides) == 1:
		return l.Sides[0].Median
	case l.Goal < 0:
		return l.Sides[1].Median / l.Sides[0].Median
	}
	return l.Sides[0].Median / l.Sides[1].Median
}

func (l *line) meets() bool {
	if l.Goal < 0 {
		return l.ratio() <= -l.Goal
	}
	return l.ratio() >= l.Goal
}

func (l *line) goal() string {
	switch {
	case l.Goal < 0:
		return fmt.Sprintf("<= %g", -l.Goal)
	case l.Goal > 0:
		return fmt.Sprintf(">= %g", l.Goal)
	}
	return ""
}

// table is the report for people.
func (r *report) table() string {
	var text strings.Builder
	fmt.Fprintf(&text, "Postgres %s -> %s, %s cores, %s, autocdc %s\n", r.Machine["source"], r.Machine["target"], r.Machine["cores"], r.Machine["go"], r.Machine["autocdc"])
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\twork\tmedians\tratio\tgoal\tmet\tnote")
	for i := range r.Lines {
		l := &r.Lines[i]
		var medians []string
		for _, f := range l.Sides {
			medians = append(medians, fmt.Sprintf("%s %.3g %s", f.Side, f.Median, l.unit()))
		}
		met := "yes"
		if !l.meets() {
			met = "NO"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%.2f\t%s\t%s\t%s\n", l.Name, l.What, strings.Join(medians, "; "), l.ratio(), l.goal(), met, l.Note)
	}
	_ = w.Flush() // into memory
	return text.String()
}

func (l *line) unit() string {
	if l.Unit == "" {
		return "s"
	}
	return l.Unit
}

// hold compares ratios with the bounds of a file: the smallest allowed, or the
// largest where the goal is an upper bound.
func (r *report) hold(file string) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var bounds map[string]float64
	if err := json.Unmarshal(text, &bounds); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var faults []string
	for i := range r.Lines {
		l := &r.Lines[i]
		bound, ok := bounds[l.Name]
		if !ok {
			continue
		}
		if worse := l.Goal < 0 && l.ratio() > bound || l.Goal >= 0 && l.ratio() < bound; worse {
			faults = append(faults, fmt.Sprintf("%s: ratio %.2f, the bound is %.2f", l.Name, l.ratio(), bound))
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("slower than %s allows:\n%s", file, strings.Join(faults, "\n"))
	}
	return nil
}
