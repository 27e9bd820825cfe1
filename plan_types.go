package autocdc

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
)

// typer finds the types of sequence expressions by letting the target describe
// them.
type typer struct {
	*faults
	conn *pgx.Conn // nil if the target cannot be reached
}

// sequences sets the types of a flow's sequences; they stay empty where a fault
// was reported.
func (t *typer) sequences(ctx context.Context, c *carried, table *sourceTable) (err error) {
	cdc := c.decl.cdc
	if c.decl.feed == merge.Snapshot {
		return nil // its version is known
	}
	if c.flow.SequenceBy == nil {
		if c.decl.feed == merge.Changes {
			c.sequence = []merge.Column{defaultColumn(cdc.StoredAs)}
		}
	} else if c.sequence, err = t.sequence(ctx, c, table, "SEQUENCE BY", cdc.SequenceBy); err != nil {
		return err
	}
	switch {
	case cdc.StoredAs != flowsql.Bitemporal:
	case cdc.SystemSequenceBy == nil:
		c.system = []merge.Column{defaultColumn(cdc.StoredAs)}
	default:
		c.system, err = t.sequence(ctx, c, table, "SYSTEM SEQUENCE BY", cdc.SystemSequenceBy)
	}
	return err
}

func (t *typer) sequence(ctx context.Context, c *carried, table *sourceTable, clause string, s *flowsql.Sequence) ([]merge.Column, error) {
	var out []merge.Column
	for i := range s.Fields {
		col, err := t.field(ctx, c, table, clause, s, i)
		if err != nil || col.Type == "" {
			return nil, err
		}
		out = append(out, col)
	}
	return out, nil
}

func defaultColumn(k flowsql.Kind) merge.Column {
	if k == flowsql.SCD1 {
		return merge.Column{Type: "pg_lsn"}
	}
	return merge.Column{Type: "timestamp with time zone"}
}

func (t *typer) field(ctx context.Context, c *carried, table *sourceTable, clause string, s *flowsql.Sequence, i int) (merge.Column, error) {
	text := s.Fields[i]
	col := merge.Column{Name: fieldName(text, i)}
	if name := plainColumn(text); name != "" {
		if at := table.rel.Column(name); at >= 0 {
			col.Type, col.Collation = table.raw[at], table.rel.Columns[at].Collation
			t.comparable(c, table, clause, at, text)
			return col, nil
		}
	}
	var err error
	col.Type, err = t.describe(ctx, c, table, clause, text)
	return col, err
}

// comparable refuses an enum that is text on the target: its labels would be
// ordered by the alphabet.
func (t *typer) comparable(c *carried, table *sourceTable, clause string, at int, text flowsql.Text) {
	if note := table.notes[at]; table.raw[at] == "text" && note != "" && !strings.HasPrefix(note, "domain") {
		t.add(text.Pos, "order by a column that has the same type on both sides, or write a CASE over the values",
			"flow %q: %s %s has lost its order on the target: %s", c.decl.name, clause, strings.TrimSpace(text.SQL), note)
	}
}

// fieldName is the name of a STRUCT field: the column's, or its place.
func fieldName(text flowsql.Text, i int) string {
	if name := plainColumn(text); name != "" {
		return name
	}
	return fmt.Sprintf("f%d", i+1)
}

// describe asks the target for the type of an expression over the flow's rows.
func (t *typer) describe(ctx context.Context, c *carried, table *sourceTable, clause string, text flowsql.Text) (string, error) {
	if t.conn == nil {
		return "", nil
	}
	const head = "SELECT "
	desc, err := t.conn.PgConn().Prepare(ctx, "", head+text.SQL+" FROM "+emptyRow(table), nil)
	var pgErr *pgconn.PgError
	switch {
	case errors.As(err, &pgErr):
		offset := int(pgErr.Position) - 1 - len(head)
		t.add(place(text, offset), pgErr.Hint, "flow %q: %s: %s", c.decl.name, clause, pgErr.Message)
		return "", nil
	case err != nil:
		return "", fmt.Errorf("describe %s of flow %q: %w", clause, c.decl.name, err)
	case len(desc.Fields) != 1:
		t.add(text.Pos, "write STRUCT(a, b) for several", "flow %q: %s is not one value", c.decl.name, clause)
		return "", nil
	}
	var name string
	err = t.conn.QueryRow(ctx, "SELECT format_type($1, $2)", desc.Fields[0].DataTypeOID, desc.Fields[0].TypeModifier).Scan(&name)
	if err != nil {
		return "", fmt.Errorf("name type of %s of flow %q: %w", clause, c.decl.name, err)
	}
	return name, nil
}

// emptyRow is a relation with the columns of the flow's rows.
func emptyRow(table *sourceTable) string {
	var cols []string
	for i, c := range table.rel.Columns {
		cols = append(cols, fmt.Sprintf("NULL::%s AS %s", table.raw[i], schema.Ident(c.Name)))
	}
	for _, c := range pseudo() {
		cols = append(cols, fmt.Sprintf("NULL::%s AS %s", c.Type, schema.Ident(c.Name)))
	}
	return "(SELECT " + strings.Join(cols, ", ") + ") AS " + schema.Ident(table.rel.Name.Name).String()
}

// place moves a position forward by an offset, in characters, into its text.
func place(text flowsql.Text, offset int) flowsql.Pos {
	pos := text.Pos
	if offset < 0 {
		return pos
	}
	for i, r := range []rune(text.SQL) {
		if i == offset {
			return pos
		}
		if pos.Column++; r == '\n' {
			pos.Line, pos.Column = pos.Line+1, 1
		}
	}
	return text.Pos
}
