package files

import (
	"fmt"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

const secondsPerDay = 86400

// unitOf is how many of a unit make a second.
func unitOf(u format.TimeUnit) int64 {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return 1e3
	case *format.NanoSeconds:
		return 1e9
	}
	return 1e6
}

func appendDate(dst []byte, v parquet.Value, _ bool) ([]byte, error) {
	t := time.Unix(int64(v.Int32())*secondsPerDay, 0).UTC()
	dst = appendDay(dst, t)
	return appendEra(dst, t), nil
}

// timestamps take units since 1970.
func timestamps(unit int64, zoned bool) func([]byte, parquet.Value, bool) ([]byte, error) {
	return func(dst []byte, v parquet.Value, nanos bool) ([]byte, error) {
		n := v.Int64()
		seconds, rest := n/unit, n%unit
		return appendMoment(dst, time.Unix(seconds, rest*(1e9/unit)).UTC(), zoned, nanos)
	}
}

// times take units since midnight.
func times(unit int64) func([]byte, parquet.Value, bool) ([]byte, error) {
	return func(dst []byte, v parquet.Value, nanos bool) ([]byte, error) {
		var n int64
		if v.Kind() == parquet.Int32 {
			n = int64(v.Int32())
		} else {
			n = v.Int64()
		}
		if n < 0 || n > secondsPerDay*unit {
			return dst, fmt.Errorf("%d is no time of a day", n)
		}
		seconds := n / unit
		dst = fmt.Appendf(dst, "%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
		return appendFraction(dst, n%unit*(1e9/unit), nanos)
	}
}

func appendMoment(dst []byte, t time.Time, zoned, nanos bool) ([]byte, error) {
	dst = t.AppendFormat(appendDay(dst, t), " 15:04:05")
	dst, err := appendFraction(dst, int64(t.Nanosecond()), nanos)
	if zoned {
		dst = append(dst, "+00"...)
	}
	return appendEra(dst, t), err
}

// appendDay writes the year as Postgres does: 1 BC is before 1.
func appendDay(dst []byte, t time.Time) []byte {
	year := t.Year()
	if year <= 0 {
		year = 1 - year
	}
	return fmt.Appendf(dst, "%04d-%02d-%02d", year, t.Month(), t.Day())
}

func appendEra(dst []byte, t time.Time) []byte {
	if t.Year() <= 0 {
		return append(dst, " BC"...)
	}
	return dst
}

// appendFraction refuses digits that Postgres would round off.
func appendFraction(dst []byte, ns int64, nanos bool) ([]byte, error) {
	if ns == 0 {
		return dst, nil
	}
	if ns%1000 != 0 && !nanos {
		return dst, hinted("schema => '…' keeps them if it declares the column text", "it has nanoseconds (…%09d), and Postgres keeps microseconds", ns)
	}
	digits := strconv.FormatInt(1e9+ns, 10)[1:]
	for digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return append(append(dst, '.'), digits...), nil
}
