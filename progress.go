package autocdc

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// Progress is shown how long steps go on, instead of the log.
type Progress interface {
	// Begin announces a step. What it returns is told, by one goroutine and several
	// times a second, how much has been brought, and that the step has ended. Steps of
	// several sources overlap.
	Begin(Step) func(done Amount, ended bool)
}

// Step is something that brings many rows.
type Step struct {
	What string // copy, refresh or stage
	Name string // of the flow; of the target that is refreshed
	// Number is its place among Of steps that follow one another; 0 if it is alone.
	Number, Of int
	// Rows and Bytes are estimates of what there is to be brought; 0: unknown.
	Rows, Bytes int64
}

// Amount is what a step has brought.
type Amount struct {
	Rows, Bytes int64
	Took        time.Duration
}

// PerSecond is the rate of rows so far.
func (a Amount) PerSecond() int64 { return perSecond(a.Rows, a.Took) }

// BytesPerSecond is that of bytes.
func (a Amount) BytesPerSecond() int64 { return perSecond(a.Bytes, a.Took) }

func perSecond(n int64, took time.Duration) int64 {
	if took <= 0 {
		return 0
	}
	return int64(float64(n) / took.Seconds())
}

// Share is how much of the step is done, from 0 to 1; 0 if that is unknown.
func (s Step) Share(done Amount) float64 {
	switch {
	case s.Rows > 0:
		return min(1, float64(done.Rows)/float64(s.Rows))
	case s.Bytes > 0:
		return min(1, float64(done.Bytes)/float64(s.Bytes))
	}
	return 0
}

// Remaining is the time that the rest will take at the rate so far; 0 if that is
// unknown.
func (s Step) Remaining(done Amount) time.Duration {
	share := s.Share(done)
	if share == 0 {
		return 0
	}
	return time.Duration(float64(done.Took) * (1 - share) / share).Round(time.Second)
}

// How often a step is shown: on a screen, and in the log at first and later.
const (
	screenEvery = 100 * time.Millisecond
	logFirst    = 10 * time.Second
	logEvery    = 30 * time.Second
)

// meter counts what a step brings, and shows it.
type meter struct {
	step        Step
	began       time.Time
	rows, bytes atomic.Int64
	stop        chan struct{}
	shown       sync.WaitGroup
}

// begin shows a step until end.
func (r *run) begin(step Step, log *slog.Logger) *meter {
	m := &meter{step: step, began: time.Now(), stop: make(chan struct{})}
	show, first, every := logged(step, log), logFirst, logEvery
	if r.Progress != nil {
		show, first, every = r.Progress.Begin(step), screenEvery, screenEvery
	}
	m.shown.Go(func() { m.run(show, first, every) })
	return m
}

func (m *meter) run(show func(Amount, bool), first, every time.Duration) {
	timer := time.NewTimer(first)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			show(m.amount(), false)
			timer.Reset(every)
		case <-m.stop:
			show(m.amount(), true)
			return
		}
	}
}

func (m *meter) amount() Amount {
	return Amount{m.rows.Load(), m.bytes.Load(), time.Since(m.began)}
}

// end shows the last state and returns it.
func (m *meter) end() Amount {
	close(m.stop)
	m.shown.Wait()
	return m.amount()
}

// counting counts the rows that read writes in COPY's text format.
func (m *meter) counting(read func(ctx context.Context, w io.Writer) error) func(ctx context.Context, w io.Writer) error {
	return func(ctx context.Context, w io.Writer) error { return read(ctx, &countingWriter{w, m, lines}) }
}

// countingBinary does it for COPY's binary format.
func (m *meter) countingBinary(read func(ctx context.Context, w io.Writer) error) func(ctx context.Context, w io.Writer) error {
	return func(ctx context.Context, w io.Writer) error { return read(ctx, &countingWriter{w, m, messages}) }
}

type countingWriter struct {
	io.Writer
	m    *meter
	rows func(written []byte) int
}

// Write implements io.Writer.
func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.m.rows.Add(int64(c.rows(p[:n])))
	c.m.bytes.Add(int64(n))
	return n, err
}

// lines counts rows in COPY's text format: every row, and nothing else, has a line
// feed.
func lines(written []byte) int { return bytes.Count(written, []byte{'\n'}) }

// messages counts rows of COPY's binary format: the server sends each in a message
// of its own, and in the end a trailer of two bytes.
func messages(written []byte) int {
	if len(written) <= 2 {
		return 0
	}
	return 1
}

// logged writes a line each time, and a last one if there was any.
func logged(step Step, log *slog.Logger) func(Amount, bool) {
	spoke := false
	return func(done Amount, ended bool) {
		if ended && !spoke {
			return
		}
		spoke = true
		log.Info(step.says(ended), step.facts(done, ended)...)
	}
}

func (s Step) says(ended bool) string {
	if ended {
		return "end of " + s.What
	}
	return s.What + " goes on"
}

func (s Step) facts(done Amount, ended bool) []any {
	facts := []any{"name", s.Name}
	if s.Of > 1 {
		facts = append(facts, "number", s.Number, "of", s.Of)
	}
	facts = append(facts, "rows", done.Rows)
	if s.Rows > 0 && !ended {
		facts = append(facts, "rows_expected", s.Rows)
	}
	facts = append(facts, "bytes", done.Bytes, "rows_per_second", done.PerSecond(), "bytes_per_second", done.BytesPerSecond())
	if left := s.Remaining(done); left > 0 && !ended {
		facts = append(facts, "remaining", left)
	}
	return facts
}
