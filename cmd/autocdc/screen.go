package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"github.com/autocdc/autocdc"
)

// screen shows long steps as bars at the bottom of a terminal; what is written to it
// scrolls above them.
type screen struct {
	out io.Writer

	mu    sync.Mutex
	bars  *mpb.Progress // nil while there is no step
	steps int
}

// screenOn returns nil unless the writer is a terminal.
func screenOn(out io.Writer) *screen {
	f, ok := out.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return &screen{out: out}
}

// watched lets a pipeline show its steps where it writes its log.
func watched(out io.Writer, declare func(log io.Writer) (*autocdc.Pipeline, error)) (*autocdc.Pipeline, error) {
	s := screenOn(out)
	if s == nil {
		return declare(out)
	}
	p, err := declare(s)
	if err == nil {
		p.Progress = s
	}
	return p, err
}

// Write implements io.Writer.
func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bars == nil {
		return s.out.Write(text)
	}
	return s.bars.Write(text)
}

// Begin implements autocdc.Progress.
func (s *screen) Begin(step autocdc.Step) func(autocdc.Amount, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bars == nil {
		s.bars = mpb.New(mpb.WithOutput(s.out), mpb.ForceTTY(), mpb.ForceAutoRefresh(), mpb.WithRefreshRate(150*time.Millisecond))
	}
	s.steps++
	b := newBar(s.bars, step)
	return func(done autocdc.Amount, ended bool) {
		b.show(done)
		if ended {
			b.bar.Abort(true)
			s.end()
		}
	}
}

// end takes the bars away with the last step.
func (s *screen) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.steps--; s.steps == 0 {
		s.bars.Wait()
		s.bars = nil
	}
}

// parts of a bar, so that estimates need no unit.
const wholeBar = 1000

// bar shows one step.
type bar struct {
	step autocdc.Step
	bar  *mpb.Bar
	done atomic.Pointer[autocdc.Amount]
}

func newBar(bars *mpb.Progress, step autocdc.Step) *bar {
	b := &bar{step: step}
	b.done.Store(&autocdc.Amount{})
	facts := decor.Any(func(decor.Statistics) string { return " " + describe(step, *b.done.Load()) })
	var style mpb.BarFillerBuilder = mpb.BarStyle()
	if step.Rows == 0 && step.Bytes == 0 {
		style = mpb.NopStyle()
	}
	b.bar = bars.New(wholeBar, style, mpb.BarWidth(30), mpb.BarFillerTrim(), mpb.PrependDecorators(decor.Name(title(step)+" ")), mpb.AppendDecorators(facts))
	return b
}

func (b *bar) show(done autocdc.Amount) {
	b.done.Store(&done)
	// a full bar would be taken for finished: estimates may be too low
	b.bar.SetCurrent(min(wholeBar-1, int64(b.step.Share(done)*wholeBar)))
}

// title says what is going on: "copy orders (2 of 5)".
func title(s autocdc.Step) string {
	text := s.What + " " + s.Name
	if s.Of > 1 {
		text += fmt.Sprintf(" (%d of %d)", s.Number, s.Of)
	}
	return text
}

// describe says how far it is: "1.2M of 3.4M rows, 120.5 MB, 45.1k rows/s, 6.1 MB/s, 1m20s left".
func describe(s autocdc.Step, done autocdc.Amount) string {
	text := short(done.Rows)
	if s.Rows > 0 {
		text += " of " + short(s.Rows)
	}
	text += fmt.Sprintf(" rows, %sB, %s rows/s, %sB/s", short(done.Bytes), short(done.PerSecond()), short(done.BytesPerSecond()))
	if left := s.Remaining(done); left > 0 {
		text += fmt.Sprintf(", %s left", left)
	}
	return text
}

// short writes a number with at most four digits and a letter.
func short(n int64) string {
	if n < 10_000 {
		return fmt.Sprint(n)
	}
	x := float64(n)
	for _, unit := range "kMGTP" {
		if x /= 1000; x < 1000 {
			return fmt.Sprintf("%.1f%c", x, unit)
		}
	}
	return fmt.Sprintf("%.0fE", x/1000)
}
