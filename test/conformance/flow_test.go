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
// columns and what the event does.
func feedTable(c conformance.Case) string {
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
	target, op := ident(targetSchema, tableName(c)), opColumn(c)
	fmt.Fprintf(&sql, "CREATE STREAMING TABLE %s;\n", target)
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
	fmt.Fprintf(&sql, "STORED AS %s", storedAs(c))
	if c.Track != nil {
		fmt.Fprintf(&sql, "\nTRACK HISTORY ON (%s)", idents(c.Track))
	}
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
