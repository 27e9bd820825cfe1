package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/autocdc/autocdc/test/model"
)

// rawCase is a case as it is written.
type rawCase struct {
	Name            string
	Group           string
	SCD             kind
	Columns         columns
	Keys            []string
	Sequence        names
	SystemSequence  string   `json:"system_sequence"`
	TargetColumns   []string `json:"target_columns"`
	TrackHistory    []string `json:"track_history"`
	IgnoreNull      names    `json:"ignore_null_updates"`
	ColumnsToUpdate string   `json:"columns_to_update"`
	Feed            []rawBatch
	Expected        []model.Row
}

type rawBatch struct {
	Events   []model.Row
	Snapshot *model.Snapshot
}

func (r rawCase) resolve() Case {
	c := Case{Group: r.Group, Expected: plainRows(r.Expected)}
	c.Case = model.Case{
		Name:            r.Name,
		Columns:         r.Columns,
		Keys:            r.Keys,
		Sequence:        r.Sequence.list,
		Struct:          len(r.Sequence.list) > 1,
		SystemSequence:  r.SystemSequence,
		TargetColumns:   r.TargetColumns,
		Kind:            model.Kind(r.SCD),
		Track:           r.TrackHistory,
		IgnoreNull:      r.ignoreNull(),
		ColumnsToUpdate: r.ColumnsToUpdate,
	}
	for _, b := range r.Feed {
		c.Feed = append(c.Feed, b.resolve())
	}
	return c
}

func (r rawCase) ignoreNull() []string {
	if !r.IgnoreNull.all {
		return r.IgnoreNull.list
	}
	return slices.DeleteFunc(slices.Clone(r.TargetColumns), func(c string) bool { return slices.Contains(r.Keys, c) })
}

func (b rawBatch) resolve() model.Batch {
	if s := b.Snapshot; s != nil {
		return model.Batch{Snapshot: &model.Snapshot{Version: plain(s.Version), Rows: plainRows(s.Rows)}}
	}
	var out model.Batch
	for _, row := range plainRows(b.Events) {
		op := row["op"].(string)
		delete(row, "op")
		out.Events = append(out.Events, model.Event{Op: op, Values: row})
	}
	return out
}

// kind reads 1, 2 or "bitemporal".
type kind model.Kind

func (k *kind) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `1`:
		*k = kind(model.SCD1)
	case `2`:
		*k = kind(model.SCD2)
	case `"bitemporal"`:
		*k = kind(model.Bitemporal)
	default:
		return fmt.Errorf("scd %s is unknown", text)
	}
	return nil
}

// names reads a name, a list of names, or true.
type names struct {
	list []string
	all  bool
}

func (n *names) UnmarshalJSON(text []byte) error {
	switch text[0] {
	case '[':
		return json.Unmarshal(text, &n.list)
	case '"':
		n.list = make([]string, 1)
		return json.Unmarshal(text, &n.list[0])
	}
	return json.Unmarshal(text, &n.all)
}

// columns reads an object and keeps the order of its keys.
type columns []model.Column

func (c *columns) UnmarshalJSON(text []byte) error {
	types := map[string]string{}
	if err := json.Unmarshal(text, &types); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		if name, ok := token.(string); ok && len(*c) < len(types) {
			*c = append(*c, model.Column{Name: name, Type: types[name]})
			if _, err := dec.Token(); err != nil {
				return err
			}
		}
	}
	return nil
}

func plainRows(rows []model.Row) []model.Row {
	out := make([]model.Row, len(rows))
	for i, row := range rows {
		out[i] = model.Row{}
		for column, v := range row {
			out[i][column] = plain(v)
		}
	}
	return out
}

// plain turns a decoded JSON value into one of the model's.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		n, err := v.Int64()
		if err != nil {
			return v.String()
		}
		return n
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = plain(e)
		}
		return list
	}
	return v
}
