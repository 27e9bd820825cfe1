package catalog_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/schema/catalog"
	"github.com/autocdc/autocdc/test/pgtest"

	"github.com/jackc/pgx/v5"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func connect(t testing.TB, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := catalog.Connect(context.Background(), dsn)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func name(table string) schema.Name { return schema.Name{Schema: "public", Name: table} }

const tables = `
CREATE DOMAIN d AS varchar(9);
CREATE TABLE a (id bigint PRIMARY KEY, gone int, v varchar(10) COLLATE "C", "Größe" numeric(10,2) NOT NULL, ds d[], g int GENERATED ALWAYS AS (1) STORED);
ALTER TABLE a DROP gone;
CREATE TABLE child () INHERITS (a);
CREATE TABLE f (x text, y char(3)); ALTER TABLE f REPLICA IDENTITY FULL;
CREATE TABLE i (x int, b int NOT NULL, c int NOT NULL); CREATE UNIQUE INDEX i_bc ON i (c, b) INCLUDE (x); ALTER TABLE i REPLICA IDENTITY USING INDEX i_bc;
CREATE TABLE later (id int PRIMARY KEY DEFERRABLE, n timestamp(3) with time zone);
CREATE TABLE p (id int, r int, PRIMARY KEY (id, r)) PARTITION BY RANGE (r);
CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (9);
CREATE TABLE empty ();
CREATE VIEW v AS SELECT 1 AS one`

func TestRelations_Columns(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	pgtest.Exec(t, dsn, tables)
	names := []schema.Name{name("a"), name("f"), name("i"), name("later"), name("p"), name("empty"), name("v"), name("missing"), name("a"), {Schema: "pg_catalog", Name: "pg_class"}}
	rels, err := catalog.Relations(context.Background(), connect(t, dsn), names)
	must(t, err)
	want := map[string]string{
		"a":     `r d parent: id bigint! key, v character varying(10) "pg_catalog"."C", Größe numeric(10,2)!, ds public.d[], g integer generated`,
		"f":     "r f: x text key, y character(3) key",
		"i":     "r i: x integer, b integer! key, c integer! key",
		"later": "r d: id integer!, n timestamp(3) with time zone",
		"p":     "p d: id integer! key, r integer! key",
		"empty": "r d: ",
		"v":     "v n: one integer",
	}
	for table, text := range want {
		rel := rels[name(table)]
		if rel == nil {
			t.Errorf("%s is missing", table)
		} else if got := describe(rel); strings.ReplaceAll(got, `pg_catalog."C"`, `"pg_catalog"."C"`) != text {
			t.Errorf("%s:\n got %s\nwant %s", table, got, text)
		}
	}
	if rels[name("missing")] != nil || len(rels) != 8 {
		t.Errorf("%d relations", len(rels))
	}
	if c := rels[name("a")].Columns[1]; c.AttNum != 3 || c.TypeOID != 1043 || c.TypeMod != 14 {
		t.Errorf("got %+v", c)
	}
}

func describe(r *schema.Relation) string {
	text := fmt.Sprintf("%c %c", r.Kind, r.Replica)
	if r.IsParent {
		text += " parent"
	}
	var columns []string
	for _, c := range r.Columns {
		s := c.Name + " " + c.Type
		if c.NotNull {
			s += "!"
		}
		if c.Identity {
			s += " key"
		}
		if c.Generated {
			s += " generated"
		}
		if c.Collation != "" {
			s += " " + c.Collation
		}
		columns = append(columns, s)
	}
	return text + ": " + strings.Join(columns, ", ")
}

func TestKeys(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	since15 := pgtest.Rows(t, dsn, "SELECT current_setting('server_version_num')::int >= 150000")[0][0] == "t"
	nulls := ""
	if since15 {
		nulls = "NULLS NOT DISTINCT"
	}
	pgtest.Exec(t, dsn, `
		CREATE TABLE k (a int, b int, c int NOT NULL, d text, PRIMARY KEY (b, a), UNIQUE (c) DEFERRABLE);
		CREATE UNIQUE INDEX k_partial ON k (c) WHERE a > 1;
		CREATE UNIQUE INDEX k_expr ON k (lower(d));
		CREATE UNIQUE INDEX k_nnd ON k (d) INCLUDE (a) `+nulls+`;
		CREATE INDEX k_plain ON k (d);
		CREATE TABLE none (a int)`)
	conn := connect(t, dsn)
	rels, err := catalog.Relations(context.Background(), conn, []schema.Name{name("k"), name("none")})
	must(t, err)
	oid := rels[name("k")].OID
	keys, err := catalog.Keys(context.Background(), conn, []uint32{oid, rels[name("none")].OID})
	must(t, err)
	want := map[uint32][]catalog.Key{oid: {
		{Name: "k_pkey", Columns: []string{"b", "a"}, Primary: true, NotNull: true},
		{Name: "k_c_key", Columns: []string{"c"}, Deferrable: true, NotNull: true},
		{Name: "k_nnd", Columns: []string{"d"}, NullsNotDistinct: since15},
	}}
	if !reflect.DeepEqual(keys, want) {
		t.Errorf("got %+v\nwant %+v", keys, want)
	}
}

func TestTables_Patterns(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	pgtest.Exec(t, dsn, `
		CREATE SCHEMA shop; CREATE SCHEMA "Shop"; CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
		CREATE TABLE a_b (); CREATE TABLE axb (); CREATE TABLE "A%*" (); CREATE TABLE "dot.ted" ();
		CREATE TABLE shop.orders (); CREATE TABLE "Shop".orders ();
		CREATE TABLE shop.p (id int) PARTITION BY RANGE (id); CREATE TABLE shop.p1 PARTITION OF shop.p FOR VALUES FROM (0) TO (9);
		CREATE UNLOGGED TABLE u (); CREATE VIEW v AS SELECT 1; CREATE TEMP TABLE tmp ()`)
	conn := connect(t, dsn)
	for patterns, want := range map[string]string{
		"*.*":                     `"Shop"."orders" "public"."A%*" "public"."a_b" "public"."axb" "public"."dot.ted" "shop"."orders" "shop"."p"`,
		"public.a_b":              `"public"."a_b"`,
		"PUBLIC.A_B":              `"public"."a_b"`,
		`public."A%*"`:            `"public"."A%*"`,
		`"A%"*`:                   `"public"."A%*"`,
		`public."dot.ted"`:        `"public"."dot.ted"`,
		"shop.*":                  `"shop"."orders" "shop"."p"`,
		"orders":                  `"Shop"."orders" "shop"."orders"`,
		`"Shop".*,public.a*b`:     `"Shop"."orders" "public"."a_b" "public"."axb"`,
		"shop.orders,*.orders":    `"Shop"."orders" "shop"."orders"`,
		"nope.*":                  `error: list tables: none matches "nope.*"`,
		`a.b.c`:                   `error: read pattern "a.b.c": it has 3 parts, want schema.table`,
		`"a`:                      `error: read pattern "\"a": a quote is not closed`,
		"a.":                      `error: read pattern "a.": a name is empty`,
		"public.u":                `error: list tables: none matches "public.u"`,
		"shop.p1":                 `error: list tables: none matches "shop.p1"`,
		"pg_catalog.pg_class":     `error: list tables: none matches "pg_catalog.pg_class"`,
		"*.*s*.*":                 `error: read pattern "*.*s*.*": it has 3 parts, want schema.table`,
		"s*o*.*r*r*":              `"shop"."orders"`,
		"public.a%":               `error: list tables: none matches "public.a%"`,
		"public.a__":              `error: list tables: none matches "public.a__"`,
		"information_schema.*":    `error: list tables: none matches "information_schema.*"`,
		`"shop".o*,"public".dot*`: `"public"."dot.ted" "shop"."orders"`,
	} {
		names, err := catalog.Tables(context.Background(), conn, strings.Split(patterns, ","))
		got := fmt.Sprint(names)
		got = got[1 : len(got)-1]
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", patterns, got, want)
		}
	}
}

func TestServerInfo(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	s, err := catalog.ServerInfo(context.Background(), connect(t, dsn))
	must(t, err)
	if s.Version < 140000 || s.WALLevel != "logical" || !s.Superuser || !s.Replication || !s.CreateInDatabase ||
		s.MaxSlots == 0 || s.MaxWalsenders == 0 || s.InRecovery || time.Since(s.Clock).Abs() > time.Minute {
		t.Errorf("got %+v", s)
	}
}

func TestPrivileges(t *testing.T) {
	t.Parallel()
	ctx, dsn := context.Background(), pgtest.Database(t)
	role := pgtest.Rows(t, dsn, "SELECT current_database()")[0][0] + "_role"
	pgtest.Exec(t, dsn, `
		CREATE SCHEMA "S"; CREATE TABLE "S".hidden (id int); CREATE TABLE open (id int); CREATE TABLE part (a int, b int); CREATE TABLE secure (id int);
		ALTER TABLE secure ENABLE ROW LEVEL SECURITY`,
		fmt.Sprintf(`CREATE ROLE %[1]s LOGIN PASSWORD 'p'; GRANT SELECT ON open, secure TO %[1]s; GRANT SELECT (a, b) ON part TO %[1]s`, role))
	t.Cleanup(func() { pgtest.Exec(t, dsn, "DROP OWNED BY "+role+"; DROP ROLE "+role) })
	u, err := url.Parse(dsn)
	must(t, err)
	u.User = url.UserPassword(role, "p")
	conn := connect(t, u.String())
	rels, err := catalog.Relations(ctx, conn, []schema.Name{{Schema: "S", Name: "hidden"}, name("open"), name("part"), name("secure")})
	must(t, err)
	var oids []uint32
	for _, r := range rels {
		oids = append(oids, r.OID)
	}
	missing, err := catalog.MissingSelect(ctx, conn, oids)
	must(t, err)
	compare(t, missing, `GRANT USAGE ON SCHEMA "S" TO "`+role+`"`, `GRANT SELECT ON "S"."hidden" TO "`+role+`"`, `ALTER ROLE "`+role+`" BYPASSRLS`)
	missing, err = catalog.MissingPublish(ctx, conn, oids)
	must(t, err)
	if len(missing) != 5 || !strings.HasPrefix(missing[0].Statement, "GRANT CREATE ON DATABASE ") {
		t.Errorf("got %+v", missing)
	}
	s, err := catalog.ServerInfo(ctx, conn)
	must(t, err)
	compare(t, catalog.MissingReplication(s), `ALTER ROLE "`+role+`" REPLICATION`)
	for _, m := range append(missing, catalog.MissingReplication(s)...) {
		pgtest.Exec(t, dsn, m.Statement)
	}
	if missing, err = catalog.MissingPublish(ctx, conn, oids); err != nil || len(missing) != 0 {
		t.Errorf("after the statements: %+v, %v", missing, err)
	}
}

func compare(t *testing.T, got []catalog.Missing, want ...string) {
	t.Helper()
	var statements []string
	for _, m := range got {
		statements = append(statements, m.Statement)
	}
	if !reflect.DeepEqual(statements, want) {
		t.Errorf("got %q, want %q", statements, want)
	}
}

// Two thousand tables take a moment, not a query each.
func TestRelations_ManyTables(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	var names []schema.Name
	var ddl strings.Builder
	for i := range 500 {
		fmt.Fprintf(&ddl, "CREATE TABLE t%d (id int PRIMARY KEY, a text, b text, c text);", i)
		names = append(names, name(fmt.Sprintf("t%d", i)))
	}
	pgtest.Exec(t, dsn, ddl.String())
	conn := connect(t, dsn)
	started := time.Now()
	rels, err := catalog.Relations(context.Background(), conn, names)
	must(t, err)
	if took := time.Since(started); len(rels) != 500 || took > 3*time.Second {
		t.Errorf("%d relations in %s", len(rels), took)
	}
}
