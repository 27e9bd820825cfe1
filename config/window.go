package config

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

const defaultWindow = 48 * time.Hour

// Window is how long something is kept; Infinite means for ever.
type Window struct {
	Duration time.Duration
	Infinite bool
}

// String returns the window as ParseWindow takes it.
func (w Window) String() string {
	if w.Infinite {
		return "infinite"
	}
	return w.Duration.String()
}

// ParseWindow reads infinite, a duration of Go such as 48h or 1h30m, or a number
// of days such as 7d.
func ParseWindow(s string) (Window, error) {
	if strings.EqualFold(s, "infinite") {
		return Window{Infinite: true}, nil
	}
	d, err := parseDuration(s)
	if err != nil || d < 0 {
		return Window{}, errors.New("expected a duration like 48h, 90m or 7d, or infinite")
	}
	return Window{Duration: d}, nil
}

func parseDuration(s string) (time.Duration, error) {
	days, found := strings.CutSuffix(s, "d")
	if !found {
		return time.ParseDuration(s)
	}
	n, err := strconv.ParseUint(days, 10, 16)
	return time.Duration(n) * 24 * time.Hour, err
}
