package conformance_test

import (
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/test/conformance"
	"github.com/autocdc/autocdc/test/model"
)

// targetSchema keeps targets apart from the feeds where both are in one database.
const targetSchema = "target"

func ident(parts ...string) string { return pgx.Identifier(parts).Sanitize() }

func idents(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = ident(name)
	}
	return strings.Join(quoted, ", ")
}

// tableName is the case's name where it fits into an identifier of Postgres's.
func tableName(c conformance.Case) string {
	const most = 50 // leaves room for what is named after the table
	if len(c.Name) <= most {
		return c.Name
	}
	return fmt.Sprintf("%s_%08x", c.Name[:most-9], crc32.ChecksumIEEE([]byte(c.Name)))
}

// feedTable returns the DDL of the table that a case's events go to: the case's
// columns and what the event does; and of those that its snapshots go to.
func feedTable(c conformance.Case) string {
	ddl := eventTable(c)
	if c.Snapshots() {
		columns := []string{"of bigint"}
		for _, name := range c.TargetColumns {
			columns = append(columns, ident(name)+" "+typeOf(c, name))
		}
		ddl += fmt.Sprintf(";\nCREATE TABLE %s (n serial, v bigint);\nCREATE TABLE %s (%s)", snapshotTable(c, "versions"), snapshotTable(c, "rows"), strings.Join(columns, ", "))
	}
	return ddl
}

func snapshotTable(c conformance.Case, what string) string { return ident(tableName(c) + " " + what) }

func typeOf(c conformance.Case, column string) string {
	for _, known := range c.Columns {
		if known.Name == column {
			return known.Type
		}
	}
	return "text"
}

func eventTable(c conformance.Case) string {
	columns := make([]string, 0, len(c.Columns)+1)
	for _, column := range c.Columns {
		columns = append(columns, ident(column.Name)+" "+column.Type)
	}
	return fmt.Sprintf("CREATE TABLE %s (%s)", ident(tableName(c)), strings.Join(append(columns, opColumn(c)+" text"), ", "))
}

// opColumn is a name that the case does not use.
func opColumn(c conformance.Case) string {
	name := "op"
	for _, column := range c.Columns {
		if column.Name == name {
			name += "_"
		}
	}
	return ident(name)
}

// flow returns the statements that declare a case.
func flow(c conformance.Case) string {
	var sql strings.Builder
	fmt.Fprintf(&sql, "CREATE STREAMING TABLE %s;\n", ident(targetSchema, tableName(c)))
	if c.Snapshots() {
		sql.WriteString(snapshotFlow(c))
	}
	if len(c.Events()) > 0 {
		sql.WriteString(eventFlow(c))
	}
	return sql.String()
}

// snapshotFlow takes the versions in the order in which they came, since one that
// does not ascend ends a run's loop.
func snapshotFlow(c conformance.Case) string {
	return fmt.Sprintf(`CREATE FLOW %s AS AUTO CDC INTO %s
FROM SNAPSHOT (SELECT %s FROM %s WHERE of = (SELECT v FROM current_snapshot_version()))
WITH VERSION (SELECT v FROM %s AS x
  WHERE NOT EXISTS (SELECT FROM last_snapshot_version()) OR n > (SELECT n FROM %s AS y WHERE y.v = (SELECT v FROM last_snapshot_version()) ORDER BY n LIMIT 1)
  ORDER BY n LIMIT 1)
KEYS (%s)
STORED AS %s%s
WITH (max_delete_fraction = 1);

`, ident(tableName(c)+" snapshots"), ident(targetSchema, tableName(c)), idents(c.TargetColumns), snapshotTable(c, "rows"),
		snapshotTable(c, "versions"), snapshotTable(c, "versions"), idents(c.Keys), storedAs(c), tracked(c))
}

func tracked(c conformance.Case) string {
	if c.Track == nil {
		return ""
	}
	return fmt.Sprintf("\nTRACK HISTORY ON (%s)", idents(c.Track))
}

func eventFlow(c conformance.Case) string {
	var sql strings.Builder
	target, op := ident(targetSchema, tableName(c)), opColumn(c)
	fmt.Fprintf(&sql, "CREATE FLOW %s AS AUTO CDC INTO %s\nFROM STREAM(%s)\nKEYS (%s)\n",
		ident(tableName(c)), target, ident("public", tableName(c)), idents(c.Keys))
	if len(c.IgnoreNull) > 0 {
		fmt.Fprintf(&sql, "IGNORE NULL UPDATES ON (%s)\n", idents(c.IgnoreNull))
	}
	fmt.Fprintf(&sql, "APPLY AS DELETE WHEN %s = 'delete'\nAPPLY AS TRUNCATE WHEN %s = 'truncate'\n", op, op)
	fmt.Fprintf(&sql, "SEQUENCE BY %s\n", sequenceBy(c))
	if c.SystemSequence != "" {
		fmt.Fprintf(&sql, "SYSTEM SEQUENCE BY %s\n", ident(c.SystemSequence))
	}
	fmt.Fprintf(&sql, "COLUMNS (%s)\n", idents(c.TargetColumns))
	if c.ColumnsToUpdate != "" {
		fmt.Fprintf(&sql, "COLUMNS TO UPDATE %s\n", ident(c.ColumnsToUpdate))
	}
	fmt.Fprintf(&sql, "STORED AS %s%s", storedAs(c), tracked(c))
	return sql.String() + ";\n\n"
}

func sequenceBy(c conformance.Case) string {
	if c.Struct {
		return "STRUCT(" + idents(c.Sequence) + ")"
	}
	return ident(c.Sequence[0])
}

func storedAs(c conformance.Case) string {
	return map[model.Kind]string{model.SCD1: "SCD TYPE 1", model.SCD2: "SCD TYPE 2", model.Bitemporal: "BITEMPORAL"}[c.Kind]
}

// insert returns the transaction that appends a batch to the feed, in its order.
func insert(c conformance.Case, b model.Batch) string {
	if b.Snapshot != nil {
		return snapshotInsert(c, b.Snapshot)
	}
	rows := make([]string, len(b.Events))
	for i, e := range b.Events {
		values := make([]string, 0, len(c.Columns)+1)
		for _, column := range c.Columns {
			values = append(values, literal(e.Values[column.Name]))
		}
		rows[i] = "(" + strings.Join(append(values, literal(e.Op)), ", ") + ")"
	}
	return fmt.Sprintf("BEGIN; INSERT INTO %s VALUES\n%s;\nCOMMIT;\n", ident(tableName(c)), strings.Join(rows, ",\n"))
}

// snapshotInsert puts a snapshot beside those before it; one that comes again is
// another.
func snapshotInsert(c conformance.Case, s *model.Snapshot) string {
	version, into := literal(s.Version), snapshotTable(c, "rows")
	sql := fmt.Sprintf("BEGIN; INSERT INTO %s (v) VALUES (%s);\n", snapshotTable(c, "versions"), version)
	for _, row := range s.Rows {
		values := []string{version}
		for _, name := range c.TargetColumns {
			values = append(values, literal(row[name]))
		}
		sql += fmt.Sprintf("INSERT INTO %s VALUES (%s);\n", into, strings.Join(values, ", "))
	}
	return sql + "COMMIT;\n"
}

func literal(v any) string {
	if v == nil {
		return "NULL"
	}
	return "'" + strings.ReplaceAll(text(v), "'", "''") + "'"
}

// text returns a value of the model as Postgres reads it: a text[], for a list
// of names, a composite for the fields of a STRUCT.
func text(v any) string {
	list, ok := v.([]any)
	if !ok {
		return fmt.Sprint(v)
	}
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = fmt.Sprint(e)
	}
	if len(list) == 0 {
		return "{}"
	}
	if _, ok := list[0].(string); ok {
		return "{" + strings.Join(parts, ",") + "}"
	}
	return "(" + strings.Join(parts, ",") + ")"
}
