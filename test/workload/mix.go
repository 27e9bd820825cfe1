package workload

import "fmt"

// mix returns the tables of a workload: each has something that replication
// gets wrong easily.
func mix() []table {
	return []table{
		compositeKey(), hostileNames(), toasted("docs", ""), toasted("docs_full", "FULL"),
		identityByIndex(), partitioned(), everyType(),
	}
}

// prepare is the DDL that the tables need.
const prepare = `
CREATE SCHEMA "Größe";
CREATE TYPE mood AS ENUM ('sad', 'so so', 'happy');
CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
CREATE TYPE pair AS (x integer, label text);
CREATE TABLE marker (n bigint PRIMARY KEY);
INSERT INTO marker VALUES (0);
CREATE SEQUENCE codes_serial;
`

// marker has a row for each transaction: where its version starts in an SCD 2
// target is the stamp of that transaction.
func marker() table {
	return table{schema: "public", name: "marker", keys: []string{"n"}, columns: []column{{name: "n", typ: "bigint"}}}
}

func numbers(n int) []string {
	values := make([]string, n)
	for i := range values {
		values[i] = fmt.Sprint(i + 1)
	}
	return values
}

func words() []string {
	return []string{"'x'", "'y'", "''", "NULL", `'\N'`, `'\.'`, "E'tab\\tnew\\nline'"}
}

func compositeKey() table {
	return table{
		schema: "public", name: "orders", keys: []string{"region", "id"},
		columns: []column{
			{"id", "integer", numbers(4)},
			{"note", "text", words()},
			{"region", "text", []string{"'eu'", "'us'", "'E''U'"}},
			{"quantity", "integer", append(numbers(3), "NULL")},
		},
		after: []string{"ALTER TABLE orders ADD PRIMARY KEY (region, id)"},
	}
}

func hostileNames() table {
	return table{
		schema: "Größe", name: "select", keys: []string{`k"1`},
		columns: []column{
			{`k"1`, "integer", numbers(6)},
			{"order", "text", words()},
			{"naïve ' col", "text", words()},
			{"CamelCase", "integer", append(numbers(3), "NULL")},
		},
		after: []string{`ALTER TABLE "Größe"."select" ADD PRIMARY KEY ("k""1")`},
	}
}

// toasted has values that are stored out of line, so that an update that leaves
// them alone does not send them.
func toasted(name, identity string) table {
	long := []string{
		"repeat(md5('1'), 100)", "repeat(md5('2'), 200)", "repeat(md5('3'), 300)", "'short'", "NULL",
	}
	after := []string{
		fmt.Sprintf("ALTER TABLE %s ADD PRIMARY KEY (id), ALTER body SET STORAGE EXTERNAL, ALTER extra SET STORAGE EXTERNAL", name),
	}
	if identity != "" {
		after = append(after, fmt.Sprintf("ALTER TABLE %s REPLICA IDENTITY %s", name, identity))
	}
	return table{
		schema: "public", name: name, keys: []string{"id"},
		columns: []column{
			{"id", "integer", numbers(6)},
			{"title", "text", words()},
			{"body", "text", long},
			{"extra", "text", long},
		},
		after: after,
	}
}

// identityByIndex is known to its flows by the columns of an index that is not
// its primary key.
func identityByIndex() table {
	return table{
		schema: "public", name: "codes", keys: []string{"code", "part"},
		columns: []column{
			{"serial", "bigint NOT NULL DEFAULT nextval('codes_serial')", []string{"DEFAULT"}},
			{"code", "varchar(10) NOT NULL", []string{"'a'", "'b'", "'A'", "'a b'"}},
			{"part", "numeric NOT NULL", []string{"1", "2.5", "-3"}},
			{"label", "text", words()},
		},
		after: []string{
			"ALTER TABLE codes ADD PRIMARY KEY (serial)",
			"CREATE UNIQUE INDEX codes_key ON codes (code, part)",
			"ALTER TABLE codes REPLICA IDENTITY USING INDEX codes_key",
		},
	}
}

func partitioned() table {
	return table{
		schema: "public", name: "readings", keys: []string{"id"},
		columns: []column{
			{"id", "integer", numbers(9)},
			{"value", "double precision", []string{"1", "2.5", "'NaN'", "'-Infinity'", "NULL"}},
			{"unit", "text", words()},
		},
		partition: "PARTITION BY RANGE (id)",
		after: []string{
			"ALTER TABLE readings ADD PRIMARY KEY (id)",
			"CREATE TABLE readings_low PARTITION OF readings FOR VALUES FROM (MINVALUE) TO (4)",
			"CREATE TABLE readings_high PARTITION OF readings FOR VALUES FROM (4) TO (MAXVALUE)",
		},
	}
}
