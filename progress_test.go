package autocdc

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestMeter_TellsTheLog(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	log := slog.New(slog.NewTextHandler(&text, nil))
	step := Step{What: "copy", Name: "orders", Number: 2, Of: 5, Rows: 4, Bytes: 100}
	m := &meter{step: step, began: time.Now(), stop: make(chan struct{})}
	shown := make(chan struct{}, 100)
	tell := logged(step, log)
	m.shown.Go(func() {
		m.run(func(done Amount, ended bool) { tell(done, ended); shown <- struct{}{} }, time.Millisecond, time.Hour)
	})
	err := m.counting(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, "1\ta\\nb\n2\tc\n")
		return err
	})(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	<-shown
	if done := m.end(); done.Rows != 2 || done.Bytes != 11 {
		t.Errorf("counted %d rows, %d bytes", done.Rows, done.Bytes)
	}
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `msg="copy goes on" name=orders number=2 of=5 rows=`) || !strings.Contains(lines[0], "rows_expected=4") ||
		!strings.Contains(lines[1], `msg="end of copy" name=orders number=2 of=5 rows=2 bytes=11`) {
		t.Errorf("the log says\n%s", text.String())
	}
}

func TestMeter_IsSilentWhereAStepIsShort(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	r := &run{Pipeline: &Pipeline{}}
	r.begin(Step{What: "stage"}, slog.New(slog.NewTextHandler(&text, nil))).end()
	if text.Len() > 0 {
		t.Errorf("the log says %s", text.String())
	}
}

func TestStep_EstimatesTheRest(t *testing.T) {
	t.Parallel()
	done := Amount{Rows: 25, Bytes: 50, Took: 10 * time.Second}
	for _, c := range []struct {
		step Step
		want time.Duration
	}{
		{Step{Rows: 100, Bytes: 100}, 30 * time.Second},
		{Step{Bytes: 100}, 10 * time.Second},
		{Step{Rows: 20}, 0},
		{Step{}, 0},
	} {
		if got := c.step.Remaining(done); got != c.want {
			t.Errorf("%+v: %s remain, want %s", c.step, got, c.want)
		}
	}
}
