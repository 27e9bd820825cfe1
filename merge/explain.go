package merge

import (
	"slices"

	"github.com/autocdc/autocdc/merge/sqlgen"
)

// SQL returns the DDL and the statements that an Applier would use for a flow,
// for people to read.
func SQL(f *Flow) (ddl, statements []string, err error) {
	gen, err := sqlgen.New()
	if err != nil {
		return nil, nil, err
	}
	table := f.Target.table(0, "autocdc")
	table.Bits = len(table.Columns)
	if f.Target.Kind == Append {
		return f.explainAppend(gen, table)
	}
	if ddl, err = gen.Create(table); err != nil {
		return nil, nil, err
	}
	if !f.direct() {
		memory, err := gen.Memory(table)
		if err != nil {
			return nil, nil, err
		}
		ddl = append(ddl, memory...)
	}
	statements, err = f.explain(gen, table)
	return ddl, statements, err
}

// explain renders the statements of an ordinary batch.
func (f *Flow) explain(gen *sqlgen.Generator, table *sqlgen.Table) ([]string, error) {
	names := map[bool]map[Kind][]string{
		true: {
			SCD1: {"scd1_merge"},
			SCD2: {"scd2_turn", "scd2_overwrite"},
		},
		false: {
			SCD1:       {"scd1_late_merge", "scd1_tombstones", "scd1_superseded"},
			SCD2:       {"scd2_turn", "scd2_remember", "scd2_overwrite", "fold_keys", "fold_events", "fold_step", "fold_delete", "fold_write", "fold_forget", "fold_remember"},
			Bitemporal: {"bt_keys", "bt_known", "bt_epoch", "bt_fold", "fold_step", "bt_belief", "bt_island", "bt_delete", "bt_write", "bt_forget", "bt_remember"},
		},
	}[f.direct()][f.Target.Kind]
	if f.Feed == Snapshot {
		return f.explainCompare(gen, table, names)
	}
	var sqls []string
	if !f.direct() {
		s := f.statement(table, 0)
		tests, err := f.explainExpect(gen, s)
		if err != nil {
			return nil, err
		}
		sql, err := gen.Project(s, false)
		if err != nil {
			return nil, err
		}
		sqls = append(append(sqls, tests...), sql)
	}
	merge, err := explained(gen, table, names, f.direct())
	return append(sqls, merge...), err
}

// explainExpect renders the test of expectations, if there are any.
func (f *Flow) explainExpect(gen *sqlgen.Generator, s *sqlgen.Flow) ([]string, error) {
	if len(f.Expectations) == 0 {
		return nil, nil
	}
	sql, err := gen.Expect(s, false)
	return []string{sql}, err
}

func explained(gen *sqlgen.Generator, table *sqlgen.Table, names []string, inOrder bool) ([]string, error) {
	var sqls []string
	for _, name := range names {
		sql, err := gen.Statement(name, table, sqlgen.Variant{InOrder: inOrder})
		if err != nil {
			return nil, err
		}
		sqls = append(sqls, sql)
	}
	return sqls, nil
}

// explainCompare renders the statements of a snapshot: those that find out what it
// changes, and those that merge that.
func (f *Flow) explainCompare(gen *sqlgen.Generator, table *sqlgen.Table, merge []string) ([]string, error) {
	plan := (&target{Target: f.Target, table: table}).snapshot(&Staged{Flow: f, stage: sqlgen.SnapshotStage("autocdc", "0")})
	diff := map[bool]string{true: "snapshot_diff", false: "snapshot_late_diff"}[f.direct()]
	names := []string{"snapshot_stage", "snapshot_changed", "snapshot_complete", "snapshot_gone", "snapshot_faults", diff, "snapshot_counts"}
	if len(f.Expectations) > 0 {
		names = slices.Insert(names, 1, "snapshot_expected")
	}
	var sqls []string
	for _, name := range names {
		sql, err := gen.Compare(name, plan)
		if err != nil {
			return nil, err
		}
		sqls = append(sqls, sql)
	}
	statements, err := explained(gen, table, merge, f.direct())
	return append(sqls, statements...), err
}
