package workload

// everyType has a column of every built-in type that has text form of its own.
// Values are hard ones: NaN, infinity, BC, signs of zero, scale, escapes.
func everyType() table {
	columns := []column{{"id", "integer", numbers(5)}}
	for _, t := range typesAndValues {
		columns = append(columns, column{"c_" + t.name, t.typ, append(t.values, "NULL")})
	}
	return table{
		schema: "public", name: "every_type", keys: []string{"id"}, columns: columns,
		after: []string{"ALTER TABLE every_type ADD PRIMARY KEY (id)"},
	}
}

var typesAndValues = []column{
	{"int2", "smallint", []string{"-32768", "0"}},
	{"int8", "bigint", []string{"9223372036854775807", "-1"}},
	{"numeric", "numeric", []string{"'NaN'", "'Infinity'", "1.0", "1.00", "-0.000000000000000000000000001"}},
	{"numeric_10_3", "numeric(10,3)", []string{"1234567.891", "0"}},
	{"float4", "real", []string{"'-0'", "0", "3.4028235e38", "'NaN'"}},
	{"float8", "double precision", []string{"0.1", "'-0'", "0", "1e-300", "'Infinity'"}},
	{"money", "money", []string{"'12.34'", "'-1'"}},
	{"bool", "boolean", []string{"true", "false"}},
	{"varchar", "varchar(20)", []string{"'a '", "'a'", `'\.'`, `'\N'`}},
	{"char", "char(3)", []string{"'a'", "'a b'", "''"}},
	{"onechar", `"char"`, []string{"'a'", "''"}},
	{"name", "name", []string{`'we"ird'`, "'x'"}},
	{"bytea", "bytea", []string{`'\x00ff5c'`, `'\x'`}},
	{"timestamp", "timestamp", []string{"'0044-03-15 12:00:00.000001 BC'", "'infinity'", "'2026-01-01 24:00'"}},
	{"timestamptz", "timestamptz", []string{"'-infinity'", "'2026-06-01 12:00:00.123456+05:30'", "'4713-12-31 BC'"}},
	{"date", "date", []string{"'4713-01-01 BC'", "'infinity'", "'5874897-12-31'"}},
	{"time", "time", []string{"'24:00'", "'00:00:00.000001'"}},
	{"timetz", "timetz", []string{"'12:00+02'", "'12:00-11:30'"}},
	{"interval", "interval", []string{"'1 year -3 days 04:05:06.7'", "'-1 mon'", "'0'"}},
	{"uuid", "uuid", []string{"'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"}},
	{"json", "json", []string{`'{"a" : 1, "a":2}'`, "'null'", `'"\\u00e9"'`}},
	{"jsonb", "jsonb", []string{`'{"a": [1, 1.0, null]}'`, "'null'"}},
	{"int4range", "int4range", []string{"'[1,5)'", "'empty'", "'(,)'"}},
	{"numrange", "numrange", []string{"'(1.0,1.50]'"}},
	{"tstzrange", "tstzrange", []string{"'[2026-01-01,infinity)'"}},
	{"datemultirange", "datemultirange", []string{"'{[2026-01-01,2026-01-05),[2027-01-01,)}'", "'{}'"}},
	{"int_array", "integer[]", []string{"'{1,NULL,3}'", "'{}'", "'[0:1]={7,8}'", "'{{1,2},{3,4}}'"}},
	{"text_array", "text[]", []string{`'{"a,b","NULL",NULL,"q\"q","back\\slash",""}'`}},
	{"point", "point", []string{"'(1,-0)'", "'(NaN,Infinity)'"}},
	{"line", "line", []string{"'{1,2,3}'"}},
	{"lseg", "lseg", []string{"'[(0,0),(1,1)]'"}},
	{"box", "box", []string{"'(1,1),(0,0)'"}},
	{"path", "path", []string{"'[(0,0),(1,1)]'", "'((0,0),(1,1))'"}},
	{"polygon", "polygon", []string{"'((0,0),(1,1),(1,0))'"}},
	{"circle", "circle", []string{"'<(0,0),2.5>'"}},
	{"inet", "inet", []string{"'10.0.0.1/8'", "'::1'"}},
	{"cidr", "cidr", []string{"'10.0.0.0/8'"}},
	{"macaddr", "macaddr", []string{"'08:00:2b:01:02:03'"}},
	{"macaddr8", "macaddr8", []string{"'08:00:2b:01:02:03:04:05'"}},
	{"bit", "bit(4)", []string{"B'1010'"}},
	{"varbit", "bit varying(8)", []string{"B'10'", "B''"}},
	{"tsvector", "tsvector", []string{"'a:1A fat:2 cat''s:3'"}},
	{"tsquery", "tsquery", []string{"'fat & !rat'"}},
	{"oid", "oid", []string{"4294967295"}},
	{"pg_lsn", "pg_lsn", []string{"'16/B374D848'"}},
	{"txid_snapshot", "pg_snapshot", []string{"'10:20:10,14,15'"}},
	{"mood", "mood", []string{"'so so'", "'happy'"}},
	{"moods", "mood[]", []string{"'{\"so so\",NULL,sad}'"}},
	{"positive", "positive", []string{"1", "7"}},
	{"pair", "pair", []string{`'(1,"a b")'`, `'(,"q""q")'`, `'(2,"back\\slash, comma")'`}},
	{"pairs", "pair[]", []string{`'{"(1,\"a b\")",NULL}'`}},
}
