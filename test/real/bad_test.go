package real

import (
	"strings"
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload/service"
)

// bad is one thing that is wrong on a first day.
type bad struct {
	name   string
	source string // DDL on the source
	target string // DDL on the target
	flows  string
	says   []string // what the message must contain
}

const goodSource = "CREATE TABLE items (id int PRIMARY KEY, name text, note text); INSERT INTO items VALUES (1, 'one', NULL);"

const goodFlows = `CREATE STREAMING TABLE now.items;
CREATE FLOW items AS AUTO CDC INTO now.items
FROM CHANGES(items)
KEYS (id)
STORED AS SCD TYPE 1;
`

var faults = []bad{
	{
		name: "no such table", flows: strings.Replace(goodFlows, "CHANGES(items)", "CHANGES(itmes)", 1),
		says: []string{"itmes", "flows.sql:3:"},
	},
	{
		name: "no such column in KEYS", flows: strings.Replace(goodFlows, "(id)", "(di)", 1),
		says: []string{"di", "flows.sql:4:"},
	},
	{
		name:  "no such column in an expression",
		flows: strings.Replace(goodFlows, "KEYS (id)", "KEYS (id)\nSEQUENCE BY nmae", 1),
		says:  []string{"nmae", "flows.sql:5:"},
	},
	{
		name: "key not unique", flows: strings.Replace(goodFlows, "(id)", "(name)", 1),
		says: []string{"name", "flows.sql:4:"},
	},
	{
		name:   "no identity for updates",
		source: "CREATE TABLE bare (id int, name text)",
		flows:  strings.Replace(goodFlows, "CHANGES(items)", "CHANGES(bare)", 1),
		says:   []string{"bare", "ALTER TABLE"},
	},
	{
		name:   "key may be null",
		source: "CREATE TABLE nullable (id int UNIQUE, name text); INSERT INTO nullable VALUES (NULL, 'x'); ALTER TABLE nullable REPLICA IDENTITY FULL",
		flows:  strings.Replace(goodFlows, "CHANGES(items)", "CHANGES(nullable)", 1),
		says:   []string{"id", "null"},
	},
	{
		name:   "null key in a feed",
		source: "CREATE TABLE feed (id int, name text, note text, seq int); INSERT INTO feed VALUES (1, 'x', 'y', 1), (NULL, 'x', 'y', 2)",
		flows:  strings.Replace(goodFlows, "CHANGES(items)\nKEYS (id)", "STREAM(feed)\nKEYS (id) SEQUENCE BY seq", 1),
		says:   []string{"flows.sql:4:7:", "id", "null"},
	},
	{
		name:   "null sequence in a feed",
		source: "CREATE TABLE feed (id int, name text, note text, seq int); INSERT INTO feed VALUES (1, 'x', 'y', 1), (2, 'x', 'y', NULL)",
		flows:  strings.Replace(goodFlows, "CHANGES(items)\nKEYS (id)", "STREAM(feed)\nKEYS (id) SEQUENCE BY STRUCT(seq, name)", 1),
		says:   []string{"flows.sql:4:", "seq", "null"},
	},
	{
		name:   "target without a needed column",
		target: "CREATE TABLE now.items (id int PRIMARY KEY, name text, __sequence pg_lsn)",
		says:   []string{"items", "note"},
	},
	{
		name:   "target column of another type",
		target: "CREATE TABLE now.items (id int PRIMARY KEY, name int, note text, __sequence pg_lsn)",
		says:   []string{"items", "name", "integer"},
	},
	{
		name:   "target without the key",
		target: "CREATE TABLE now.items (id int, name text, note text, __sequence pg_lsn)",
		says:   []string{"items", "id"},
	},
	{
		name:   "target that has rows already",
		target: "CREATE TABLE now.items (id int PRIMARY KEY, name text, note text, __sequence pg_lsn); INSERT INTO now.items VALUES (7)",
		says:   []string{"items", "rows"},
	},
	{
		name:   "target that is a view",
		target: "CREATE VIEW now.items AS SELECT 1 AS id",
		says:   []string{"items", "is no table"},
	},
	{
		name:   "source column collides with ours",
		source: "CREATE TABLE clash (id int PRIMARY KEY, __sequence int)",
		flows:  strings.Replace(goodFlows, "CHANGES(items)", "CHANGES(clash)", 1),
		says:   []string{"__sequence"},
	},
	{
		name:  "expectation of a column that there is not",
		flows: strings.Replace(goodFlows, "now.items;", "now.items (CONSTRAINT c EXPECT (idd > 0));", 1),
		says:  []string{"flows.sql:1:", "CONSTRAINT c", "idd"},
	},
}

func TestBadInput_IsFoundByCheckAndRefusedByRun(t *testing.T) {
	t.Parallel()
	for _, b := range faults {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			source, target := pair(t)
			pgtest.Exec(t, source, b.source)
			pgtest.Exec(t, target, b.target)
			flows := b.flows
			if flows == "" {
				flows = goodFlows
			}
			mustRefuse(t, newService(t, "bad", source, target, flows), source, target, b.says...)
		})
	}
}

func TestBadInput_SlotIsTaken(t *testing.T) {
	t.Parallel()
	source, target := pair(t)
	s := newService(t, "bad", source, target, goodFlows)
	slot := s.Pipeline + "_shop"
	pgtest.Rows(t, source, "SELECT pg_create_logical_replication_slot('"+slot+"', 'pgoutput')")
	mustRefuse(t, s, source, target, slot)
}

// mustRefuse demands that check and run say the same, and that nothing is made.
func mustRefuse(t *testing.T, s *service.Service, source, target string, says ...string) {
	t.Helper()
	before := madeThings(t, source, target)
	for _, args := range [][]string{{"check"}, {"run", "--triggered"}} {
		r := s.Command(append(args, "-c", "autocdc.yaml", "flows.sql")...)
		mustSay(t, r, append(says, "hint:")...)
	}
	mustEqual(t, "things made", madeThings(t, source, target), before)
}

// mustSay demands a short message, and an exit code that says so.
func mustSay(t *testing.T, r service.Result, says ...string) {
	t.Helper()
	if r.Code != 1 && r.Code != 2 {
		t.Errorf("exit code %d, want 1 or 2: %v", r.Code, r)
	}
	text := r.Stderr + r.Stdout
	for _, part := range append(says, "autocdc: ") {
		if !strings.Contains(text, part) {
			t.Errorf("the message lacks %q: %v", part, r)
		}
	}
	const most = 10 // a few faults, each a line and a hint
	if n := strings.Count(strings.TrimSpace(r.Stderr), "\n") + 1; n > most || strings.Contains(text, "goroutine ") {
		t.Errorf("%d lines are no clear message: %v", n, r)
	}
	t.Logf("autocdc %s:\n%s", r.Args, r.Stderr)
}

// madeThings lists what a run makes: slots, publications, tables and schemas.
// A database that cannot be asked has none.
func madeThings(t *testing.T, dsns ...string) [][]string {
	t.Helper()
	var all [][]string
	for _, dsn := range dsns {
		if dsn == "" {
			continue
		}
		all = append(all, pgtest.Rows(t, dsn, `
SELECT 'slot', slot_name::text FROM pg_replication_slots WHERE database = current_database()
UNION ALL SELECT 'publication', pubname FROM pg_publication
UNION ALL SELECT 'table', oid::regclass::text FROM pg_class WHERE relkind IN ('r', 'p', 'v') AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
UNION ALL SELECT 'schema', nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg_%'
UNION ALL SELECT 'type', oid::regtype::text FROM pg_type WHERE typnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
ORDER BY 1, 2`)...)
	}
	return all
}
