package workload

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// column is a column with the SQL values that it may be given.
type column struct {
	name   string
	typ    string
	values []string
}

// table is a source table that is written at random.
type table struct {
	schema, name string
	keys         []string // what flows name in KEYS, and what changes are addressed by
	columns      []column
	after        []string // DDL that follows CREATE TABLE
	partition    string   // PARTITION BY …, or empty
}

func ident(parts ...string) string { return pgx.Identifier(parts).Sanitize() }

func (t table) sql() string { return ident(t.schema, t.name) }

func (t table) create() string {
	lines := make([]string, 0, len(t.columns)+1)
	for _, c := range t.columns {
		lines = append(lines, ident(c.name)+" "+c.typ)
	}
	ddl := fmt.Sprintf("CREATE TABLE %s (%s) %s", t.sql(), strings.Join(lines, ", "), t.partition)
	return strings.Join(append([]string{ddl}, t.after...), ";\n") + ";\n"
}

// row lists the columns as one value, for comparing contents as text.
func (t table) row(alias string) string {
	return fmt.Sprintf("ROW(%s)::text", list(t.names(), func(name string) string { return alias + "." + ident(name) }))
}

func (t table) names() []string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return names
}

func (t table) isKey(c column) bool { return slices.Contains(t.keys, c.name) }

func list(names []string, show func(string) string) string {
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = show(name)
	}
	return strings.Join(shown, ", ")
}

func pick(rng *rand.Rand, values []string) string { return values[rng.IntN(len(values))] }

// change returns a statement that changes the table.
func (t table) change(rng *rand.Rand) string {
	switch n := rng.IntN(100); {
	case n < 45:
		return t.upsert(rng)
	case n < 70:
		return t.update(rng, " WHERE "+t.where(rng))
	case n < 80:
		return t.rekey(rng)
	case n < 94:
		return "DELETE FROM " + t.sql() + " WHERE " + t.where(rng)
	case n < 98:
		return t.update(rng, "") // every row
	}
	return "TRUNCATE " + t.sql()
}

func (t table) upsert(rng *rand.Rand) string {
	values := make([]string, len(t.columns))
	for i, c := range t.columns {
		values[i] = pick(rng, c.values)
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s) ON CONFLICT (%s) DO UPDATE SET %s",
		t.sql(), list(t.names(), quoted), strings.Join(values, ", "), list(t.keys, quoted),
		t.assignments(rng, func(c column) string { return "excluded." + ident(c.name) }))
}

func quoted(name string) string { return ident(name) }

func (t table) update(rng *rand.Rand, where string) string {
	return "UPDATE " + t.sql() + " SET " +
		t.assignments(rng, func(c column) string { return pick(rng, c.values) }) + where
}

// rekey changes the key of a row unless the new one is taken; a TOASTed value
// stays as it is.
func (t table) rekey(rng *rand.Rand) string {
	var set, taken []string
	for _, c := range t.columns {
		if t.isKey(c) {
			v := pick(rng, c.values)
			set = append(set, ident(c.name)+" = "+v)
			taken = append(taken, "x."+ident(c.name)+" = "+v)
		}
	}
	return fmt.Sprintf("UPDATE %s SET %s WHERE %s AND NOT EXISTS (SELECT FROM %s x WHERE %s)",
		t.sql(), strings.Join(set, ", "), t.where(rng), t.sql(), strings.Join(taken, " AND "))
}

// where addresses one key.
func (t table) where(rng *rand.Rand) string {
	var terms []string
	for _, c := range t.columns {
		if t.isKey(c) {
			terms = append(terms, ident(c.name)+" = "+pick(rng, c.values))
		}
	}
	return strings.Join(terms, " AND ")
}

// assignments sets some columns that are not keys; sometimes none really.
func (t table) assignments(rng *rand.Rand, value func(column) string) string {
	var set []string
	free := slices.DeleteFunc(slices.Clone(t.columns), t.isKey)
	for _, c := range free {
		if rng.IntN(3) == 0 {
			set = append(set, ident(c.name)+" = "+value(c))
		}
	}
	if len(set) == 0 {
		name := ident(free[rng.IntN(len(free))].name)
		return name + " = " + t.sql() + "." + name
	}
	return strings.Join(set, ", ")
}
