package files

import (
	"errors"
	"io"
	"io/fs"
)

// ErrChanged says that a file is not what it was when it was listed. Another try,
// with a new list, may find it at rest.
var ErrChanged = errors.New("the file has changed since it was listed")

const changedNote = "let files be written under another name, or elsewhere, and be renamed when they are complete"

func changed(before, now int64) error {
	if before == now {
		return &HintError{Err: ErrChanged, Note: changedNote}
	}
	return hinted(changedNote, "%w: it had %d bytes, now %d", ErrChanged, before, now)
}

// gone tells a file that has vanished from one that cannot be opened.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return hinted(changedNote, "%w: it is gone", ErrChanged)
	}
	return bare(err)
}

// whole makes an end before or after the listed size an error.
type whole struct {
	io.ReadCloser
	size, read int64
}

func (w *whole) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	w.read += int64(n)
	if w.read > w.size || errors.Is(err, io.EOF) && w.read < w.size {
		return n, changed(w.size, w.read)
	}
	return n, err
}
