package merge

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
)

// lookup says where the last state of keys is to be read: in the target, or in
// what earlier pieces of a transaction have staged.
type lookup struct {
	table   schema.Name
	columns []Column
	keys    []int  // among the columns
	where   string // condition on the row t
	staged  bool   // the last value by __n counts, and __missing says what a row does not carry
	bits    []int  // per column its bit in __missing
}

func (t *target) lookup() lookup {
	l := lookup{table: t.Name, columns: t.Columns, where: "true"}
	for _, k := range t.Keys {
		l.keys = append(l.keys, t.columnIndex(k))
	}
	if t.Kind == SCD2 {
		l.where = `t."__end_at" IS NULL`
	}
	return l
}

func (t *target) stagedLookup() lookup {
	l := t.lookup()
	l.table, l.where, l.staged, l.bits = t.table.Events(), `t."__kind" = 'u'`, true, t.bits
	return l
}

func (f *flow) stagedLookup() lookup {
	l := lookup{table: f.statement(f.target.table, f.number).Raw(), where: `t."__op" NOT IN ('delete', 'truncate')`, staged: true}
	for i, c := range f.rel.Columns {
		l.columns = append(l.columns, Column{Name: c.Name, Type: f.RawTypes[i]})
		l.bits = append(l.bits, i)
	}
	for _, k := range f.target.Keys {
		l.keys = append(l.keys, f.rel.Column(f.plainSource(f.sourceOf(k))))
	}
	return l
}

// find reads the states of keys, which stand at the key columns' places among the
// values given. Per key it returns the values as text in the order of the
// columns, nil where there is no row.
func (l lookup) find(ctx context.Context, conn *pgx.Conn, keys [][]batch.Value) ([][]batch.Value, error) {
	args := make([]any, len(l.keys))
	for i, at := range l.keys {
		args[i] = keyTexts(at, keys)
	}
	rows, err := conn.Query(ctx, l.sql(), args...)
	if err != nil {
		return nil, fmt.Errorf("look up rows of %s: %w", l.table, err)
	}
	defer rows.Close()
	found := make([][]batch.Value, len(keys))
	for rows.Next() {
		if err := l.scan(rows, found); err != nil {
			return nil, fmt.Errorf("look up rows of %s: %w", l.table, err)
		}
	}
	return found, rows.Err()
}

func (l lookup) scan(rows pgx.Rows, found [][]batch.Value) error {
	var n int64
	var missing *string
	texts := make([]*string, len(l.columns))
	dest := []any{&n, &missing}
	for i := range texts {
		dest = append(dest, &texts[i])
	}
	if err := rows.Scan(dest...); err != nil {
		return err
	}
	values := make([]batch.Value, len(texts))
	for i, text := range texts {
		switch {
		case missing != nil && (*missing)[l.bits[i]] == '1':
			values[i] = batch.Value{Kind: batch.Unchanged}
		case text == nil:
			values[i] = batch.Value{Kind: batch.Null}
		default:
			values[i] = batch.Value{Kind: batch.Text, Data: []byte(*text)}
		}
	}
	if found[n-1] == nil {
		found[n-1] = values
		return nil
	}
	fill(found[n-1], values)
	return nil
}

func keyTexts(at int, keys [][]batch.Value) []string {
	texts := make([]string, len(keys))
	for i, k := range keys {
		texts[i] = string(k[at].Data)
	}
	return texts
}

func (t *Target) columnIndex(name string) int {
	for i, c := range t.Columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

func (l lookup) sql() string {
	var arrays, names, same, texts []string
	for i, at := range l.keys {
		c := l.columns[at]
		names = append(names, fmt.Sprintf("k%d", i+1))
		arrays = append(arrays, fmt.Sprintf("$%d::text[]", i+1))
		same = append(same, fmt.Sprintf("t.%s = CAST(k.k%d AS %s)", schema.Ident(c.Name), i+1, c.Type))
	}
	for _, c := range l.columns {
		texts = append(texts, fmt.Sprintf("CAST(t.%s AS text)", schema.Ident(c.Name)))
	}
	from := fmt.Sprintf("FROM unnest(%s) WITH ORDINALITY AS k(%s, n)\n%s",
		strings.Join(arrays, ", "), strings.Join(names, ", "), l.join(strings.Join(same, " AND ")))
	if !l.staged {
		return fmt.Sprintf("SELECT k.n, NULL, %s\n%s", strings.Join(texts, ", "), from)
	}
	return stagedSQL(texts, from)
}

// stagedSQL reads, last first, the last row of each pattern of missing columns:
// a change of a row may leave alone what one before it has set.
func stagedSQL(texts []string, from string) string {
	var named, outer []string
	for i, text := range texts {
		outer = append(outer, fmt.Sprintf("x.c%d", i+1))
		named = append(named, fmt.Sprintf("%s AS c%d", text, i+1))
	}
	return fmt.Sprintf(`SELECT x.n, x.missing, %s
FROM (
SELECT DISTINCT ON (k.n, t."__missing") k.n, t."__n" AS at, CAST(t."__missing" AS text) AS missing, %s
%s
ORDER BY k.n, t."__missing", t."__n" DESC
) AS x
ORDER BY x.n, x.at DESC`, strings.Join(outer, ", "), strings.Join(named, ", "), from)
}

// join finds the rows of each key: in the target by its index, whatever the
// statistics say; the stage has none.
func (l lookup) join(same string) string {
	if l.staged {
		return fmt.Sprintf("JOIN %s AS t ON %s AND %s", l.table, same, l.where)
	}
	return fmt.Sprintf("CROSS JOIN LATERAL (SELECT * FROM %s AS t WHERE %s AND %s OFFSET 0) AS t", l.table, same, l.where)
}
