package replication_test

import (
	"strings"
	"testing"

	"github.com/autocdc/autocdc/replication"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/test/pgtest"
)

func TestReader_EveryKindOfChange(t *testing.T) {
	t.Parallel()
	s := newSource(t, pgtest.Database(t), `
		CREATE TABLE a (id int PRIMARY KEY, v text, n numeric);
		CREATE TABLE b (id int PRIMARY KEY)`, tables("a", "b"), nil)
	pgtest.Exec(t, s.dsn,
		`INSERT INTO a VALUES (1, 'x', 'NaN'), (2, NULL, 1.00)`,
		`UPDATE a SET v = E'\\N' WHERE id = 1; UPDATE a SET v = '' WHERE id = 1`,
		`UPDATE a SET id = 3 WHERE id = 2`,
		`DELETE FROM a WHERE id = 1`,
		`INSERT INTO b VALUES (7); TRUNCATE a, b; INSERT INTO a VALUES (1, 'again', NULL)`)
	compare(t, s.read(),
		`insert "public"."a" new{id=1 v=x n=NaN}`,
		`insert "public"."a" new{id=2 v=∅ n=1.00}`, "commit",
		`update "public"."a" new{id=1 v=\N n=NaN}`,
		`update "public"."a" new{id=1 v= n=NaN}`, "commit",
		`update "public"."a" old{id=2 v=∅ n=∅} new{id=3 v=∅ n=1.00}`, "commit",
		`delete "public"."a" old{id=1 v=∅ n=∅}`, "commit",
		`insert "public"."b" new{id=7}`,
		`truncate "public"."a"`, `truncate "public"."b"`,
		`insert "public"."a" new{id=1 v=again n=∅}`, "commit")
}

func TestReader_IdentityAndTOAST(t *testing.T) {
	t.Parallel()
	s := newSource(t, pgtest.Database(t), `
		CREATE TABLE d (id int PRIMARY KEY, big text, v int);
		CREATE TABLE f (id int PRIMARY KEY, big text, v int);
		CREATE TABLE i (id int PRIMARY KEY, code text NOT NULL UNIQUE, v int);
		ALTER TABLE d ALTER big SET STORAGE EXTERNAL;
		ALTER TABLE f ALTER big SET STORAGE EXTERNAL;
		ALTER TABLE f REPLICA IDENTITY FULL;
		ALTER TABLE i REPLICA IDENTITY USING INDEX i_code_key;
		INSERT INTO d VALUES (1, repeat('x', 9000), 0);
		INSERT INTO f SELECT * FROM d;
		INSERT INTO i VALUES (1, 'c', 0)`, tables("d", "f", "i"), nil)
	pgtest.Exec(t, s.dsn,
		`UPDATE d SET v = 1; UPDATE d SET id = 2; UPDATE d SET big = NULL`,
		`UPDATE f SET v = 1; UPDATE f SET id = 2; DELETE FROM f`,
		`UPDATE i SET v = 1; UPDATE i SET id = 2; UPDATE i SET code = 'e'; DELETE FROM i`)
	compare(t, s.read(),
		`update "public"."d" new{id=1 big=… v=1}`,
		`update "public"."d" old{id=1 big=∅ v=∅} new{id=2 big=… v=1}`,
		`update "public"."d" new{id=2 big=∅ v=1}`, "commit",
		`update "public"."f" old{id=1 big=9000 bytes v=0} new{id=1 big=… v=1}`,
		`update "public"."f" old{id=1 big=9000 bytes v=1} new{id=2 big=… v=1}`,
		`delete "public"."f" old{id=2 big=9000 bytes v=1}`, "commit",
		`update "public"."i" new{id=1 code=c v=1}`,
		`update "public"."i" new{id=2 code=c v=1}`,
		`update "public"."i" old{id=∅ code=c v=∅} new{id=2 code=e v=1}`,
		`delete "public"."i" old{id=∅ code=e v=∅}`, "commit")
}

func TestReader_HostileNames(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	names := []schema.Name{{Schema: `Größe "x"`, Name: `select'; --`}, {Schema: "public", Name: "Ünïcode 表"}}
	s := newSource(t, dsn, `
		CREATE SCHEMA "Größe ""x""";
		CREATE TABLE "Größe ""x"""."select'; --" ("k""1" int PRIMARY KEY, "sélect" text);
		CREATE TABLE "Ünïcode 表" ("Id" int PRIMARY KEY)`, names, nil)
	pgtest.Exec(t, dsn,
		`INSERT INTO "Größe ""x"""."select'; --" VALUES (1, 'naïve 表')`,
		`INSERT INTO "Ünïcode 表" VALUES (1)`)
	compare(t, s.read(),
		`insert "Größe ""x"""."select'; --" new{k"1=1 sélect=naïve 表}`, "commit",
		`insert "public"."Ünïcode 表" new{Id=1}`, "commit")
}

func TestReader_PartitionsAndFeeds(t *testing.T) {
	t.Parallel()
	s := newSource(t, pgtest.Database(t), `
		CREATE TABLE p (id int PRIMARY KEY, v text) PARTITION BY RANGE (id);
		CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10);
		CREATE TABLE p2 (v text, id int NOT NULL);
		ALTER TABLE p ATTACH PARTITION p2 FOR VALUES FROM (10) TO (20);
		CREATE TABLE feed (n int)`, tables("p"), tables("feed"))
	pgtest.Exec(t, s.dsn,
		`INSERT INTO p VALUES (1, 'a'), (11, 'b')`,
		`UPDATE p SET id = 12 WHERE id = 1`,
		`INSERT INTO feed VALUES (1); UPDATE feed SET n = 2; DELETE FROM feed; TRUNCATE feed; INSERT INTO feed VALUES (3)`,
		`TRUNCATE p`)
	compare(t, s.read(),
		`insert "public"."p" new{id=1 v=a}`, `insert "public"."p" new{id=11 v=b}`, "commit",
		`delete "public"."p" old{id=1 v=∅}`, `insert "public"."p" new{id=12 v=a}`, "commit",
		`insert "public"."feed" new{n=1}`, `insert "public"."feed" new{n=3}`, "commit",
		`truncate "public"."p"`, "commit")
}

func TestReader_DDLInTheMiddle(t *testing.T) {
	t.Parallel()
	s := newSource(t, pgtest.Database(t), `CREATE TABLE a (id int PRIMARY KEY, v text)`, tables("a"), nil)
	pgtest.Exec(t, s.dsn,
		`INSERT INTO a VALUES (1, 'x')`, `VACUUM ANALYZE a`, `INSERT INTO a VALUES (2, 'x')`,
		`ALTER TABLE a ADD w int; INSERT INTO a VALUES (3, 'x', 9)`,
		`ALTER TABLE a DROP v`, `ALTER TABLE a RENAME w TO z`, `INSERT INTO a VALUES (4, 5)`)
	batches := run(t, s.config(s.start, s.until())).all()
	compare(t, lines(batches),
		`insert "public"."a" new{id=1 v=x}`, "commit", `insert "public"."a" new{id=2 v=x}`, "commit",
		`insert "public"."a" new{id=3 v=x w=9}`, "commit", `insert "public"."a" new{id=4 z=5}`, "commit")
	rels := map[*schema.Relation]bool{}
	for _, b := range batches {
		for _, tx := range b.Txs {
			rels[tx.Changes[0].Rel] = true
		}
	}
	if len(rels) != 3 {
		t.Errorf("%d relations for 3 shapes", len(rels))
	}
}

func TestReader_TextFormIsPinned(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	s := newSource(t, dsn, `
		CREATE TABLE a (id int PRIMARY KEY, ts timestamptz, d date, i interval, b bytea, m money, f float8, r regclass);
		DO $$ BEGIN
			EXECUTE format('ALTER DATABASE %I SET datestyle = ''German''', current_database());
			EXECUTE format('ALTER DATABASE %I SET timezone = ''Asia/Kolkata''', current_database());
			EXECUTE format('ALTER DATABASE %I SET intervalstyle = ''iso_8601''', current_database());
			EXECUTE format('ALTER DATABASE %I SET bytea_output = ''escape''', current_database());
			EXECUTE format('ALTER DATABASE %I SET extra_float_digits = -5', current_database());
		END $$`, tables("a"), nil)
	pgtest.Exec(t, dsn, `INSERT INTO a VALUES (1, '2024-01-02 03:04:05.678+00', '4713-01-01 BC', '1 day 02:03', '\x00ff', 12.5, 0.1::float8 + 0.2, 'a')`)
	compare(t, s.read(),
		`insert "public"."a" new{id=1 ts=2024-01-02 03:04:05.678+00 d=4713-01-01 BC i=1 day 02:03:00 b=\x00ff m=$12.50 f=0.30000000000000004 r=public.a}`, "commit")
}

func TestReader_StampsAscend(t *testing.T) {
	t.Parallel()
	s := newSource(t, pgtest.Database(t), `CREATE TABLE a (id int PRIMARY KEY)`, tables("a"), nil)
	pgtest.Exec(t, s.dsn, strings.Split(strings.Repeat(`INSERT INTO a SELECT count(*) FROM a;`, 50), ";")[:50]...)
	last, end := s.stamp, s.start
	for _, b := range run(t, s.config(s.start, s.until())).all() {
		for _, tx := range b.Txs {
			if !tx.Stamp.After(last) || tx.EndLSN <= end || tx.XID == 0 {
				t.Errorf("transaction %d ends at %s, %s after %s, %s", tx.XID, tx.EndLSN, tx.Stamp, end, last)
			}
			last, end = tx.Stamp, tx.EndLSN
		}
		if b.LSN < end || b.Stamp.Before(last) {
			t.Errorf("batch ends at %s, %s; its last transaction at %s, %s", b.LSN, b.Stamp, end, last)
		}
	}
}

func TestReader_HandsMarksOver(t *testing.T) {
	t.Parallel()
	s := newSource(t, pgtest.Database(t), `CREATE TABLE a (id int PRIMARY KEY)`, tables("a"), nil)
	pgtest.Exec(t, s.dsn, `INSERT INTO a VALUES (1)`, `SELECT pg_logical_emit_message(true, 'somebody', 'x')`)
	if err := replication.Mark(t.Context(), pgtest.Conn(t, s.dsn)); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, s.dsn, `INSERT INTO a VALUES (2)`)
	compare(t, s.read(), `insert "public"."a" new{id=1}`, "commit", "commit", `insert "public"."a" new{id=2}`, "commit")
}
