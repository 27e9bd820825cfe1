package files

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/autocdc/autocdc/snapshot"
)

// rowsAtATime bounds what of a Parquet file is unpacked at once.
const rowsAtATime = 256

// parquetFile reads the rows of a file, row group by row group,
// https://parquet.apache.org/docs/file-format/types/.
type parquetFile struct {
	raw    readerAt
	groups []parquet.RowGroup
	rows   parquet.Rows // of the first of groups; nil before
	cols   []snapshot.Column
	encode []func(dst []byte, v parquet.Value) ([]byte, error)
	batch  []parquet.Row
	have   int // rows in batch
	at     int // in batch
	count  int // rows given
	buf    []byte
	values [][]byte
}

func openParquet(ctx context.Context, f File) (*parquetFile, error) {
	raw, err := f.store.at(ctx, f)
	if err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(raw, f.Size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("it is no Parquet file: %w", err), raw.Close())
	}
	p := &parquetFile{raw: raw, groups: file.RowGroups(), batch: make([]parquet.Row, rowsAtATime)}
	for _, field := range file.Schema().Fields() {
		if err := p.column(field); err != nil {
			return nil, errors.Join(err, raw.Close())
		}
	}
	return p, nil
}

func (p *parquetFile) column(f parquet.Field) error {
	if !f.Leaf() || f.Repeated() {
		return &HintError{fmt.Errorf("column %q is nested, which is not read", f.Name()), "write it to the file as text or JSON"}
	}
	typ, encode := codec(f.Type())
	p.cols = append(p.cols, snapshot.Column{Name: f.Name(), Type: typ})
	p.encode = append(p.encode, encode)
	return nil
}

func (p *parquetFile) columns() []snapshot.Column { return p.cols }
func (p *parquetFile) line() int                  { return p.count }

func (p *parquetFile) Close() error {
	var err error
	if p.rows != nil {
		err = p.rows.Close()
	}
	return errors.Join(err, p.raw.Close())
}

func (p *parquetFile) next() ([][]byte, error) {
	for p.at >= p.have {
		if err := p.fill(); err != nil {
			return nil, err
		}
	}
	row := p.batch[p.at]
	p.at, p.count = p.at+1, p.count+1
	p.values, p.buf = p.values[:0], p.buf[:0]
	ends := make([]int, len(row))
	for i, v := range row {
		var err error
		if !v.IsNull() {
			if p.buf, err = p.encode[i](p.buf, v); err != nil {
				return nil, &RowError{Line: p.count, Err: fmt.Errorf("column %q: %w", p.cols[i].Name, err)}
			}
		}
		ends[i] = len(p.buf)
	}
	start := 0
	for i, v := range row {
		if v.IsNull() {
			p.values = append(p.values, nil)
		} else {
			p.values = append(p.values, p.buf[start:ends[i]:ends[i]])
		}
		start = ends[i]
	}
	return p.values, nil
}

// fill reads the next rows, of the next group if need be.
func (p *parquetFile) fill() error {
	if p.rows == nil {
		if len(p.groups) == 0 {
			return io.EOF
		}
		p.rows, p.groups = p.groups[0].Rows(), p.groups[1:]
	}
	n, err := p.rows.ReadRows(p.batch)
	p.have, p.at = n, 0
	if errors.Is(err, io.EOF) {
		err = p.rows.Close()
		p.rows = nil
	}
	return err
}

type encoder = func(dst []byte, v parquet.Value) ([]byte, error)

// codec gives the Postgres type of a column and how its values are written.
func codec(t parquet.Type) (string, encoder) {
	if l := t.LogicalType(); l != nil {
		switch l := l.Value.(type) {
		case *format.StringType, *format.EnumType:
			return "text", appendString
		case *format.JsonType:
			return "json", appendString
		case *format.DecimalType:
			return fmt.Sprintf("numeric(%d,%d)", l.Precision, l.Scale), decimal(int(l.Scale))
		case *format.DateType:
			return "date", appendDate
		case *format.TimeType:
			return "time without time zone", clock(l.Unit)
		case *format.TimestampType:
			return map[bool]string{true: "timestamp with time zone", false: "timestamp without time zone"}[l.IsAdjustedToUTC], moment(l.Unit, l.IsAdjustedToUTC)
		case *format.IntType:
			return integer(l)
		case *format.UUIDType:
			return "uuid", appendUUID
		case *format.Float16Type:
			return "real", appendFloat16
		}
	}
	switch t.Kind() {
	case parquet.Boolean:
		return "boolean", func(dst []byte, v parquet.Value) ([]byte, error) { return strconv.AppendBool(dst, v.Boolean()), nil }
	case parquet.Int32:
		return "integer", func(dst []byte, v parquet.Value) ([]byte, error) {
			return strconv.AppendInt(dst, int64(v.Int32()), 10), nil
		}
	case parquet.Int64:
		return "bigint", func(dst []byte, v parquet.Value) ([]byte, error) { return strconv.AppendInt(dst, v.Int64(), 10), nil }
	case parquet.Int96:
		return "timestamp without time zone", appendInt96
	case parquet.Float:
		return "real", func(dst []byte, v parquet.Value) ([]byte, error) {
			return appendFloat(dst, float64(v.Float()), 32), nil
		}
	case parquet.Double:
		return "double precision", func(dst []byte, v parquet.Value) ([]byte, error) { return appendFloat(dst, v.Double(), 64), nil }
	}
	return "bytea", appendBytes
}

func appendString(dst []byte, v parquet.Value) ([]byte, error) {
	b := v.ByteArray()
	if err := validText(b); err != nil {
		return dst, err
	}
	return append(dst, b...), nil
}

func appendBytes(dst []byte, v parquet.Value) ([]byte, error) {
	return fmt.Appendf(append(dst, '\\', 'x'), "%x", v.ByteArray()), nil
}

func appendUUID(dst []byte, v parquet.Value) ([]byte, error) {
	id, err := uuid.FromBytes(v.ByteArray())
	return append(dst, id.String()...), err
}

func appendFloat(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 0):
		return append(dst, map[bool]string{true: "Infinity", false: "-Infinity"}[f > 0]...)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, bits)
}

// appendFloat16 widens a half, which every real can hold.
func appendFloat16(dst []byte, v parquet.Value) ([]byte, error) {
	h := binary.LittleEndian.Uint16(v.ByteArray())
	exponent, fraction := int(h>>10&0x1f), float64(h&0x3ff)
	var f float64
	switch exponent {
	case 0:
		f = math.Ldexp(fraction, -24)
	case 0x1f:
		f = math.Inf(1)
		if fraction != 0 {
			f = math.NaN()
		}
	default:
		f = math.Ldexp(1024+fraction, exponent-25)
	}
	if h&0x8000 != 0 {
		f = -f
	}
	return appendFloat(dst, f, 32), nil
}

func integer(l *format.IntType) (string, encoder) {
	signed := func(dst []byte, v parquet.Value) ([]byte, error) {
		return strconv.AppendInt(dst, integerOf(v), 10), nil
	}
	if l.IsSigned {
		return map[int8]string{8: "smallint", 16: "smallint", 32: "integer", 64: "bigint"}[l.BitWidth], signed
	}
	unsigned := func(dst []byte, v parquet.Value) ([]byte, error) {
		if v.Kind() == parquet.Int32 {
			return strconv.AppendUint(dst, uint64(uint32(v.Int32())), 10), nil
		}
		return strconv.AppendUint(dst, uint64(v.Int64()), 10), nil
	}
	return map[int8]string{8: "smallint", 16: "integer", 32: "bigint", 64: "numeric(20,0)"}[l.BitWidth], unsigned
}

func integerOf(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

// decimal writes an unscaled number, big-endian two's complement where it is bytes.
func decimal(scale int) encoder {
	return func(dst []byte, v parquet.Value) ([]byte, error) {
		n := new(big.Int)
		switch v.Kind() {
		case parquet.Int32, parquet.Int64:
			n.SetInt64(integerOf(v))
		default:
			b := v.ByteArray()
			n.SetBytes(b)
			if len(b) > 0 && b[0]&0x80 != 0 {
				n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
			}
		}
		return append(dst, scaled(n, scale)...), nil
	}
}

func scaled(n *big.Int, scale int) string {
	if scale == 0 {
		return n.String()
	}
	sign, digits := "", new(big.Int).Abs(n).String()
	if n.Sign() < 0 {
		sign = "-"
	}
	if short := scale + 1 - len(digits); short > 0 {
		digits = fmt.Sprintf("%0*s", scale+1, digits)
	}
	at := len(digits) - scale
	return sign + digits[:at] + "." + digits[at:]
}

func appendDate(dst []byte, v parquet.Value) ([]byte, error) {
	return appendYear(dst, time.Unix(int64(v.Int32())*86400, 0).UTC(), "-01-02"), nil
}

// appendYear writes a time as Postgres reads it, also before the year 1.
func appendYear(dst []byte, t time.Time, layout string) []byte {
	year := t.Year()
	if year <= 0 {
		return append(t.AppendFormat(fmt.Appendf(dst, "%04d", 1-year), layout), " BC"...)
	}
	return t.AppendFormat(fmt.Appendf(dst, "%04d", year), layout)
}

var errNanos = errors.New("it has nanoseconds, Postgres has microseconds")

// micros is a count of a unit in microseconds.
func micros(n int64, unit format.TimeUnit) (int64, error) {
	switch unit.Value.(type) {
	case *format.MilliSeconds:
		return n * 1000, nil
	case *format.NanoSeconds:
		if n%1000 != 0 {
			return 0, errNanos
		}
		return n / 1000, nil
	}
	return n, nil
}

func clock(unit format.TimeUnit) encoder {
	return func(dst []byte, v parquet.Value) ([]byte, error) {
		n, err := micros(integerOf(v), unit)
		return time.UnixMicro(n).UTC().AppendFormat(dst, "15:04:05.999999"), err
	}
}

func moment(unit format.TimeUnit, utc bool) encoder {
	layout := "-01-02 15:04:05.999999"
	if utc {
		layout += "+00"
	}
	return func(dst []byte, v parquet.Value) ([]byte, error) {
		n, err := micros(v.Int64(), unit)
		return appendYear(dst, time.UnixMicro(n).UTC(), layout), err
	}
}

// appendInt96 is what older writers call a timestamp: nanoseconds of the day, and
// the Julian day.
func appendInt96(dst []byte, v parquet.Value) ([]byte, error) {
	n := v.Int96()
	nanos := int64(n[1])<<32 | int64(n[0])
	if nanos%1000 != 0 {
		return dst, errNanos
	}
	const unixEpoch = 2440588
	t := time.Unix((int64(n[2])-unixEpoch)*86400, 0).UTC().Add(time.Duration(nanos))
	return appendYear(dst, t, "-01-02 15:04:05.999999"), nil
}
