package files

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// scalar is the type of a leaf: the Postgres type that holds its values, and how
// they become its text. nanos lets digits pass for which that type has no place.
type scalar struct {
	pgType string
	kind   kind // in JSON
	append func(dst []byte, v parquet.Value, nanos bool) ([]byte, error)
}

// scalarOf maps the types of
// https://github.com/apache/parquet-format/blob/master/LogicalTypes.md; one that is
// not known has no append.
func scalarOf(t parquet.Type, e format.SchemaElement) scalar {
	logical := t.LogicalType()
	if isType[*format.Float16Type](&e.LogicalType) {
		return scalar{"real", kindNumber, appendHalf}
	}
	if c := t.ConvertedType(); c != nil && *c == deprecated.Interval {
		return scalar{"interval", kindText, appendInterval}
	}
	if logical != nil {
		if s, ok := logicalScalar(logical.Value, t.Kind()); ok {
			return s
		}
	}
	return physicalScalar(e)
}

func logicalScalar(t format.LogicalTypeValue, physical parquet.Kind) (scalar, bool) {
	switch t := t.(type) {
	case *format.StringType, *format.EnumType:
		return scalar{"text", kindText, appendText}, true
	case *format.JsonType:
		return scalar{"json", kindJSON, appendText}, true
	case *format.UUIDType:
		return scalar{"uuid", kindText, appendUUID}, true
	case *format.DateType:
		return scalar{"date", kindText, appendDate}, true
	case *format.IntType:
		return intScalar(t), true
	case *format.DecimalType:
		return decimalScalar(t, physical), true
	case *format.TimestampType:
		pgType := "timestamp without time zone"
		if t.IsAdjustedToUTC {
			pgType = "timestamp with time zone"
		}
		return scalar{pgType, kindText, timestamps(unitOf(t.Unit), t.IsAdjustedToUTC)}, true
	case *format.TimeType:
		return scalar{"time without time zone", kindText, times(unitOf(t.Unit))}, true
	case *format.NullType:
		return scalar{"text", kindText, appendText}, true
	}
	return scalar{}, false
}

func physicalScalar(e format.SchemaElement) scalar {
	switch e.Type.V {
	case format.Boolean:
		return scalar{"boolean", kindBool, func(dst []byte, v parquet.Value, _ bool) ([]byte, error) {
			return strconv.AppendBool(dst, v.Boolean()), nil
		}}
	case format.Int32:
		return intScalar(&format.IntType{BitWidth: 32, IsSigned: true})
	case format.Int64:
		return intScalar(&format.IntType{BitWidth: 64, IsSigned: true})
	case format.Int96: // what Impala and Spark wrote for moments
		return scalar{"timestamp with time zone", kindText, appendInt96}
	case format.Float:
		return scalar{"real", kindNumber, func(dst []byte, v parquet.Value, _ bool) ([]byte, error) {
			return appendFloat(dst, float64(v.Float()), 32), nil
		}}
	case format.Double:
		return scalar{"double precision", kindNumber, func(dst []byte, v parquet.Value, _ bool) ([]byte, error) {
			return appendFloat(dst, v.Double(), 64), nil
		}}
	case format.ByteArray, format.FixedLenByteArray:
		return scalar{"bytea", kindText, appendBytes}
	}
	return scalar{}
}

func intScalar(t *format.IntType) scalar {
	bits := int(t.BitWidth)
	if !t.IsSigned {
		bits++ // for the sign
	}
	s := scalar{kind: kindNumber}
	switch {
	case bits <= 16:
		s.pgType = "smallint"
	case bits <= 32:
		s.pgType = "integer"
	case bits <= 64:
		s.pgType = "bigint"
	default:
		s.pgType = "numeric(20,0)"
	}
	s.append = func(dst []byte, v parquet.Value, _ bool) ([]byte, error) {
		switch {
		case t.BitWidth < 64 && t.IsSigned:
			return strconv.AppendInt(dst, int64(v.Int32()), 10), nil
		case t.BitWidth < 64:
			return strconv.AppendUint(dst, uint64(v.Uint32()), 10), nil
		case t.IsSigned:
			return strconv.AppendInt(dst, v.Int64(), 10), nil
		}
		return strconv.AppendUint(dst, v.Uint64(), 10), nil
	}
	return s
}

// maxPrecision is numeric's, as far as it can be declared.
const maxPrecision = 1000

func decimalScalar(t *format.DecimalType, physical parquet.Kind) scalar {
	s := scalar{pgType: "numeric", kind: kindNumber}
	if t.Precision <= maxPrecision {
		s.pgType = fmt.Sprintf("numeric(%d,%d)", t.Precision, t.Scale)
	}
	s.append = func(dst []byte, v parquet.Value, _ bool) ([]byte, error) {
		switch physical {
		case parquet.Int32:
			return appendDecimal(dst, big.NewInt(int64(v.Int32())), int(t.Scale)), nil
		case parquet.Int64:
			return appendDecimal(dst, big.NewInt(v.Int64()), int(t.Scale)), nil
		}
		return appendDecimal(dst, signed(v.ByteArray()), int(t.Scale)), nil
	}
	return s
}

// signed reads two's complement, the highest byte first.
func signed(b []byte) *big.Int {
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n
}

func appendDecimal(dst []byte, unscaled *big.Int, scale int) []byte {
	digits := new(big.Int).Abs(unscaled).String()
	if unscaled.Sign() < 0 {
		dst = append(dst, '-')
	}
	for len(digits) <= scale {
		digits = "0" + digits
	}
	dst = append(dst, digits[:len(digits)-scale]...)
	if scale > 0 {
		dst = append(append(dst, '.'), digits[len(digits)-scale:]...)
	}
	return dst
}

// appendFloat appends the shortest text that reads back as the same number.
func appendFloat(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, bits)
}

// appendHalf takes IEEE 754's binary16.
func appendHalf(dst []byte, v parquet.Value, _ bool) ([]byte, error) {
	bits := binary.LittleEndian.Uint16(v.ByteArray())
	sign, exponent, fraction := 1.0, int(bits>>10&31), float64(bits&1023)
	if bits>>15 == 1 {
		sign = -1
	}
	switch {
	case exponent == 31 && fraction == 0:
		return appendFloat(dst, sign*math.Inf(1), 32), nil
	case exponent == 31:
		return append(dst, "NaN"...), nil
	case exponent == 0:
		return appendFloat(dst, math.Copysign(math.Ldexp(fraction, -24), sign), 32), nil
	}
	return appendFloat(dst, sign*math.Ldexp(1024+fraction, exponent-25), 32), nil
}

func appendText(dst []byte, v parquet.Value, _ bool) ([]byte, error) {
	text := v.ByteArray()
	switch {
	case bytes.IndexByte(text, 0) >= 0:
		return dst, hinted("Postgres cannot hold it in text; let the writer give the column no type, for bytea", "the text has a NUL")
	case !utf8.Valid(text):
		return dst, errNoText
	}
	return append(dst, text...), nil
}

func appendBytes(dst []byte, v parquet.Value, _ bool) ([]byte, error) {
	return hex.AppendEncode(append(dst, `\x`...), v.ByteArray()), nil
}

func appendUUID(dst []byte, v parquet.Value, _ bool) ([]byte, error) {
	b := v.ByteArray()
	if len(b) != 16 {
		return dst, fmt.Errorf("a uuid of %d bytes", len(b))
	}
	return fmt.Appendf(dst, "%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), nil
}

// appendInterval takes months, days and milliseconds, each without sign.
func appendInterval(dst []byte, v parquet.Value, _ bool) ([]byte, error) {
	b := v.ByteArray()
	if len(b) != 12 {
		return dst, fmt.Errorf("an interval of %d bytes", len(b))
	}
	months, days, millis := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])
	return fmt.Appendf(dst, "%d mons %d days %d.%03d secs", months, days, millis/1000, millis%1000), nil
}

// appendInt96 takes nanoseconds of a day and a Julian day number.
func appendInt96(dst []byte, v parquet.Value, nanos bool) ([]byte, error) {
	const epoch = 2440588 // 1970-01-01
	i := v.Int96()
	t := time.Unix((int64(i[2])-epoch)*86400, int64(i[1])<<32|int64(i[0])).UTC()
	return appendMoment(dst, t, true, nanos)
}
