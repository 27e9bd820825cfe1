package replication_test

import (
	"context"
	"errors"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/replication"
	"github.com/autocdc/autocdc/schema"
	"github.com/autocdc/autocdc/test/pgtest"
)

const published = `
SELECT p.pubname, concat(p.pubinsert, p.pubupdate, p.pubdelete, p.pubtruncate, p.pubviaroot),
	coalesce(string_agg(r.prrelid::regclass::text, ' ' ORDER BY r.prrelid::regclass::text), '-')
FROM pg_publication p LEFT JOIN pg_publication_rel r ON r.prpubid = p.oid
GROUP BY p.oid ORDER BY 1`

// touched changes when a row of the catalog is written.
const touched = `
SELECT xmin, oid FROM pg_publication UNION ALL SELECT xmin, oid FROM pg_publication_rel ORDER BY 2`

func TestEnsurePublications_FollowsTheTables(t *testing.T) {
	t.Parallel()
	ctx, dsn := context.Background(), pgtest.Database(t)
	pgtest.Exec(t, dsn, `
		CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE "B c" (id int PRIMARY KEY); CREATE TABLE feed (n int);
		CREATE TABLE child () INHERITS (a);
		CREATE PUBLICATION other FOR TABLE feed`)
	conn := connect(t, dsn)
	for _, step := range []struct {
		changes, feeds []schema.Name
		want           [][]string
	}{
		{nil, nil, [][]string{{"Pub", "ttttt", "-"}, {"Pub_feeds", "tffft", "-"}}},
		{tables("a"), tables("feed"), [][]string{{"Pub", "ttttt", "a"}, {"Pub_feeds", "tffft", "feed"}}},
		{tables("B c", "a", "a"), tables("feed", "a"), [][]string{{"Pub", "ttttt", `"B c" a`}, {"Pub_feeds", "tffft", "a feed"}}},
		{tables("B c"), nil, [][]string{{"Pub", "ttttt", `"B c"`}, {"Pub_feeds", "tffft", "-"}}},
	} {
		must(t, replication.EnsurePublications(ctx, conn, "Pub", step.changes, step.feeds))
		want := append(step.want, []string{"other", "ttttf", "feed"})
		if got := pgtest.Rows(t, dsn, published); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		before := pgtest.Rows(t, dsn, touched)
		must(t, replication.EnsurePublications(ctx, conn, "Pub", step.changes, step.feeds))
		if after := pgtest.Rows(t, dsn, touched); !reflect.DeepEqual(after, before) {
			t.Errorf("the second time changes %v to %v", before, after)
		}
	}
	must(t, replication.DropPublications(ctx, conn, "Pub"))
	must(t, replication.DropPublications(ctx, conn, "Pub"))
	if got := pgtest.Rows(t, dsn, "SELECT pubname FROM pg_publication"); len(got) != 1 {
		t.Errorf("left: %v", got)
	}
}

func TestEnsurePublications_MendsWhatWasChanged(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	pgtest.Exec(t, dsn, `CREATE TABLE a (id int PRIMARY KEY, v int); CREATE SCHEMA s; CREATE TABLE s.x (id int PRIMARY KEY)`)
	conn := connect(t, dsn)
	want := [][]string{{"pub", "ttttt", "a"}, {"pub_feeds", "tffft", "-"}}
	damages := []string{
		`CREATE PUBLICATION pub`,
		`ALTER PUBLICATION pub SET (publish = 'insert', publish_via_partition_root = false)`,
		`ALTER PUBLICATION pub ADD TABLE s.x`,
		`ALTER PUBLICATION pub DROP TABLE a`,
	}
	count := "0, 0, 0"
	if pgtest.Rows(t, dsn, "SELECT current_setting('server_version_num')::int >= 150000")[0][0] == "t" {
		count = "(SELECT count(*) FROM pg_publication_namespace), count(prqual), count(prattrs)"
		damages = append(damages, `ALTER PUBLICATION pub SET TABLE a (id)`, `ALTER PUBLICATION pub SET TABLE a WHERE (id > 1)`,
			`ALTER PUBLICATION pub ADD TABLES IN SCHEMA s`)
	}
	for _, damage := range damages {
		pgtest.Exec(t, dsn, damage)
		must(t, replication.EnsurePublications(context.Background(), conn, "pub", tables("a"), nil))
		got := pgtest.Rows(t, dsn, published)
		rest := pgtest.Rows(t, dsn, "SELECT "+count+" FROM pg_publication_rel")
		if !reflect.DeepEqual(got, want) || !slices.Equal(rest[0], []string{"0", "0", "0"}) {
			t.Errorf("after %s: got %v %v, want %v", damage, got, rest, want)
		}
	}
}

func TestEnsurePublications_RefusesWhatHasNoIdentity(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	pgtest.Exec(t, dsn, `
		CREATE TABLE ok (id int PRIMARY KEY);
		CREATE TABLE "No ne" (id int);
		CREATE TABLE uniq (id int NOT NULL UNIQUE);
		CREATE TABLE later (id int PRIMARY KEY DEFERRABLE);
		CREATE TABLE nothing (id int PRIMARY KEY); ALTER TABLE nothing REPLICA IDENTITY NOTHING;
		CREATE TABLE lost (id int NOT NULL); CREATE UNIQUE INDEX lost_i ON lost (id); ALTER TABLE lost REPLICA IDENTITY USING INDEX lost_i; DROP INDEX lost_i;
		CREATE TABLE whole (id int); ALTER TABLE whole REPLICA IDENTITY FULL;
		CREATE TABLE root (id int PRIMARY KEY) PARTITION BY RANGE (id);
		CREATE TABLE leaf PARTITION OF root FOR VALUES FROM (0) TO (9); ALTER TABLE leaf REPLICA IDENTITY NOTHING;
		CREATE UNLOGGED TABLE unlogged (id int PRIMARY KEY); CREATE VIEW v AS SELECT 1 AS id`)
	conn := connect(t, dsn)
	err := replication.EnsurePublications(context.Background(), conn, "pub",
		tables("ok", "No ne", "uniq", "later", "nothing", "lost", "whole", "root"), tables("No ne"))
	e, ok := errors.AsType[*replication.IdentityError](err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	want := []string{
		`ALTER TABLE "public"."No ne" REPLICA IDENTITY FULL`,
		`ALTER TABLE "public"."later" REPLICA IDENTITY FULL`,
		`ALTER TABLE "public"."lost" REPLICA IDENTITY FULL`,
		`ALTER TABLE "public"."nothing" REPLICA IDENTITY USING INDEX "nothing_pkey"`,
		`ALTER TABLE "public"."leaf" REPLICA IDENTITY USING INDEX "leaf_pkey"`,
		`ALTER TABLE "public"."uniq" REPLICA IDENTITY USING INDEX "uniq_id_key"`,
	}
	if !slices.Equal(e.Statements, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(e.Statements, "\n"), strings.Join(want, "\n"))
	}
	if rows := pgtest.Rows(t, dsn, "SELECT pubname FROM pg_publication"); len(rows) > 0 {
		t.Errorf("made %v", rows)
	}
	for _, bad := range []string{"unlogged", "v", "missing"} {
		err := replication.EnsurePublications(context.Background(), conn, "pub", nil, tables(bad))
		if err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: got %v", bad, err)
		}
	}
}

// A role with few rights works with what an administrator has made, and says
// what is missing otherwise.
func TestEnsurePublications_LeastPrivilege(t *testing.T) {
	t.Parallel()
	ctx, dsn := context.Background(), pgtest.Database(t)
	pgtest.Exec(t, dsn, `
		CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY); CREATE TABLE feed (n int);
		CREATE TABLE p (id int PRIMARY KEY) PARTITION BY RANGE (id); CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (9)`)
	role := strings.ReplaceAll(pgtest.Rows(t, dsn, "SELECT current_database()")[0][0], "-", "_") + "_role"
	pgtest.Exec(t, dsn, "CREATE ROLE "+role+" LOGIN REPLICATION PASSWORD 'p'")
	t.Cleanup(func() { pgtest.Exec(t, dsn, "DROP OWNED BY "+role+"; DROP ROLE "+role) })
	limited, err := url.Parse(dsn)
	must(t, err)
	limited.User = url.UserPassword(role, "p")
	conn := connect(t, limited.String())
	ensure := func(changes ...string) error {
		return replication.EnsurePublications(ctx, conn, "pub", tables(changes...), tables("feed"))
	}
	e, ok := errors.AsType[*replication.PrivilegeError](ensure("a"))
	if !ok || len(e.Statements) != 1 || !strings.Contains(e.Hint(), `CREATE PUBLICATION "pub" FOR TABLE ONLY "public"."a" WITH (publish = 'insert, update, delete, truncate', publish_via_partition_root = true)`) {
		t.Fatalf("got %v", e)
	}
	pgtest.Exec(t, dsn, e.Statements[0])
	e, ok = errors.AsType[*replication.PrivilegeError](ensure("a"))
	if !ok || e.Publication != "pub_feeds" {
		t.Fatalf("got %v", e)
	}
	pgtest.Exec(t, dsn, "CREATE PUBLICATION pub_feeds FOR ALL TABLES WITH (publish = 'insert')")
	must(t, ensure("a"))
	if err := ensure("a", "b"); err == nil {
		t.Error("a table that the publication lacks is accepted")
	}
	pgtest.Exec(t, dsn, "ALTER PUBLICATION pub ADD TABLE b, p; ALTER PUBLICATION pub SET (publish_via_partition_root = false)")
	must(t, ensure("a"))
	if err := ensure("a", "p"); err == nil {
		t.Error("a partitioned table published as its partitions is accepted")
	}
}
