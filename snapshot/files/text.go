package files

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding"
)

// textBuffer is how much of a file is read at a time.
const textBuffer = 256 << 10

// text is an unpacked, decoded file.
type text struct {
	*bufio.Reader
	closers []io.Closer
}

func (t *text) Close() error {
	var errs []error
	for _, c := range t.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// unpacked tells how a file is packed, and its name without that.
func unpacked(name, compression string) (rest, packing string) {
	for suffix, packing := range map[string]string{".gz": "gzip", ".gzip": "gzip", ".zst": "zstd", ".zstd": "zstd"} {
		if cut, ok := strings.CutSuffix(strings.ToLower(name), suffix); ok {
			rest, compression = cut, first(compression, packing)
			return rest, compression
		}
	}
	return name, compression
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

func openText(ctx context.Context, f File, packing string, from encoding.Encoding) (*text, error) {
	raw, err := f.store.open(ctx, f.key)
	if err != nil {
		return nil, err
	}
	t := &text{closers: []io.Closer{raw}}
	r, err := t.unpack(bufio.NewReaderSize(raw, textBuffer), packing)
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	if from != nil {
		r = from.NewDecoder().Reader(r)
	}
	t.Reader = bufio.NewReaderSize(r, textBuffer)
	if mark, _ := t.Peek(3); string(mark) == "\ufeff" {
		_, _ = t.Discard(3)
	}
	return t, nil
}

func (t *text) unpack(r io.Reader, packing string) (io.Reader, error) {
	switch packing {
	case "gzip":
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		t.closers = append([]io.Closer{z}, t.closers...)
		return z, nil
	case "zstd":
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return nil, err
		}
		t.closers = append([]io.Closer{z.IOReadCloser()}, t.closers...)
		return z, nil
	}
	return r, nil
}

// validText refuses what no text of Postgres's can be.
func validText(b []byte) error {
	if !utf8.Valid(b) {
		return errors.New("not valid UTF-8")
	}
	if bytes.IndexByte(b, 0) >= 0 {
		return errors.New("a NUL byte, which Postgres cannot hold")
	}
	return nil
}
