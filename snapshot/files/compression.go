package files

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const (
	compressNone = "none"
	compressGzip = "gzip"
	compressZstd = "zstd"
)

// maxWindow is what zstd itself takes unless told otherwise (--long is more).
const maxWindow = 128 << 20

func (o *Options) setCompression(v string) error {
	switch strings.ToLower(v) {
	case "auto", "":
		o.compression = ""
	case compressNone, "uncompressed":
		o.compression = compressNone
	case compressGzip, "gz":
		o.compression = compressGzip
	case compressZstd, "zst", "zstandard":
		o.compression = compressZstd
	default:
		return hinted("left out, it goes by the file", "the compressions are gzip, zstd, none")
	}
	return nil
}

// splitExtension takes a name apart: in/A.csv.gz is csv, gzip.
func splitExtension(name string) (format, compression string) {
	ext := strings.ToLower(path.Ext(name))
	switch ext {
	case ".gz", ".gzip":
		compression = compressGzip
	case ".zst", ".zstd":
		compression = compressZstd
	default:
		return strings.TrimPrefix(ext, "."), ""
	}
	return strings.TrimPrefix(strings.ToLower(path.Ext(strings.TrimSuffix(strings.ToLower(name), ext))), "."), compression
}

// decompressed undoes compression. Unless told which, it goes by the extension,
// then by the first bytes.
func decompressed(r io.ReadCloser, name, compression string) (io.ReadCloser, error) {
	raw := &noting{ReadCloser: r}
	buffered := bufio.NewReaderSize(raw, 64<<10)
	if compression == "" {
		_, compression = splitExtension(name)
	}
	in := &unpacked{Reader: buffered, raw: raw}
	found := byMagic(buffered)
	if compression == "" {
		compression = found
	}
	if compression != compressNone && compression != found && raw.err == nil {
		return in, hinted("if the file is not compressed say compression => 'none'; if it is empty it was not written to its end", "it is not %s data", compression)
	}
	var err error
	switch compression {
	case compressGzip:
		err = in.gzip(buffered)
	case compressZstd:
		err = in.zstd(buffered)
	}
	return in, err
}

func byMagic(r *bufio.Reader) string {
	begin, _ := r.Peek(4) // what fails here fails in Read again
	switch {
	case bytes.HasPrefix(begin, []byte("\x1f\x8b")):
		return compressGzip
	case bytes.HasPrefix(begin, []byte("\x28\xb5\x2f\xfd")):
		return compressZstd
	}
	return compressNone
}

// unpacked reads through a decompressor and closes it with what is below.
type unpacked struct {
	io.Reader
	raw   *noting
	close func()
	kind  string
}

func (u *unpacked) gzip(r io.Reader) error {
	u.kind = compressGzip
	z, err := gzip.NewReader(r)
	if err != nil {
		return u.explain(err)
	}
	u.Reader = z
	return nil
}

func (u *unpacked) zstd(r io.Reader) error {
	u.kind = compressZstd
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return u.explain(err)
	}
	u.Reader, u.close = z, z.Close
	return nil
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) && u.kind != "" {
		err = u.explain(err)
	}
	return n, err
}

// Close closes both, and frees the decompressor's memory.
func (u *unpacked) Close() error {
	if u.close != nil {
		u.close()
	}
	return u.raw.Close()
}

// explain tells data that is broken from a file that cannot be read.
func (u *unpacked) explain(err error) error {
	switch {
	case u.raw.err != nil:
		return u.raw.err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return hinted("the file is not complete: write it again", "the %s data ends too early", u.kind)
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return hinted("compress it without --long and --ultra", "unpacking it takes more than %d MiB", maxWindow>>20)
	}
	return fmt.Errorf("the %s data is broken: %w", u.kind, err)
}

// noting remembers why reading failed.
type noting struct {
	io.ReadCloser
	err error
}

func (n *noting) Read(p []byte) (int, error) {
	m, err := n.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		n.err = err
	}
	return m, err
}
