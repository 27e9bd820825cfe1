package autocdc_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/autocdc/autocdc"
	"github.com/autocdc/autocdc/test/pgtest"
)

const manyItems = `
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE item (region text, id numeric, v int, feeling mood, note text, weight float8, PRIMARY KEY (region, id));
INSERT INTO item SELECT 'r' || n % 7, n, n, CASE n % 3 WHEN 0 THEN 'ok' WHEN 1 THEN 'sad' END::mood, 'note ' || n, n / 7.0 FROM generate_series(1, 5000) AS n;`

func byChecksum(scd string) string {
	return `
CREATE STREAMING TABLE dw.item;
CREATE FLOW item AS AUTO CDC INTO dw.item FROM SNAPSHOT (SELECT * FROM item) KEYS (region, id)
STORED AS SCD TYPE ` + scd + ` WITH (compare = 'checksum');`
}

// counts is a progress that remembers how much each step brought.
type counts struct {
	mu   sync.Mutex
	last autocdc.Amount
}

func (c *counts) Begin(autocdc.Step) func(autocdc.Amount, bool) {
	return func(done autocdc.Amount, _ bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.last = done
	}
}

// Only the rows of buckets that differ come, and the target is as if all had come.
func TestRun_ComparesByChecksums(t *testing.T) {
	t.Parallel()
	for _, scd := range []string{"1", "2"} {
		t.Run("SCD "+scd, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, manyItems, byChecksum(scd))
			brought := &counts{}
			s.Progress = brought
			same := func() {
				t.Helper()
				open := map[string]string{"1": "", "2": " WHERE __end_at IS NULL"}[scd]
				const row = "SELECT ROW(region, id, v, feeling::text, note, weight)::text FROM "
				want := pgtest.Rows(t, s.source, row+"item ORDER BY 1")
				got := pgtest.Rows(t, s.target, row+"dw.item"+open+" ORDER BY 1")
				if len(got) != len(want) {
					t.Fatalf("%d rows, want %d", len(got), len(want))
				}
				for i := range want {
					if got[i][0] != want[i][0] {
						t.Fatalf("got %s, want %s", got[i][0], want[i][0])
					}
				}
			}
			s.triggered()
			same()
			if brought.last.Rows != 5000 {
				t.Errorf("at first %d rows came, want all", brought.last.Rows)
			}
			s.triggered()
			if brought.last.Rows != 0 {
				t.Errorf("%d rows came although nothing differs", brought.last.Rows)
			}
			pgtest.Exec(t, s.source, "UPDATE item SET weight = weight + 0.5, note = NULL WHERE id = 17", "DELETE FROM item WHERE id IN (100, 2000)",
				"INSERT INTO item VALUES ('new', 1, 2, 'sad', '', 'NaN')", "UPDATE item SET id = 7.0 WHERE id = 7")
			s.triggered()
			same()
			if n := brought.last.Rows; n == 0 || n > 300 {
				t.Errorf("%d rows came, want those of a few buckets", n)
			}
			if scd == "2" {
				s.eventually("SELECT count(*)::text FROM dw.item WHERE __end_at IS NOT NULL", "4")
			}
		})
	}
}

func TestRun_FindsFaultsByChecksums(t *testing.T) {
	t.Parallel()
	s := newShop(t, manyItems+"ALTER TABLE item DROP CONSTRAINT item_pkey, ALTER region DROP NOT NULL;", byChecksum("1"))
	s.triggered()
	for sql, says := range map[string]string{
		"INSERT INTO item SELECT * FROM item WHERE id = 5; DELETE FROM item WHERE id = 6": "(r5,5) (2 rows)",
		"INSERT INTO item VALUES (NULL, 1)":                                               "key is null",
		"DELETE FROM item WHERE id > 2000":                                                "lacks 3000 of 5000 current keys",
		"DELETE FROM item":                                                                "it is empty, the target has 5000 current keys",
	} {
		pgtest.Exec(t, s.source, "CREATE TABLE kept AS SELECT * FROM item", sql)
		err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", sql, err)
		}
		pgtest.Exec(t, s.source, "TRUNCATE item; INSERT INTO item SELECT * FROM kept; DROP TABLE kept")
	}
	s.triggered()
	s.eventually("SELECT count(*)::text FROM dw.item", "5000")
}

func TestCheck_RefusesChecksumsWhereTheyDoNotHelp(t *testing.T) {
	t.Parallel()
	for flows, says := range map[string]string{
		"CREATE STREAMING TABLE dw.c; CREATE FLOW c AS AUTO CDC INTO dw.c FROM SNAPSHOT (SELECT 1 AS id) KEYS (id) WITH (compare = 'checksum');":                                                                               "for queries on a Postgres source",
		"CREATE STREAMING TABLE dw.c; CREATE FLOW c AS AUTO CDC INTO dw.c FROM SNAPSHOT (SELECT * FROM customer) KEYS (id) WITH (compare = 'hash');":                                                                           `"hash" is no value for compare`,
		"CREATE STREAMING TABLE dw.c; CREATE FLOW a AS AUTO CDC INTO dw.c FROM CHANGES(customer) KEYS (id); CREATE FLOW c AS AUTO CDC INTO dw.c FROM SNAPSHOT (SELECT * FROM customer) KEYS (id) WITH (compare = 'checksum');": "for a target of one flow, dw.c has 2",
	} {
		s := newShop(t, customers, flows)
		err := s.Run(context.Background(), autocdc.RunOptions{Triggered: true})
		var check *autocdc.FaultsError
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "flows.sql:1:") || !errors.As(err, &check) {
			t.Errorf("got %v, want %s", err, says)
		}
	}
}
