package workload

import (
	"fmt"
	"strings"
)

// The schemas that the flows of a workload fill.
const (
	Current = "cur"  // SCD 1
	History = "hist" // SCD 2
)

// Flows returns the flow file that replicates every table of the workload twice,
// into Current and into History, and the marker into History.
func (w *Writer) Flows() string {
	var sql strings.Builder
	for _, t := range w.tables {
		t.flow(&sql, Current, 1)
		t.flow(&sql, History, 2)
	}
	marker().flow(&sql, History, 2)
	return sql.String()
}

// Healing returns flows that compare every table with both of its targets, again and
// again: where nothing is wrong they change nothing.
func (w *Writer) Healing(every string) string {
	var sql strings.Builder
	for _, t := range w.tables {
		for schema, scd := range map[string]int{Current: 1, History: 2} {
			fmt.Fprintf(&sql, "CREATE FLOW %s AS AUTO CDC INTO %s\nFROM SNAPSHOT (SELECT * FROM %s)\nKEYS (%s)\nSTORED AS SCD TYPE %d\nWITH (every = '%s', max_delete_fraction = 1);\n\n",
				ident("heal_"+schema+"_"+t.target()), ident(schema, t.target()), t.sql(), list(t.keys, quoted), scd, every)
		}
	}
	return sql.String()
}

func (t table) flow(sql *strings.Builder, schema string, scd int) {
	target := ident(schema, t.target())
	fmt.Fprintf(sql, "CREATE STREAMING TABLE %s;\n", target)
	fmt.Fprintf(sql, "CREATE FLOW %s AS AUTO CDC INTO %s\nFROM CHANGES(%s)\nKEYS (%s)\nSTORED AS SCD TYPE %d;\n\n",
		ident(schema+"_"+t.target()), target, t.sql(), list(t.keys, quoted), scd)
}

// target is the name of a table's targets: two schemas of the source meet there.
func (t table) target() string {
	if t.schema == "public" {
		return t.name
	}
	return t.schema + "." + t.name
}

// Schemas is the DDL for the schemas of the targets.
func Schemas() string { return fmt.Sprintf("CREATE SCHEMA %s; CREATE SCHEMA %s", Current, History) }
