package real

import (
	"strings"
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
)

const twoFeeds = `
CREATE TABLE good (id int, name text, seq int);
CREATE TABLE spoiled (id int, name text, seq int);
INSERT INTO good VALUES (1, 'one', 1);
INSERT INTO spoiled VALUES (1, 'one', 1);`

const twoStreams = `
CREATE STREAMING TABLE now.good;
CREATE FLOW good AS AUTO CDC INTO now.good FROM STREAM(good) KEYS (id) SEQUENCE BY seq STORED AS SCD TYPE 1;
CREATE STREAMING TABLE now.spoiled;
CREATE FLOW spoiled AS AUTO CDC INTO now.spoiled FROM STREAM(spoiled) KEYS (id) SEQUENCE BY seq STORED AS SCD TYPE 2;`

func contains(text, part string) bool { return strings.Contains(text, part) }

// An event that breaks the rules stops its flow exactly before its transaction;
// the other flow goes on, and the run that is left says what to look at.
func TestBadEvent_StopsItsFlowAlone(t *testing.T) {
	t.Parallel()
	for name, event := range map[string]struct{ sql, column string }{
		"null key":      {"INSERT INTO spoiled VALUES (NULL, 'no key', 5)", "id"},
		"null sequence": {"INSERT INTO spoiled VALUES (3, 'no sequence', NULL)", "seq"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
			pgtest.Exec(t, source, twoFeeds)
			pgtest.Exec(t, target, "CREATE SCHEMA now")
			s := newService(t, "spoiled", source, target, twoStreams)
			s.Triggered()
			pgtest.Exec(t, source, "INSERT INTO spoiled VALUES (2, 'two', 2)",
				event.sql+"; INSERT INTO spoiled VALUES (4, 'same transaction', 6)",
				"INSERT INTO spoiled VALUES (5, 'after', 7)", "INSERT INTO good VALUES (2, 'two', 2)")
			r := s.TriggeredResult()
			if r.Code != 1 {
				t.Errorf("exit code %d, want 1: %v", r.Code, r)
			}
			for _, part := range []string{"spoiled", event.column, "null"} {
				if !contains(r.Stderr, part) {
					t.Errorf("the message lacks %q: %v", part, r)
				}
			}
			mustEqual(t, "the good flow", pgtest.Rows(t, target, "SELECT id FROM now.good ORDER BY 1"), [][]string{{"1"}, {"2"}})
			mustEqual(t, "the spoiled flow", pgtest.Rows(t, target, "SELECT id FROM now.spoiled ORDER BY 1"), [][]string{{"1"}, {"2"}})
		})
	}
}

func TestBadEvent_ValueThatTheTargetCannotHold(t *testing.T) {
	t.Parallel()
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, goodSource)
	pgtest.Exec(t, target, "CREATE SCHEMA now")
	s := newService(t, "spoiled", source, target, goodFlows)
	s.Triggered()
	pgtest.Exec(t, target, "ALTER TABLE now.items ADD CHECK (name <> 'forbidden')")
	pgtest.Exec(t, source, "INSERT INTO items VALUES (2, 'fine')", "INSERT INTO items VALUES (3, 'forbidden')", "INSERT INTO items VALUES (4, 'after')")
	if r := s.TriggeredResult(); r.Code != 1 || !contains(r.Stderr, "items") {
		t.Errorf("the constraint was not reported: %v", r)
	}
	mustEqual(t, "items", pgtest.Rows(t, target, "SELECT id FROM now.items ORDER BY 1"), [][]string{{"1"}, {"2"}})

	pgtest.Exec(t, target, "ALTER TABLE now.items DROP CONSTRAINT items_name_check")
	s.Triggered()
	mustEqual(t, "items after the cure", pgtest.Rows(t, target, "SELECT id FROM now.items ORDER BY 1"), [][]string{{"1"}, {"2"}, {"3"}, {"4"}})
}
