package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// processors is the processor time of a service and of all sessions of both servers.
func (b *bench) processors(s side) time.Duration {
	var sum time.Duration
	if ours, ok := s.(*service); ok {
		sum += processorTime(ours.cmd.Process.Pid)
	}
	for _, server := range b.servers {
		for _, pid := range children(server.PID()) {
			sum += processorTime(pid)
		}
	}
	return sum
}

// children lists the processes whose parent is pid.
func children(pid int) []int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return nil
	}
	var pids []int
	for field := range strings.FieldsSeq(string(text)) {
		var child int
		if _, err := fmt.Sscan(field, &child); err == nil {
			pids = append(pids, child)
		}
	}
	return pids
}

// named gives a side another name.
type named struct {
	*service
	as string
}

func (n named) name() string { return n.as }

// flows compares many flows, all but one idle, with one flow.
func (b *bench) flows(ctx context.Context) ([]line, error) {
	source, err := b.tickSource(ctx, b.sizes.Flows)
	if err != nil {
		return nil, err
	}
	what := fmt.Sprintf("%d flows, one of them busy: ", b.sizes.Flows)
	half := line{Name: "flows", What: what + "median lag", Goal: -1.2, Unit: "ms"}
	work := line{Name: "flowscpu", What: what + "processor time for 1000 rows", Goal: -1.2}
	many := []string{"item"}
	for i := 1; i < b.sizes.Flows; i++ {
		many = append(many, fmt.Sprintf("idle_%d", i))
	}
	sides := []named{
		{&service{b: b, source: source, kind: 1}, "one flow"},
		{&service{b: b, source: source, kind: 1, tables: many}, "many flows"},
	}
	first := 1
	for round := range b.rounds {
		for i := range sides {
			s := sides[(i+round)%len(sides)]
			d, err := b.delay(ctx, s.service, source, first)
			if err != nil {
				return nil, err
			}
			first += b.sizes.Ticks + 1
			half.add(s.name(), d.median)
			work.add(s.name(), d.cpu)
		}
	}
	return []line{half, work}, nil
}

// nothing is a triggered run that finds nothing to do, from the start of the
// process to its end.
func (b *bench) nothing(ctx context.Context) ([]line, error) {
	source, err := b.tickSource(ctx, 1)
	if err != nil {
		return nil, err
	}
	s := &service{b: b, source: source, kind: 1}
	if err := s.setUp(ctx); err != nil {
		return nil, err
	}
	if _, err := s.triggered(ctx); err != nil {
		return nil, err
	}
	l := line{Name: "nothing", What: "run --triggered with nothing to do", Goal: -0.5}
	for range max(b.rounds, 5) {
		took, err := s.triggered(ctx)
		if err != nil {
			return nil, err
		}
		l.add(s.name(), took.Seconds())
	}
	return []line{l}, s.drop(ctx)
}

// big is one transaction of many rows: the rate beside that of the bulk work, and
// the memory.
func (b *bench) big(ctx context.Context) ([]line, error) {
	source, err := b.tickSource(ctx, 1)
	if err != nil {
		return nil, err
	}
	s := &service{b: b, source: source, kind: 1}
	if err := s.setUp(ctx); err != nil {
		return nil, err
	}
	if _, err := b.measured(ctx, s, source, "copied"); err != nil {
		return nil, err
	}
	if err := exec1(ctx, source, fmt.Sprintf(`BEGIN; SET LOCAL synchronous_commit = off;
INSERT INTO item SELECT i, i %% 1000, 'new', i %% 10000 / 100.0, now(), repeat('x', 50) || i FROM generate_series(1, %d) i;
UPDATE item SET note = 'big' WHERE id = 0; COMMIT`, b.sizes.Big)); err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, s.dsn())
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx)
	began := time.Now()
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	if err := awaitMarker(ctx, conn, s, "big"); err != nil {
		return nil, err
	}
	took := time.Since(began).Seconds()
	s.peak = 0
	if err := s.end(ctx); err != nil {
		return nil, err
	}
	rate := line{Name: "big", What: fmt.Sprintf("one transaction of %d rows", b.sizes.Big), Unit: "rows/s", Rows: b.sizes.Big, Note: fmt.Sprintf("%.1f s", took)}
	rate.add(s.name(), float64(b.sizes.Big)/took)
	memory := line{Name: "bigmem", What: "the same: peak of resident memory", Goal: -256, Unit: "MiB"}
	memory.add(s.name(), float64(s.peak)/(1<<20))
	return []line{rate, memory}, s.drop(ctx)
}
