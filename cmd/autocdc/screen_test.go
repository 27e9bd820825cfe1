package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/autocdc/autocdc"
)

// terminal is a buffer that several goroutines write to.
type terminal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *terminal) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(text)
}

func (s *terminal) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// visible plays what is left on a terminal: mpb goes up some lines and clears the
// rest of the screen.
func visible(text string) []string {
	var lines []string
	for i, piece := range strings.Split(text, "\x1b[") {
		if n := 0; i > 0 {
			if _, err := fmt.Sscanf(piece, "%dA", &n); err == nil {
				lines, piece = lines[:len(lines)-n], ""+piece[strings.Index(piece, "A")+1:]
			} else if rest, ok := strings.CutPrefix(piece, "J"); ok {
				piece = rest
			}
		}
		lines = append(lines, strings.SplitAfter(piece, "\n")...)
		for len(lines) > 0 && lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
	}
	return lines
}

func TestScreen_KeepsLinesAndBarsApart(t *testing.T) {
	t.Parallel()
	out := &terminal{}
	s := &screen{out: out}
	fmt.Fprintln(s, "before")
	first := s.Begin(autocdc.Step{What: "copy", Name: "orders", Number: 2, Of: 5, Rows: 1000})
	second := s.Begin(autocdc.Step{What: "stage", Name: "prices"})
	for i := range 10 {
		first(autocdc.Amount{Rows: int64(100 * i), Bytes: 12_345_678, Took: time.Second}, false)
		second(autocdc.Amount{Rows: 7, Took: time.Second}, false)
		fmt.Fprintf(s, "line %d\n", i)
	}
	deadline := time.After(5 * time.Second)
	for !strings.Contains(out.String(), "900 of 1000 rows, 12.3MB, 900 rows/s") {
		select {
		case <-deadline:
			t.Fatalf("no bar shows the last state:\n%q", out.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	if text := out.String(); !strings.Contains(text, "copy orders (2 of 5) [") || !strings.Contains(text, "stage prices") {
		t.Errorf("the titles are missing:\n%q", text)
	}
	first(autocdc.Amount{Rows: 1100}, true)
	second(autocdc.Amount{Rows: 8}, true)
	fmt.Fprintln(s, "after")
	want := "before\n"
	for i := range 10 {
		want += fmt.Sprintf("line %d\n", i)
	}
	if got := strings.Join(visible(out.String()), ""); got != want+"after\n" {
		t.Errorf("left on the screen:\n%s\nwant\n%s\nraw %q", got, want+"after\n", out.String())
	}
}

func TestShort_WritesFewDigits(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0", 9999: "9999", 10_000: "10.0k", 123_456_789: "123.5M", 5_000_000_000_000: "5.0T"} {
		if got := short(n); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
}
