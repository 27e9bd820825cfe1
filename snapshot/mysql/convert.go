package mysql

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"
)

// errForm says that the driver gave something else than it promises.
func errForm(v any) error { return fmt.Errorf("the driver gave a %T", v) }

// integer takes what the driver makes of integers: those above the range of
// int64 come as text.
func integer(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case []byte:
		return append(dst, v...), nil
	}
	return nil, errForm(v)
}

// float gives the shortest text that reads back as the same number. The server's
// own text would have six digits.
func float(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case float32:
		return strconv.AppendFloat(dst, float64(v), 'g', -1, 32), nil
	case float64:
		return strconv.AppendFloat(dst, v, 'g', -1, 64), nil
	}
	return nil, errForm(v)
}

// decimal refuses digits that the type has no place for, since Postgres would
// round them off: an expression may have more than the server announced.
func (f field) decimal(dst []byte, v any) ([]byte, error) {
	text, ok := v.([]byte)
	if !ok {
		return nil, errForm(v)
	}
	_, fraction, _ := bytes.Cut(text, []byte("."))
	if uint64(len(bytes.TrimRight(fraction, "0"))) > f.decimals {
		return nil, &HintError{
			Err:  fmt.Errorf("%s has more than the %d decimals that the server announced", text, f.decimals),
			Hint: "say how many there are: CAST(expression AS DECIMAL(65, 30))",
		}
	}
	return append(dst, text...), nil
}

// bits takes the bytes of a bit column, the last bit last.
func (f field) bits(dst []byte, v any) ([]byte, error) {
	value, ok := v.([]byte)
	if !ok || uint64(len(value))*8 < f.length {
		return nil, errForm(v)
	}
	for i := f.length; i > 0; i-- {
		n := i - 1
		b := value[uint64(len(value))-1-n/8]
		dst = append(dst, '0'+b>>(n%8)&1)
	}
	return dst, nil
}

// verbatim is for text that cannot be anything else than what it should.
func verbatim(dst []byte, v any) ([]byte, error) {
	text, ok := v.([]byte)
	if !ok {
		return nil, errForm(v)
	}
	return append(dst, text...), nil
}

// text takes what Postgres's text types can hold.
func text(dst []byte, v any) ([]byte, error) {
	value, ok := v.([]byte)
	switch {
	case !ok:
		return nil, errForm(v)
	case bytes.IndexByte(value, 0) >= 0:
		return nil, &HintError{
			Err:  errors.New("the text has a NUL, which a text of Postgres cannot hold"),
			Hint: `take it as bytes by CAST(column AS BINARY), or without: REPLACE(column, CHAR(0), '')`,
		}
	case !utf8.Valid(value):
		return nil, &HintError{
			Err:  fmt.Errorf("the text is not valid in its character set: %.40q", value),
			Hint: "take it as bytes by CAST(column AS BINARY)",
		}
	}
	return append(dst, value...), nil
}

func hexBytes(dst []byte, v any) ([]byte, error) {
	value, ok := v.([]byte)
	if !ok {
		return nil, errForm(v)
	}
	return hex.AppendEncode(append(dst, '\\', 'x'), value), nil
}

// moment takes dates, with a time or without, that exist; zone comes after them.
func moment(zone string) converter {
	return func(dst []byte, v any) ([]byte, error) {
		value, ok := v.([]byte)
		if !ok {
			return nil, errForm(v)
		}
		if !isDate(value) {
			return nil, &HintError{
				Err:  fmt.Errorf("there is no date %s", value),
				Hint: "let the query say what it means: NULLIF(column, '0000-00-00') for null, CAST(column AS CHAR) to keep it as text",
			}
		}
		return append(append(dst, value...), zone...), nil
	}
}

// isDate tells whether text begins with YYYY-MM-DD of a day that Postgres's
// calendar has, which begins with the year 1.
func isDate(text []byte) bool {
	if len(text) < len(time.DateOnly) {
		return false
	}
	year := digits(text[0:4])
	month := digits(text[5:7])
	day := digits(text[8:10])
	return year > 0 && month > 0 && month <= 12 && day > 0 && day <= daysIn(year, month)
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// digits is -1 for what is no number.
func digits(text []byte) int {
	n := 0
	for _, d := range text {
		if d < '0' || d > '9' {
			return -1
		}
		n = n*10 + int(d-'0')
	}
	return n
}
