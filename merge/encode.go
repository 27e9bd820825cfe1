package merge

import (
	"strconv"
	"time"

	"github.com/autocdc/autocdc/merge/batch"
)

// appendField appends a value of a tuple. What is not carried is written as null;
// __missing tells the two apart.
func appendField(buf []byte, v batch.Value) []byte {
	if v.Kind != batch.Text {
		return append(buf, '\\', 'N')
	}
	return batch.AppendText(buf, v.Data)
}

// appendInt appends a number, 0 as null.
func appendInt(buf []byte, n int64) []byte {
	if n == 0 {
		return append(buf, '\\', 'N')
	}
	return strconv.AppendInt(buf, n, 10)
}

// appendMissing appends the bit string of the columns that are not carried, null
// if all are. at has the bit of each value.
func appendMissing(buf []byte, values []batch.Value, at []int, bits int) []byte {
	if carried(values) {
		return append(buf, '\\', 'N')
	}
	start := len(buf)
	for range bits {
		buf = append(buf, '0')
	}
	for i, v := range values {
		if v.Kind == batch.Unchanged {
			buf[start+at[i]] = '1'
		}
	}
	return buf
}

// stampText is a timestamptz that means the same in every time zone.
func stampText(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.999999-07") }
