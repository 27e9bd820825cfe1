package mysql

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/test/mariadb"
)

// TestFields_KnowsTheDriversLayout fails when a new version of the driver keeps
// elsewhere what fields reads.
func TestFields_KnowsTheDriversLayout(t *testing.T) {
	t.Parallel()
	conn, err := Open(context.Background(), mariadb.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	rows, err := conn.query(context.Background(), "SELECT CAST(1.5 AS DECIMAL(7,3)) AS d, 'ab' AS s, x'00' AS b", unlimited)
	if err != nil {
		t.Fatal(err)
	}
	got, err := fields(rows.driver)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[0].name != "d" || got[0].code != codeDecimal || got[0].length != 9 || got[0].decimals != 3 ||
		got[1].code != codeVarString || got[1].charset == charsetBinary || got[2].charset != charsetBinary {
		t.Errorf("got %+v", got)
	}
}

// strange is a driver with another layout.
type strange struct {
	driver.Rows
	rs struct{ columns []struct{ name int } }
}

func TestFields_RefusesAnotherDriver(t *testing.T) {
	t.Parallel()
	other := &strange{}
	other.rs.columns = make([]struct{ name int }, 1)
	for _, rows := range []driver.Rows{nil, other, &struct{ driver.Rows }{}, struct{ driver.Rows }{other}} {
		if got, err := fields(rows); err == nil {
			t.Errorf("%T: got %+v, want an error", rows, got)
		}
	}
}

func TestDecimal_RoundsNothing(t *testing.T) {
	t.Parallel()
	f := field{decimals: 2}
	for value, ok := range map[string]bool{"1.25": true, "1.2500": true, "1": true, "1.251": false, "-0.001": false} {
		if got, err := f.decimal(nil, []byte(value)); (err == nil) != ok || ok && string(got) != value {
			t.Errorf("%s: got %q, %v", value, got, err)
		}
	}
}

func TestColumn_RefusesWhatTheDriverWouldCut(t *testing.T) {
	t.Parallel()
	for _, f := range []field{{name: "c", code: codeDatetime, decimals: 31}, {name: "c", code: codeTime, decimals: 39}, {name: "c", code: 200}} {
		var hinted *HintError
		if _, _, err := f.column(); !errors.As(err, &hinted) || !strings.Contains(hinted.Hint, "CAST") {
			t.Errorf("%+v: got %v, want a hint at CAST", f, err)
		}
	}
}

// FuzzMoment holds isDate to the calendar of package time.
func FuzzMoment(f *testing.F) {
	for _, seed := range []string{"2024-02-29", "2023-02-29", "0000-00-00", "2024-00-15", "1900-02-29 10:00:00", "9999-12-31 23:59:59.999999", "", "x", "2024-13-01"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := moment("+00")(nil, []byte(text))
		if err == nil && string(got) != text+"+00" {
			t.Errorf("%q became %q", text, got)
		}
		if len(text) < 10 || text[4] != '-' || text[7] != '-' {
			return
		}
		day, parseErr := time.Parse(time.DateOnly, text[:10])
		if exists := parseErr == nil && day.Year() > 0; exists != (err == nil) {
			t.Errorf("%q: %v, package time says %v", text, err, parseErr)
		}
	})
}

// FuzzParseDSN looks for passwords in errors.
func FuzzParseDSN(f *testing.F) {
	for _, seed := range []string{"localhost:3306/db?tls=true", "/", "[::1]:1/x", "h?socket=/s&tls=skip-verify", "%zz", "h:x/y/z?a=%", "@@"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, rest string) {
		const password = "hunter2-and-more"
		if strings.Contains(rest, password) {
			return
		}
		cfg, err := parseDSN("mysql://user:" + password + "@" + rest)
		if err == nil && (cfg == nil || cfg.Addr == "" && cfg.Net == "tcp") {
			t.Errorf("%q: got %+v", rest, cfg)
		}
		if err != nil && strings.Contains(err.Error(), password) {
			t.Errorf("%q: %v", rest, err)
		}
	})
}

// FuzzBits compares with the bits counted one by one.
func FuzzBits(f *testing.F) {
	f.Add([]byte{5}, uint8(3))
	f.Add([]byte{0xff, 1}, uint8(9))
	f.Fuzz(func(t *testing.T, value []byte, length uint8) {
		got, err := field{length: uint64(length)}.bits(nil, value)
		if err != nil {
			return
		}
		if len(got) != int(length) {
			t.Fatalf("%d bits, want %d", len(got), length)
		}
		for i := range int(length) {
			bit := value[len(value)-1-i/8] >> (i % 8) & 1
			if got[len(got)-1-i] != '0'+bit {
				t.Errorf("%x: bit %d of %s is not %d", value, i, got, bit)
			}
		}
	})
}
