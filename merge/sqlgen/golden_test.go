package sqlgen

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func plain(kind Kind) *Table {
	t := &Table{
		ID: 7, Target: schema.Name{Schema: "crm", Name: "users"}, Meta: "autocdc", Kind: kind, Bits: 3,
		Columns: []Column{
			{Name: "id", Type: "integer", Plain: true, Tracked: true, Index: 0},
			{Name: "name", Type: "text", Plain: true, Tracked: true, Index: 1},
			{Name: "city", Type: "text", Plain: true, Tracked: true, Index: 2},
		},
		Keys:     []schema.Ident{"id"},
		Sequence: []Field{{Name: "seq", Type: "bigint"}},
	}
	if kind == Bitemporal {
		t.System = []Field{{Name: "sys", Type: "timestamptz"}}
	}
	return t
}

func hostile(kind Kind) *Table {
	t := &Table{
		ID: 8, Target: schema.Name{Schema: `my"s`, Name: "Größe%s"}, Meta: "autocdc", Kind: kind, Bits: 3,
		Columns: []Column{
			{Name: `k"1`, Type: "integer", Plain: true, Index: 0},
			{Name: "select", Type: "text", Collation: `pg_catalog."C"`, Plain: true, Index: 1},
			{Name: "Größe", Type: "numeric", Tracked: true, Index: 2},
		},
		Keys:     []schema.Ident{`k"1`, "select"},
		Sequence: []Field{{Name: "a b", Type: "timestamptz"}, {Name: "n", Type: "bigint"}},
		Several:  true, Comment: `it's a \ comment`,
	}
	if kind == Bitemporal {
		t.System = []Field{{Name: "sys", Type: "timestamptz"}}
	}
	return t
}

// TestGolden holds every statement to the bytes in testdata; run it with -update
// after a change that is meant, and read the difference.
func TestGolden(t *testing.T) {
	t.Parallel()
	g, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []Kind{SCD1, SCD2, Bitemporal} {
		for label, table := range map[string]*Table{"plain": plain(kind), "hostile": hostile(kind)} {
			for name, sql := range everything(t, g, table) {
				compare(t, filepath.Join("testdata", kindName(kind), label, name+".sql"), sql)
			}
		}
	}
}

// TestGolden_Append holds what only append flows use.
func TestGolden_Append(t *testing.T) {
	t.Parallel()
	g, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for label, table := range map[string]*Table{"plain": plain(Append), "hostile": hostile(Append)} {
		table.Keys, table.Sequence, table.Several = nil, nil, false
		flow := &Flow{
			Table: table, Name: "it's", Relation: "Users", RawColumns: table.Columns, RowColumns: table.Columns,
			Sources: []string{string(table.Columns[0].Name), "", string(table.Columns[2].Name)},
			Head:    "SELECT *, upper('FROM $1')\n\nFROM ", Tail: " -- all", Rows: []string{"__lsn", "__op"},
		}
		named := *flow
		named.Named, named.Rows = true, nil
		s := Snapshot{Table: table, Stage: SnapshotStage(table.Meta, "3"), Carried: table.Columns[:2]}
		viewed := *flow
		viewed.Views = views(table)
		expecting := *flow
		expecting.Expectations = expected()
		for name, sql := range map[string]string{
			"create": strings.Join(must(g.Create(table)), ";\n"), "raw": mustOne(g.Raw(flow)),
			"append": mustOne(g.Append(flow, false)), "append_spilled": mustOne(g.Append(flow, true)), "append_named": mustOne(g.Append(&named, true)),
			"append_expected": mustOne(g.Append(&expecting, true)), "expected": mustOne(g.Expect(&expecting, true)),
			"append_views": mustOne(g.Append(&viewed, true)),
			"no_feed":      flow.NoFeed() + "\n", "snapshot_stage": mustOne(g.Compare("snapshot_stage", s)), "append_staged": mustOne(g.Compare("append_staged", s)),
		} {
			compare(t, filepath.Join("testdata", "append", label, name+".sql"), sql)
		}
	}
}

// expected are a warning, and rows that are dropped.
func expected() []Expectation {
	return []Expectation{
		{Name: "seen", Condition: "name <> 'x' -- ever", Of: []string{"name"}},
		{Name: "it's", Condition: "city IS NOT NULL", Drop: true},
		{Name: "c", Condition: "__xid > 0", Drop: true},
	}
}

// views are one over the other: of a feed, and of changes.
func views(t *Table) []View {
	var reads []schema.Ident
	for _, c := range t.Columns {
		reads = append(reads, c.Name)
	}
	return []View{
		{Number: 1, Head: "SELECT *\nFROM ", Tail: " -- all", Called: ` AS "Users"`, Reads: reads, Many: true},
		{Number: 2, Head: `SELECT *, (__lsn > '0/0') IS TRUE AS "__keeps" FROM `, Tail: " AS v", Reads: reads, Rows: []string{"__lsn"}, Keeps: true},
	}
}

func kindName(k Kind) string { return [...]string{"", "scd1", "scd2", "bitemporal"}[k] }

func everything(t *testing.T, g *Generator, table *Table) map[string]string {
	t.Helper()
	all := map[string]string{}
	put := func(name string, sql string, err error) {
		if err != nil {
			t.Fatal(err)
		}
		all[name] = sql
	}
	list := func(name string, sqls []string, err error) { put(name, strings.Join(sqls, ";\n"), err) }
	list("create", must(g.Create(table)), nil)
	list("memory", must(g.Memory(table)), nil)
	list("changes_table", must(g.ChangesTable(table)), nil)
	list("changes_triggers", must(g.ChangesTriggers(ChangeFeed{table, table.Columns})), nil)
	list("event_tables", must(g.EventTables(table)), nil)
	list("fold_tables", must(g.FoldTables(table)), nil)
	for _, name := range statementsOf(table.Kind) {
		sql, err := g.Statement(name, table, Variant{})
		put(name, sql, err)
		sql, err = g.Statement(name, table, Variant{Spilled: true, Partial: true, Chained: name != "scd2_turn", Large: true, Truncates: true, Remembers: true})
		put(name+"_all", sql, err)
		if all[name] == all[name+"_all"] {
			delete(all, name+"_all")
		}
	}
	snapshots(g, table, put)
	flow := &Flow{
		Table: table, Name: "it's", Relation: "Users", RawColumns: table.Columns, RowColumns: table.Columns, Alters: true,
		Sources: []string{string(table.Columns[0].Name), string(table.Columns[1].Name), ""},
		Of:      []string{string(table.Columns[0].Name), string(table.Columns[1].Name), ""},
		Delete:  "op = 'DELETE' -- gone", Truncate: "op = 'TRUNCATE'", IgnoreNull: []string{"name", "select"}, ToUpdate: "c",
	}
	for _, f := range table.Sequence {
		flow.SequenceBy = append(flow.SequenceBy, f.Name.String())
	}
	for _, f := range table.System {
		flow.SystemBy = append(flow.SystemBy, f.Name.String())
	}
	sql, err := g.Project(flow, false)
	put("project", sql, err)
	sql, err = g.Project(flow, true)
	put("project_spilled", sql, err)
	viewed := *flow
	viewed.Views = views(table)
	sql, err = g.Project(&viewed, false)
	put("project_views", sql, err)
	expecting := *flow
	expecting.Expectations = expected()
	sql, err = g.Project(&expecting, false)
	put("project_expected", sql, err)
	sql, err = g.Expect(&expecting, true)
	put("expected", sql, err)
	sql, err = g.Unexpected(&expecting, false, 0)
	put("unexpected", sql, err)
	sql, err = g.Faults(flow, false)
	put("faults", sql, err)
	sql, err = g.Raw(flow)
	put("raw", sql, err)
	return all
}

// snapshots puts the statements that compare: with a target of whose rows nothing is
// later, with one that is empty, with one that may get later rows, with one of whose
// keys none is gone, and of a snapshot that lacks a column and whose rows are all events.
func snapshots(g *Generator, table *Table, put func(name, sql string, err error)) {
	if table.Kind == Bitemporal {
		return
	}
	s := Snapshot{Table: table, Stage: SnapshotStage(table.Meta, "3"), Carried: table.Columns}
	expecting := s
	expecting.Expectations = expected()
	for _, name := range []string{"snapshot_expected", "snapshot_drop"} {
		sql, err := g.Compare(name, expecting)
		put(name, sql, err)
	}
	plain, first, late, complete, less := s, s, s, s, s
	first.All, late.Late, complete.Complete = true, true, true
	less.Carried, less.Late, less.Whole, less.Partial, less.All = table.Columns[:2], true, true, true, true
	variants := map[string]Snapshot{"": s, "_first": first, "_late": late, "_complete": complete, "_all": less}
	for name, s := range variants {
		for _, statement := range []string{"snapshot_changed", "snapshot_gone", "snapshot_current_rows", "snapshot_faults"} {
			sql, err := g.Compare(statement, s)
			if same, _ := g.Compare(statement, plain); name == "" || sql != same {
				put(statement+name, sql, err)
			}
		}
		diff := "snapshot_diff"
		if s.Late {
			diff = "snapshot_late_diff"
		}
		sql, err := g.Compare(diff, s)
		put(diff+name, sql, err)
	}
	some := s
	some.Buckets = 1024
	for _, name := range []string{"snapshot_checksum_table", "snapshot_differing", "snapshot_valid_rows", "snapshot_staged_rows", "snapshot_changed"} {
		sql, err := g.Compare(name, some)
		put(name+"_buckets", sql, err)
	}
	sql, err := g.Checksums(some, "(SELECT * FROM t)")
	put("snapshot_checksums", sql, err)
	for _, name := range []string{"snapshot_stage", "snapshot_any", "snapshot_complete", "snapshot_fresh_rows", "snapshot_floor", "snapshot_counts", "snapshot_open_rows"} {
		sql, err := g.Compare(name, s)
		put(name, sql, err)
	}
}

func mustOne(sql string, err error) string {
	if err != nil {
		panic(err)
	}
	return sql
}

func must(sqls []string, err error) []string {
	if err != nil {
		panic(err)
	}
	return sqls
}

func statementsOf(k Kind) []string {
	fold := []string{"fold_events", "fold_partial", "fold_fill", "fold_step", "floor_add", "look"}
	copies := []string{"copy_supersede", "copy_insert", "copy_gone", "copy_all_gone", "copy_unstage"}
	if k == Bitemporal {
		return []string{
			"bt_keys", "bt_known", "bt_epoch", "bt_fold", "fold_fill", "fold_step", "bt_belief", "bt_island", "bt_delete",
			"bt_write", "bt_forget", "bt_remember", "bt_floor_add", "look",
		}
	}
	if k == SCD1 {
		return append(append(fold, copies...), "scd1_truncate_all", "scd1_merge", "scd1_late_truncate", "scd1_late_merge", "scd1_tombstones",
			"scd1_superseded", "scd1_needs_fold", "scd1_fold_keys", "scd1_fold_delete", "scd1_fold_write", "scd1_fold_forget", "scd1_fold_remember")
	}
	return append(append(fold, copies...), "scd2_truncate_all", "scd2_fill", "scd2_step", "scd2_late_step", "scd2_turn", "scd2_found", "scd2_run", "scd2_remember",
		"spilled_index", "spilled_fill", "scd2_overwrite", "scd2_close", "scd2_insert", "fold_keys", "fold_all_keys", "fold_delete", "fold_write", "fold_forget", "fold_remember")
}

func compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs; go test -update rewrites it\n%s", path, got)
	}
}
