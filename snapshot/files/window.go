package files

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

const (
	windowSize = 256 << 10
	// maxRecord bounds what is held of one record. A file with an open quote would be
	// read into memory else.
	maxRecord = 256 << 20
	// minRead is what a source must be able to give: a whole character.
	minRead = utf8.UTFMax
)

// window is the part of a file from the begin of a record to what was read last. It
// grows with the record.
type window struct {
	src        io.Reader
	buf        []byte
	start, end int
	max        int
	ended      error // of src
}

func newWindow(src io.Reader, size, longest int) *window {
	return &window{src: src, buf: make([]byte, size), max: longest}
}

// bytes are valid until more; offsets into them are until skip.
func (w *window) bytes() []byte { return w.buf[w.start:w.end] }

// skip goes on by n bytes, to the next record.
func (w *window) skip(n int) { w.start += n }

// more makes bytes longer; false at the end of the source.
func (w *window) more() (bool, error) {
	if w.ended != nil {
		return false, w.cause()
	}
	if len(w.buf)-w.end < minRead {
		if err := w.room(); err != nil {
			return false, err
		}
	}
	for range 100 { // empty reads in a row, as package bufio allows
		n, err := w.src.Read(w.buf[w.end:])
		w.end += n
		w.ended = err
		if n > 0 {
			return true, nil
		}
		if err != nil {
			return false, w.cause()
		}
	}
	return false, io.ErrNoProgress
}

func (w *window) cause() error {
	if errors.Is(w.ended, io.EOF) {
		return nil
	}
	return w.ended
}

// room moves the record to the front, or takes a larger buffer.
func (w *window) room() error {
	if w.end-w.start >= w.max {
		return hinted("is a quote not closed?", "a record of more than %s", size(w.max))
	}
	to := w.buf
	if w.start < max(len(w.buf)/2, minRead) {
		to = make([]byte, min(2*len(w.buf), w.max+windowSize))
	}
	w.end = copy(to, w.bytes())
	w.buf, w.start = to, 0
	return nil
}

func size(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}
