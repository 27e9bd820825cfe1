package mysql_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/test/mariadb"
	"github.com/autocdc/autocdc/test/pgtest"
)

// typeCase is a type of MariaDB's, the Postgres type that it becomes, values as
// its SQL has them, and what Postgres shows of them.
type typeCase struct {
	source, target string
	values         []string
	want           []string
}

var typeCases = []typeCase{
	{"tinyint", "smallint", []string{"-128", "127"}, []string{"-128", "127"}},
	{"boolean", "smallint", []string{"true", "false", "17"}, []string{"1", "0", "17"}},
	{"tinyint unsigned", "smallint", []string{"0", "255"}, []string{"0", "255"}},
	{"smallint", "smallint", []string{"-32768", "32767"}, []string{"-32768", "32767"}},
	{"smallint unsigned", "integer", []string{"65535"}, []string{"65535"}},
	{"mediumint", "integer", []string{"-8388608", "8388607"}, []string{"-8388608", "8388607"}},
	{"mediumint unsigned", "integer", []string{"16777215"}, []string{"16777215"}},
	{"int", "integer", []string{"-2147483648", "2147483647"}, []string{"-2147483648", "2147483647"}},
	{"int unsigned", "bigint", []string{"4294967295"}, []string{"4294967295"}},
	{"int(6) zerofill", "bigint", []string{"42"}, []string{"42"}},
	{"bigint", "bigint", []string{"-9223372036854775808", "9223372036854775807"}, []string{"-9223372036854775808", "9223372036854775807"}},
	{"bigint unsigned", "numeric(20,0)", []string{"0", "9223372036854775808", "18446744073709551615"}, []string{"0", "9223372036854775808", "18446744073709551615"}},
	{"bit(1)", "bit(1)", []string{"b'0'", "b'1'"}, []string{"0", "1"}},
	{"bit(11)", "bit(11)", []string{"b'10000000101'", "1"}, []string{"10000000101", "00000000001"}},
	{"bit(64)", "bit(64)", []string{"~0", "1"}, []string{strings.Repeat("1", 64), strings.Repeat("0", 63) + "1"}},
	{"year", "smallint", []string{"0", "1901", "2155"}, []string{"0", "1901", "2155"}},
	{"decimal(65,30)", "numeric(65,30)", []string{"-99999999999999999999999999999999999.999999999999999999999999999999"}, []string{"-99999999999999999999999999999999999.999999999999999999999999999999"}},
	{"decimal(10,2) unsigned", "numeric(10,2)", []string{"99999999.99", "0"}, []string{"99999999.99", "0.00"}},
	{"decimal(8,3) zerofill", "numeric(8,3)", []string{"1.5"}, []string{"1.500"}},
	{"decimal(5,0)", "numeric(5,0)", []string{"-99999"}, []string{"-99999"}},
	{"decimal(4,4)", "numeric(4,4)", []string{"0.1234", "-0.9999"}, []string{"0.1234", "-0.9999"}},
	{"float", "real", []string{"3.4028234e38", "1.1754944e-38", "0.1", "16777216", "123456.79"}, []string{"3.4028235e+38", "1.1754944e-38", "0.1", "1.6777216e+07", "123456.79"}},
	{"double", "double precision", []string{"1.7976931348623157e308", "2.2250738585072014e-308", "0.1e0+0.2e0", "1e15+0.3e0"}, []string{"1.7976931348623157e+308", "2.2250738585072014e-308", "0.30000000000000004", "1.0000000000000002e+15"}},
	{"float(7,2)", "real", []string{"12345.67"}, []string{"12345.67"}},
	{"date", "date", []string{"'0001-01-01'", "'2024-02-29'", "'9999-12-31'"}, []string{"0001-01-01", "2024-02-29", "9999-12-31"}},
	{"datetime", "timestamp without time zone", []string{"'1000-01-01 00:00:00'", "'9999-12-31 23:59:59'"}, []string{"1000-01-01 00:00:00", "9999-12-31 23:59:59"}},
	{"datetime(6)", "timestamp without time zone", []string{"'2024-01-02 03:04:05.678901'", "'2024-01-02'"}, []string{"2024-01-02 03:04:05.678901", "2024-01-02 00:00:00"}},
	{"datetime(3)", "timestamp without time zone", []string{"'2024-01-02 03:04:05.678'"}, []string{"2024-01-02 03:04:05.678"}},
	{"timestamp(6) null", "timestamp with time zone", []string{"'1970-01-01 00:00:01'", "'2038-01-19 03:14:07.999999'"}, []string{"1970-01-01 00:00:01+00", "2038-01-19 03:14:07.999999+00"}},
	{"time", "interval", []string{"'838:59:59'", "'-838:59:59'", "'00:00:00'", "'-00:00:01'"}, []string{"838:59:59", "-838:59:59", "00:00:00", "-00:00:01"}},
	{"time(6)", "interval", []string{"'838:59:59.999999'", "'-838:59:59.999999'", "'-00:00:00.000001'"}, []string{"838:59:59.999999", "-838:59:59.999999", "-00:00:00.000001"}},
	{"enum('a','b''c','')", "text", []string{"'a'", "'b''c'", "''"}, []string{"a", "b'c", ""}},
	{"set('x','y','z')", "text", []string{"'x,z'", "''"}, []string{"x,z", ""}},
	{"json", "text", []string{`'{"b": 1.10, "a": 123456789012345678901234567890, "b": 2}'`}, []string{`{"b": 1.10, "a": 123456789012345678901234567890, "b": 2}`}},
	{"binary(3)", "bytea", []string{"x'00FF'", "'abc'"}, []string{`\x00ff00`, `\x616263`}},
	{"varbinary(10)", "bytea", []string{"''", "x'5C00'"}, []string{`\x`, `\x5c00`}},
	{"blob", "bytea", []string{"x'DEADBEEF'"}, []string{`\xdeadbeef`}},
	{"longblob", "bytea", []string{"x'00'"}, []string{`\x00`}},
	{"char(10)", "text", []string{"'a\tb'", "'Größe'", "'  x'"}, []string{"a\tb", "Größe", "  x"}},
	{"char(10) character set binary", "bytea", []string{"'a'"}, []string{`\x61000000000000000000`}},
	{"varchar(100)", "text", []string{"'😀 \\\\ \n'", "'trailing  '", "'NULL'", `'\\N '`}, []string{"😀 \\ \n", "trailing  ", "NULL", `\N `}},
	{"varchar(20) character set latin1", "text", []string{"'Größe €'"}, []string{"Größe €"}},
	{"varchar(20) character set utf16", "text", []string{"'ж😀'"}, []string{"ж😀"}},
	{"varchar(20) character set koi8r", "text", []string{"'Ёж'"}, []string{"Ёж"}},
	{"varchar(20) character set sjis", "text", []string{"'日本'"}, []string{"日本"}},
	{"varchar(36) character set utf8mb4 collate utf8mb4_bin", "text", []string{"'X'"}, []string{"X"}},
	{"char(36) character set latin1 collate latin1_bin", "text", []string{"'6CCD780C-BABA-1026-9564-5B8C656024DB'"}, []string{"6CCD780C-BABA-1026-9564-5B8C656024DB"}},
	{"longtext", "text", []string{"repeat('ab', 100000)"}, []string{strings.Repeat("ab", 100000)}},
	{"tinytext", "text", []string{"''"}, []string{""}},
	{"point", "bytea", []string{"PointFromText('POINT(1 2)')"}, []string{`\x000000000101000000000000000000f03f0000000000000040`}},
	{"uuid", "uuid", []string{"'6CCD780C-BABA-1026-9564-5B8C656024DB'"}, []string{"6ccd780c-baba-1026-9564-5b8c656024db"}},
	{"inet6", "inet", []string{"'2001:db8::ff00:42:8329'", "'::ffff:1.2.3.4'"}, []string{"2001:db8::ff00:42:8329", "::ffff:1.2.3.4"}},
	{"inet4", "inet", []string{"'255.1.0.9'"}, []string{"255.1.0.9"}},
}

// TestQuery_EveryTypeComesWholeIntoPostgres writes values into MariaDB, reads them
// by Query, and COPYs the text into a table of the mapped types.
func TestQuery_EveryTypeComesWholeIntoPostgres(t *testing.T) {
	t.Parallel()
	dsn, target := mariadb.Database(t), pgtest.Database(t)
	pg := pgtest.Conn(t, target)
	for i, c := range typeCases {
		table := fmt.Sprintf("t%d", i)
		statements := []string{
			"SET sql_mode = 'STRICT_ALL_TABLES'",
			fmt.Sprintf("CREATE TABLE %s (id int PRIMARY KEY, v %s)", table, c.source),
			fmt.Sprintf("INSERT INTO %s VALUES (0, NULL)", table),
		}
		for n, v := range c.values {
			statements = append(statements, fmt.Sprintf("INSERT INTO %s VALUES (%d, %s)", table, n+1, v))
		}
		mariadb.Exec(t, dsn, statements...)
	}
	conn := open(t, dsn)
	for i, c := range typeCases {
		sql := fmt.Sprintf("SELECT v FROM t%d ORDER BY id", i)
		rows := query(t, conn, sql)
		if got := rows.Columns()[0].Type; got != c.target {
			t.Errorf("%s: mapped to %s, want %s", c.source, got, c.target)
		}
		create := fmt.Sprintf("CREATE TABLE t%d (n serial, v %s)", i, rows.Columns()[0].Type)
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := pg.Exec(context.Background(), create); err != nil {
			t.Fatalf("%s: %v", create, err)
		}
		text := copyText(all(t, conn, sql))
		if _, err := pg.PgConn().CopyFrom(context.Background(), strings.NewReader(text), fmt.Sprintf("COPY t%d (v) FROM STDIN (FORMAT csv, NULL '\\N')", i)); err != nil {
			t.Errorf("%s: %v", c.source, err)
			continue
		}
		var got []string
		for _, row := range pgtest.Rows(t, target, fmt.Sprintf("SET extra_float_digits = 1; SET timezone = 'UTC'; SELECT v FROM t%d ORDER BY n", i)) {
			got = append(got, row[0])
		}
		if want := append([]string{pgtest.Null}, c.want...); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %.300q, want %.300q", c.source, got, want)
		}
	}
}

// copyText quotes everything but nulls.
func copyText(rows [][]string) string {
	var out strings.Builder
	for _, row := range rows {
		if row[0] == pgtest.Null {
			out.WriteString("\\N\n")
			continue
		}
		out.WriteString(`"` + strings.ReplaceAll(row[0], `"`, `""`) + "\"\n")
	}
	return out.String()
}
