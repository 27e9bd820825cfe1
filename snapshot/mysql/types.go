package mysql

import (
	"fmt"

	"github.com/autocdc/autocdc/snapshot"
)

// The types of the protocol (include/field_types.h of MySQL, and 242 of both
// servers' vectors); old ones that no server sends are left out.
const (
	codeTiny       = 1
	codeShort      = 2
	codeLong       = 3
	codeFloat      = 4
	codeDouble     = 5
	codeNull       = 6
	codeTimestamp  = 7
	codeLongLong   = 8
	codeInt24      = 9
	codeDate       = 10
	codeTime       = 11
	codeDatetime   = 12
	codeYear       = 13
	codeNewDate    = 14
	codeVarchar    = 15
	codeBit        = 16
	codeVector     = 242
	codeJSON       = 245
	codeDecimal    = 246
	codeEnum       = 247
	codeSet        = 248
	codeTinyBlob   = 249
	codeMediumBlob = 250
	codeLongBlob   = 251
	codeBlob       = 252
	codeVarString  = 253
	codeString     = 254
	codeGeometry   = 255
)

// Flags and character sets of the protocol.
const (
	flagUnsigned  = 32
	flagBinary    = 128
	charsetBinary = 63
	bytesPerChar  = 4 // of utf8mb4, in which lengths are given
	maxDecimals   = 6 // of a second
)

// converter appends a value of the driver's to dst as Postgres's input function
// takes it.
type converter func(dst []byte, v any) ([]byte, error)

// column chooses the Postgres type that holds every value of the field, and how
// values become its text.
func (f field) column() (snapshot.Column, converter, error) {
	pgType, convert := f.number()
	if pgType == "" {
		pgType, convert = f.time()
	}
	if pgType == "" {
		pgType, convert = f.text()
	}
	if pgType == "" {
		return snapshot.Column{}, nil, &HintError{
			Err:  fmt.Errorf("column %q has a type that is not known (%d)", f.name, f.code),
			Hint: "take it as text by CAST(column AS CHAR), or as bytes by CAST(column AS BINARY)",
		}
	}
	if f.isTime() && f.decimals > maxDecimals { // the driver would cut the fraction
		return snapshot.Column{}, nil, &HintError{
			Err:  fmt.Errorf("column %q does not say how many digits its seconds have", f.name),
			Hint: "say it: CAST(column AS DATETIME(6)), CAST(column AS TIME(6))",
		}
	}
	return snapshot.Column{Name: f.name, Type: pgType}, convert, nil
}

func (f field) unsigned() bool { return f.flags&flagUnsigned != 0 }

// number is empty if the field is none. A Postgres integer has no sign bit to
// spare, so that unsigned ones take the next wider type.
func (f field) number() (string, converter) {
	switch f.code {
	case codeTiny, codeYear:
		return "smallint", integer
	case codeShort:
		return f.either("smallint", "integer"), integer
	case codeInt24:
		return "integer", integer
	case codeLong:
		return f.either("integer", "bigint"), integer
	case codeLongLong:
		return f.either("bigint", "numeric(20,0)"), integer
	case codeFloat:
		return "real", float
	case codeDouble:
		return "double precision", float
	case codeDecimal:
		return fmt.Sprintf("numeric(%d,%d)", f.precision(), f.decimals), f.decimal
	case codeBit:
		return fmt.Sprintf("bit(%d)", f.length), f.bits
	}
	return "", nil
}

func (f field) either(signed, unsigned string) string {
	if f.unsigned() {
		return unsigned
	}
	return signed
}

// precision is what the length leaves when the point and the sign are off.
func (f field) precision() uint64 {
	p := f.length
	if f.decimals > 0 && p > 0 {
		p--
	}
	if !f.unsigned() && p > 0 {
		p--
	}
	return max(p, f.decimals, 1)
}

func (f field) isTime() bool {
	return f.code == codeTime || f.code == codeDatetime || f.code == codeTimestamp
}

// time is empty if the field is none.
func (f field) time() (string, converter) {
	switch f.code {
	case codeDate, codeNewDate:
		return "date", moment("")
	case codeDatetime:
		return "timestamp without time zone", moment("")
	case codeTimestamp:
		return "timestamp with time zone", moment("+00") // the session's time zone
	case codeTime:
		return "interval", verbatim // from -838 hours to 838
	}
	return "", nil
}

// text is for everything else that is text or bytes; empty if the type is unknown.
func (f field) text() (string, converter) {
	switch f.code {
	case codeNull, codeEnum, codeSet:
		return "text", text
	case codeJSON:
		return "json", text // jsonb would change numbers, the order of keys and \u0000
	case codeGeometry, codeVector:
		return "bytea", hexBytes
	case codeVarchar, codeVarString, codeString, codeTinyBlob, codeBlob, codeMediumBlob, codeLongBlob:
	default:
		return "", nil
	}
	if f.charset == charsetBinary {
		return "bytea", hexBytes
	}
	return f.native(), text
}

// native finds MariaDB's types without a number of their own: they pretend to be
// strings of their longest text, but of the flags that no string has.
func (f field) native() string {
	if f.code != codeString || f.flags&flagUnsigned == 0 || f.flags&flagBinary == 0 {
		return "text"
	}
	switch f.length / bytesPerChar {
	case uuidLength:
		return "uuid"
	case inet4Length, inet6Length:
		return "inet"
	}
	return "text"
}

// The longest texts of MariaDB's UUID, INET4 and INET6.
const (
	uuidLength  = 36
	inet4Length = 15
	inet6Length = 39
)
