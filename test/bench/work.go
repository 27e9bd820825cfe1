package main

import (
	"context"
	"fmt"
	"strings"
)

// work is one thing to measure; it gives one line of the report or several.
type work struct {
	name    string
	measure func(b *bench, ctx context.Context) ([]line, error)
}

// works in the order of the report.
func works() []work {
	return []work{
		{"copy", (*bench).copy1},
		{"bulk", catchUp("bulk", true)},
		{"single", catchUp("single", true)},
		{"hot", catchUp("hot", false)},
		{"lag", (*bench).lag},
		{"big", (*bench).big},
		{"flows", (*bench).flows},
		{"nothing", (*bench).nothing},
	}
}

func workNames() []string {
	var names []string
	for _, w := range works() {
		names = append(names, w.name)
	}
	return names
}

func chosen(names string) ([]work, error) {
	if names == "all" {
		return works(), nil
	}
	var list []work
next:
	for name := range strings.SplitSeq(names, ",") {
		for _, w := range works() {
			if w.name == name {
				list = append(list, w)
				continue next
			}
		}
		return nil, fmt.Errorf("no work %q: there are %s", name, strings.Join(workNames(), ", "))
	}
	return list, nil
}

// copy1 is the first copy of the table, by sides that are new in each round.
func (b *bench) copy1(ctx context.Context) ([]line, error) {
	source, err := b.newSource(ctx)
	if err != nil {
		return nil, err
	}
	l := line{Name: "copy", What: "first copy, SCD 1", Goal: 1.5, Rows: b.sizes.Rows}
	for round := range b.rounds {
		sides := []side{&native{b: b, source: source}, &service{b: b, source: source, kind: 1}}
		if err := b.round(ctx, source, "copied", round, sides, &l); err != nil {
			return nil, err
		}
	}
	return []line{l}, nil
}

// round sets sides up, measures them, in turns first and last, and drops them.
func (b *bench) round(ctx context.Context, source, marker string, round int, sides []side, l *line) error {
	for i := range sides {
		s := sides[(i+round)%len(sides)]
		if err := s.setUp(ctx); err != nil {
			return err
		}
		took, err := b.measured(ctx, s, source, marker)
		if err != nil {
			return err
		}
		l.add(s.name(), took.Seconds())
		if err := s.drop(ctx); err != nil {
			return err
		}
	}
	return nil
}

// catchUp has all sides copy the table, and then in each round catch up with the
// same backlog, one after the other.
func catchUp(name string, history bool) func(b *bench, ctx context.Context) ([]line, error) {
	return func(b *bench, ctx context.Context) ([]line, error) {
		source, err := b.newSource(ctx)
		if err != nil {
			return nil, err
		}
		l := backlogs()[name]
		one := line{Name: name, What: l.name + ", SCD 1", Goal: goals()[name], Rows: l.rows(b.sizes)}
		lines := []*line{&one}
		pairs := [][]side{{&native{b: b, source: source}, &service{b: b, source: source, kind: 1}}}
		if history {
			lines = append(lines, &line{Name: name + "2", What: l.name + ", SCD 2", Goal: goals()[name+"2"], Rows: one.Rows})
			pairs = append(pairs, []side{&native{b: b, source: source, history: true}, &service{b: b, source: source, kind: 2}})
		}
		err = b.rounds1(ctx, source, l, pairs, lines)
		var list []line
		for _, l := range lines {
			list = append(list, *l)
		}
		return list, err
	}
}

// goals are what each ratio should be at least.
func goals() map[string]float64 {
	return map[string]float64{"bulk": 1.7, "single": 2, "hot": 4, "bulk2": 4, "single2": 4}
}

func (b *bench) rounds1(ctx context.Context, source string, l backlog, pairs [][]side, lines []*line) error {
	for _, pair := range pairs {
		for _, s := range pair {
			if err := s.setUp(ctx); err != nil {
				return err
			}
			if _, err := b.measured(ctx, s, source, "copied"); err != nil {
				return err
			}
			defer func() { _ = s.drop(ctx) }() // or the server's end does
			if err := exec1(ctx, s.dsn(), "VACUUM ANALYZE"); err != nil {
				return err
			}
		}
	}
	for round := range b.rounds {
		marker, err := b.load(ctx, source, l, round)
		if err != nil {
			return err
		}
		for i, pair := range pairs {
			for j := range pair {
				s := pair[(j+round)%len(pair)]
				if err := exec1(ctx, s.dsn(), "VACUUM"); err != nil {
					return err
				}
				took, err := b.measured(ctx, s, source, marker)
				if err != nil {
					return err
				}
				lines[i].add(s.name(), took.Seconds())
			}
		}
	}
	return nil
}
