// Package conformance holds worked cases of the semantics (README.md explains
// their form) and loads them for tests of the model, of the merge and of the
// built binary. It runs nothing itself.
package conformance

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/autocdc/autocdc/test/model"
)

//go:embed *.jsonl
var files embed.FS

// Case is a feed with the rows that its target must have in the end.
type Case struct {
	model.Case
	Group    string
	Expected []model.Row
}

// Partial tells whether an update of the case may leave columns out.
func (c Case) Partial() bool { return len(c.IgnoreNull) > 0 || c.ColumnsToUpdate != "" }

// Snapshots tells whether a snapshot flow feeds the target.
func (c Case) Snapshots() bool {
	return slices.ContainsFunc(c.Feed, func(b model.Batch) bool { return b.Snapshot != nil })
}

// Cases returns all cases in the order of their files.
func Cases() ([]Case, error) {
	var all []Case
	for _, name := range []string{"seed_documents.jsonl", "ported.jsonl", "random.jsonl"} {
		cases, err := load(name)
		if err != nil {
			return nil, fmt.Errorf("load %s: %w", name, err)
		}
		all = append(all, cases...)
	}
	return all, nil
}

func load(name string) ([]Case, error) {
	text, err := files.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var cases []Case
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var raw rawCase
		if err := unmarshal(line, &raw); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		cases = append(cases, raw.resolve())
	}
	return cases, nil
}

// unmarshal keeps numbers as they are written.
func unmarshal(line []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber()
	return dec.Decode(into)
}
