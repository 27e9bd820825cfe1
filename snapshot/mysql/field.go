package mysql

import (
	"database/sql/driver"
	"fmt"
	"reflect"
)

// field is a column as the server describes it in the protocol
// (https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_text_resultset_column_definition.html).
type field struct {
	name     string
	code     byte   // type, see the constants
	flags    uint64 // see the constants
	length   uint64 // longest text, in bytes; of a bit column, in bits
	decimals uint64
	charset  uint64 // binary or not is all that matters
}

// fields gives what the driver has read of the columns but does not show: it
// tells neither the length of a bit column nor the sign of a decimal, without
// which types would be guesses. The values are read, not changed, by reflection;
// a test holds the driver to this layout, and an error comes of another one.
func fields(rows driver.Rows) ([]field, error) {
	v := reflect.ValueOf(rows)
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	for _, name := range []string{"rs", "columns"} {
		if v.Kind() != reflect.Struct {
			return nil, errLayout(name)
		}
		if v = v.FieldByName(name); !v.IsValid() {
			return nil, errLayout(name)
		}
	}
	if v.Kind() != reflect.Slice {
		return nil, errLayout("columns")
	}
	all := make([]field, v.Len())
	for i := range all {
		if err := all[i].read(v.Index(i)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (f *field) read(v reflect.Value) error {
	if v.Kind() != reflect.Struct {
		return errLayout("column")
	}
	name := v.FieldByName("name")
	if name.Kind() != reflect.String {
		return errLayout("name")
	}
	f.name = name.String()
	var code uint64
	numbers := map[string]*uint64{
		"fieldType": &code, "flags": &f.flags, "length": &f.length, "decimals": &f.decimals, "charSet": &f.charset,
	}
	for name, to := range numbers {
		number := v.FieldByName(name)
		if !number.IsValid() || !number.CanUint() {
			return errLayout(name)
		}
		*to = number.Uint()
	}
	f.code = byte(code)
	return nil
}

func errLayout(what string) error {
	return fmt.Errorf("describe columns: the driver github.com/go-sql-driver/mysql has changed (%s)", what)
}
