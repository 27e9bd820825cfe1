package sqlgen

import (
	"fmt"

	"github.com/autocdc/autocdc/schema"
)

// ChangeFeed is the table that holds what has changed in a target. All are the columns
// of the target, those of the merge included.
type ChangeFeed struct {
	*Table
	All []Column
}

// Changes is the table.
func (t *Table) Changes() schema.Name {
	return schema.Name{Schema: t.Target.Schema, Name: t.Target.Name + "_changes"}
}

// Recorder is the function of the triggers that fill it.
func (t *Table) Recorder() schema.Name { return t.meta("changes") }

// ChangesComment says what is in it.
func (t *Table) ChangesComment() string {
	return fmt.Sprintf("What has changed in %s, by transactions; nothing is ever removed from here but by you.", t.Target)
}

// ChangesTable returns the statements that make the table, without the target's columns.
func (g *Generator) ChangesTable(t *Table) ([]string, error) {
	return g.statements(t, "changes_table", "changes_comment")
}

// ChangesTriggers returns the statements that let triggers fill it.
func (g *Generator) ChangesTriggers(f ChangeFeed) ([]string, error) {
	var sqls []string
	for _, name := range []string{"changes_function", "changes_insert", "changes_update", "changes_delete"} {
		sql, err := g.r.render(name, f)
		if err != nil {
			return nil, err
		}
		sqls = append(sqls, sql)
	}
	return sqls, nil
}
