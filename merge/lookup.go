package merge

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/merge/batch"
	"github.com/autocdc/autocdc/schema"
)

// lookUp reads the present rows of keys, which stand at the key columns' places
// among the values given. Per key it returns the values as text in the order of
// the target's columns, nil where there is no row.
func (a *Applier) lookUp(ctx context.Context, t *target, keys [][]batch.Value) ([][]batch.Value, error) {
	args := make([]any, len(t.Keys))
	for i, k := range t.Keys {
		args[i] = keyTexts(t.columnIndex(k), keys)
	}
	rows, err := a.conn.Query(ctx, lookUpSQL(t), args...)
	if err != nil {
		return nil, fmt.Errorf("look up rows of %s: %w", t.Name, err)
	}
	found := make([][]batch.Value, len(keys))
	for rows.Next() {
		if err := scanLookUp(rows, found); err != nil {
			return nil, fmt.Errorf("look up rows of %s: %w", t.Name, err)
		}
	}
	return found, rows.Err()
}

func scanLookUp(rows pgx.Rows, found [][]batch.Value) error {
	raw := rows.RawValues()
	var n int64
	texts := make([]*string, len(raw)-1)
	dest := []any{&n}
	for i := range texts {
		dest = append(dest, &texts[i])
	}
	if err := rows.Scan(dest...); err != nil {
		return err
	}
	values := make([]batch.Value, len(texts))
	for i, text := range texts {
		values[i] = batch.Value{Kind: batch.Null}
		if text != nil {
			values[i] = batch.Value{Kind: batch.Text, Data: []byte(*text)}
		}
	}
	found[n-1] = values
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

func lookUpSQL(t *target) string {
	var arrays, names, same, texts []string
	for i, k := range t.Keys {
		names = append(names, fmt.Sprintf("k%d", i+1))
		arrays = append(arrays, fmt.Sprintf("$%d::text[]", i+1))
		same = append(same, fmt.Sprintf("t.%s = CAST(k.k%d AS %s)", schema.Ident(k), i+1, t.Columns[t.columnIndex(k)].Type))
	}
	for _, c := range t.Columns {
		texts = append(texts, fmt.Sprintf("CAST(t.%s AS text)", schema.Ident(c.Name)))
	}
	if t.Kind == SCD2 {
		same = append(same, `t."__end_at" IS NULL`)
	}
	return fmt.Sprintf("SELECT k.n, %s\nFROM unnest(%s) WITH ORDINALITY AS k(%s, n)\nJOIN %s AS t ON %s",
		strings.Join(texts, ", "), strings.Join(arrays, ", "), strings.Join(names, ", "), t.Name, strings.Join(same, " AND "))
}
