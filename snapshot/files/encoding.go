package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// setEncoding takes any name of IANA's registry
// (https://www.iana.org/assignments/character-sets), and what users write instead.
func (o *Options) setEncoding(v string) error {
	name := strings.ToLower(strings.TrimSpace(v))
	switch strings.NewReplacer("-", "", "_", "").Replace(name) {
	case "utf8", "utf8sig", "ascii", "usascii": // the second marks its files with a BOM
		o.encoding = ""
		return nil
	}
	if _, err := lookUpEncoding(name); err != nil {
		note := "names are IANA's: utf-8, utf-16, iso-8859-1, windows-1252, shift_jis, gb18030 and so on"
		return hinted(didYouMean(name, commonEncodings(), note), "there is no such encoding")
	}
	o.encoding = name
	return nil
}

func commonEncodings() []string {
	return []string{
		"utf-8", "utf-16", "utf-16le", "utf-16be", "latin1", "iso-8859-1", "iso-8859-2", "iso-8859-15",
		"windows-1250", "windows-1251", "windows-1252", "koi8-r", "shift_jis", "euc-jp", "euc-kr", "gbk", "gb18030", "big5",
	}
}

func lookUpEncoding(name string) (encoding.Encoding, error) {
	switch strings.NewReplacer("-", "", "_", "").Replace(name) {
	case "utf16": // without a BOM, as files from Windows are
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), nil
	case "cp1252", "ansi", "win1252", "windows1252":
		name = "windows-1252"
	case "iso88591", "latin1":
		name = "iso-8859-1"
	case "utf16le":
		name = "utf-16le"
	case "utf16be":
		name = "utf-16be"
	}
	enc, err := ianaindex.IANA.Encoding(name)
	if err == nil && enc == nil {
		err = errors.New("not supported")
	}
	return enc, err
}

// decoded gives UTF-8 without a BOM and without NUL, or an error where the bytes
// are not that.
func decoded(r io.Reader, name string) (io.Reader, error) {
	if name == "" {
		return &checked{src: r, atStart: true}, nil
	}
	enc, err := lookUpEncoding(name)
	if err != nil {
		return nil, err
	}
	return &checked{src: transform.NewReader(r, enc.NewDecoder()), encoding: name, atStart: true}, nil
}

// checked lets pass what Postgres can hold as text, up to the first byte that it
// cannot.
type checked struct {
	src      io.Reader
	encoding string // which the source was decoded from
	pending  []byte // the beginning of a character
	kept     [utf8.UTFMax]byte
	offset   int64 // of what was passed on
	atStart  bool
	err      error
}

var (
	bom         = []byte("\xef\xbb\xbf")
	replacement = []byte("\ufffd")
)

func (c *checked) Read(p []byte) (int, error) {
	if len(p) < minRead {
		return 0, io.ErrShortBuffer // a character that is kept would never fit
	}
	for c.err == nil {
		n := copy(p, c.pending)
		c.pending = nil
		m, err := c.src.Read(p[n:])
		c.err = err
		if n = c.pass(p[:n+m], err != nil); n > 0 {
			return n, nil
		}
	}
	return 0, c.err
}

// pass returns how many bytes of p are fit to be read, and keeps a character that
// is not all there.
func (c *checked) pass(p []byte, last bool) int {
	if !last {
		p = c.keepPartial(p)
	}
	if c.atStart && len(p) > 0 {
		c.atStart = false
		if rest, ok := bytes.CutPrefix(p, bom); ok {
			p = p[:copy(p, rest)]
			c.offset += int64(len(bom))
		}
	}
	n := len(p)
	if at, err := c.fault(p); err != nil {
		n, c.err = at, err
	}
	c.offset += int64(n)
	return n
}

// keepPartial cuts off the first bytes of a character at the end of p.
func (c *checked) keepPartial(p []byte) []byte {
	for i := len(p) - 1; i >= 0 && i > len(p)-utf8.UTFMax; i-- {
		if utf8.RuneStart(p[i]) {
			if !utf8.FullRune(p[i:]) {
				c.pending = c.kept[:copy(c.kept[:], p[i:])]
				return p[:i]
			}
			break
		}
	}
	return p
}

// fault finds the first byte that Postgres would not take.
func (c *checked) fault(p []byte) (int, error) {
	at, err := len(p), error(nil)
	if !utf8.Valid(p) {
		at = invalidAt(p)
		err = c.invalid(p[at:], at)
	} else if i := bytes.Index(p, replacement); c.encoding != "" && i >= 0 {
		at = i
		err = fmt.Errorf("a character is not valid %s", c.encoding)
	}
	if i := bytes.IndexByte(p[:at], 0); i >= 0 {
		return i, c.nul(i)
	}
	return at, err
}

func invalidAt(p []byte) int {
	i := 0
	for i < len(p) {
		r, size := utf8.DecodeRune(p[i:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		i += size
	}
	return i
}

func (c *checked) invalid(p []byte, at int) error {
	offset := c.offset + int64(at)
	note := "if the file is not UTF-8 say what it is, as in encoding => 'windows-1252'"
	if offset == 0 && (bytes.HasPrefix(p, []byte("\xff\xfe")) || bytes.HasPrefix(p, []byte("\xfe\xff"))) {
		note = "the file begins like UTF-16: encoding => 'utf-16'"
	}
	return hinted(note, "byte 0x%02x at offset %d is not valid UTF-8", p[0], offset)
}

func (c *checked) nul(at int) error {
	note := "Postgres cannot hold it; if the file is UTF-16 say encoding => 'utf-16'"
	if c.encoding != "" {
		return hinted(note, "the character NUL")
	}
	return hinted(note, "the character NUL at offset %d", c.offset+int64(at))
}
