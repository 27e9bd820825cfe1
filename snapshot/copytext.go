package snapshot

import (
	"context"
	"fmt"
	"io"

	"github.com/autocdc/autocdc/merge/batch"
)

// writeBytes is how much is gathered before it is written.
const writeBytes = 128 << 10

// WriteText writes rows in COPY's text format, of each the values at the given
// places, and returns how many. A value of an error of w is returned as it is.
func WriteText(ctx context.Context, rows Rows, at []int, w io.Writer) (int64, error) {
	buf := make([]byte, 0, 2*writeBytes)
	var n int64
	for rows.Next(ctx) {
		buf = appendRow(buf, rows.Values(), at)
		n++
		if len(buf) < writeBytes {
			continue
		}
		if _, err := w.Write(buf); err != nil {
			return n, err
		}
		buf = buf[:0]
	}
	if err := rows.Err(); err != nil {
		return n, fmt.Errorf("read rows: %w", err)
	}
	_, err := w.Write(buf)
	return n, err
}

func appendRow(buf []byte, values [][]byte, at []int) []byte {
	for i, v := range at {
		if i > 0 {
			buf = append(buf, '\t')
		}
		if values[v] == nil {
			buf = append(buf, '\\', 'N')
		} else {
			buf = batch.AppendText(buf, values[v])
		}
	}
	return append(buf, '\n')
}
