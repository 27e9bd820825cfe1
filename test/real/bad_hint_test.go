package real

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
)

// hinted is a fault whose hints are statements.
type hinted struct {
	name       string
	source     string // DDL on the source
	target     string // DDL on the target
	flows      string
	otherOwner bool // who is no superuser has the source's table
	sourceRole bool // that of the service on the source may do nothing
	targetRole bool
}

var hints = []hinted{
	{name: "source role", sourceRole: true},
	{name: "target role", targetRole: true},
	{
		name: "source role, table of another's", sourceRole: true,
		otherOwner: true,
	},
	{
		name:   "deferrable key",
		source: "ALTER TABLE items DROP CONSTRAINT items_pkey, ADD PRIMARY KEY (id) DEFERRABLE",
	},
	{
		name:   "unique key that is not the identity",
		source: "ALTER TABLE items DROP CONSTRAINT items_pkey, ADD UNIQUE (id)",
	},
	{
		name:   "key that may be null",
		source: "ALTER TABLE items DROP CONSTRAINT items_pkey, ADD UNIQUE (id), ALTER id DROP NOT NULL, REPLICA IDENTITY FULL",
	},
	{
		name:   "target without columns, of other types",
		target: "CREATE TABLE now.items (id smallint, note varchar(3))",
	},
	{
		name:   "target with the key of a current table",
		target: "CREATE TABLE now.items (id int PRIMARY KEY, name text NOT NULL, note text)",
		flows:  strings.Replace(goodFlows, "TYPE 1", "TYPE 2", 1),
	},
	{
		name:   "target with a column that must be filled",
		target: "CREATE TABLE now.items (id int PRIMARY KEY, name text, note text, __sequence pg_lsn, more int NOT NULL)",
	},
}

// TestHints_Help runs the statements that check advises, and demands that the
// flows then run.
func TestHints_Help(t *testing.T) {
	t.Parallel()
	for _, h := range hints {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			source, target := pair(t)
			pgtest.Exec(t, source, h.source)
			pgtest.Exec(t, target, h.target)
			flows := h.flows
			if flows == "" {
				flows = goodFlows
			}
			if h.otherOwner {
				pgtest.Exec(t, source, "ALTER TABLE items OWNER TO "+roleFor(t, source))
			}
			sourceAs, targetAs, at := source, target, source
			if h.sourceRole {
				sourceAs = as(t, source, roleFor(t, source), "x")
			}
			if h.targetRole {
				targetAs = as(t, target, roleFor(t, target), "x")
			}
			if h.targetRole || h.target != "" {
				at = target
			}
			s := newService(t, "bad", sourceAs, targetAs, flows)
			for range 3 {
				r := s.Command("check", "--json", "-c", "autocdc.yaml", "flows.sql")
				for _, statement := range advised(t, r.Stdout) {
					pgtest.Exec(t, at, statement)
				}
				if r.Code == 0 {
					break
				}
			}
			s.Triggered()
			mustEqual(t, "items", pgtest.Rows(t, target, "SELECT id, name FROM now.items"), [][]string{{"1", "one"}})
		})
	}
}

// advised returns the statements of the hints, each once.
func advised(t *testing.T, check string) []string {
	t.Helper()
	var result struct {
		Faults []struct{ Message, Hint string }
	}
	if err := json.Unmarshal([]byte(check), &result); err != nil {
		t.Fatalf("%v: %s", err, check)
	}
	var all []string
	seen := map[string]bool{}
	for _, f := range result.Faults {
		t.Logf("%s\n  hint: %s", f.Message, f.Hint)
		statement, _, _ := strings.Cut(f.Hint, "; or ")
		if !seen[statement] {
			all = append(all, statement)
		}
		seen[statement] = true
	}
	return all
}
