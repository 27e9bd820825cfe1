package autocdc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/autocdc/autocdc/config/flowsql"
	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
)

// keyColumns checks that the keys exist, reach the target and, for CHANGES, that
// the source keeps them unique.
func (p *flowPlanner) keyColumns(columns []merge.Column) {
	keys := p.decl.cdc.Keys
	names := p.known("KEYS", keys, true)
	if len(names) < len(keys) {
		return
	}
	for _, k := range keys {
		if !slices.ContainsFunc(columns, func(c merge.Column) bool { return c.Name == k.Name }) {
			p.add(k.Pos, "add it to COLUMNS", "key column %q is not among the columns of the target", k.Name)
		}
	}
	if p.decl.feed == merge.Changes {
		p.uniqueAtSource(names)
	}
}

func (p *flowPlanner) uniqueAtSource(names []string) {
	pos, rel := p.decl.cdc.Keys[0].Pos, p.table.rel
	i := slices.IndexFunc(p.table.keys, func(k catalogKey) bool { return sameSet(k.columns, names) && !k.deferrable })
	switch {
	case i < 0:
		p.notUnique(pos, names)
	case p.table.keys[i].nullable:
		p.nullable(pos, names)
	case p.hasIdentity() && !p.insideIdentity(names): // without any identity there is a fault of its own
		p.add(pos, fmt.Sprintf("ALTER TABLE %s REPLICA IDENTITY FULL;", p.table.stored().rel.Name), "flow %q: KEYS %s lie outside the replica identity of %s, so that a change of a key would not be seen",
			p.decl.name, parens(names), rel.Name)
	}
}

// nullable refuses keys that the source lets be null: such rows have no key.
func (p *flowPlanner) nullable(pos flowsql.Pos, names []string) {
	var steps []string
	for _, c := range p.table.rel.Columns {
		if slices.Contains(names, c.Name) && !c.NotNull {
			steps = append(steps, "ALTER COLUMN "+schema.Ident(c.Name).String()+" SET NOT NULL")
		}
	}
	p.add(pos, fmt.Sprintf("ALTER TABLE %s %s;", p.table.stored().rel.Name, strings.Join(steps, ", ")),
		"flow %q: KEYS %s may be null in %s", p.decl.name, parens(names), p.table.rel.Name)
}

func (p *flowPlanner) notUnique(pos flowsql.Pos, names []string) {
	for _, k := range p.table.keys {
		if sameSet(k.columns, names) {
			p.add(pos, undefer(p.table.stored().rel, k), "flow %q: the key %s of %s is deferrable, so that two rows may have it for a while",
				p.decl.name, parens(names), p.table.rel.Name)
			return
		}
	}
	p.add(pos, p.keyHint(), "flow %q: KEYS %s are not a unique key of %s", p.decl.name, parens(names), p.table.rel.Name)
}

func (p *flowPlanner) keyHint() string {
	for _, k := range p.table.keys {
		if !k.deferrable {
			return "KEYS " + parens(k.columns) + " would be one"
		}
	}
	return "a table without a unique key can be read with STREAM only, if rows are never updated; or add a primary key"
}

// identity refuses CHANGES of a table whose old rows the WAL does not identify: in
// a publication its owner's updates would fail.
func (p *flowPlanner) identity() {
	if p.hasIdentity() {
		return
	}
	p.add(p.decl.from().Pos, identityStatement(p.table.stored().rel, p.table.stored().keys),
		"%s has no usable replica identity, so that its updates and deletes are not in the WAL", p.table.rel.Name)
}

func (p *flowPlanner) hasIdentity() bool {
	if p.table.rel.Replica == schema.IdentityFull {
		return true
	}
	return slices.ContainsFunc(p.table.stored().rel.Columns, func(c schema.Column) bool { return c.Identity })
}

func (p *flowPlanner) insideIdentity(names []string) bool {
	if p.table.rel.Replica == schema.IdentityFull {
		return true
	}
	for _, n := range names {
		if i := p.table.rel.Column(n); i < 0 || !p.table.rel.Columns[i].Identity {
			return false
		}
	}
	return true
}

// identityStatement is what the table's owner runs to give it an identity.
func identityStatement(rel *schema.Relation, keys []catalogKey) string {
	full := fmt.Sprintf("ALTER TABLE %s REPLICA IDENTITY FULL;", rel.Name)
	for _, k := range keys {
		switch {
		case k.primary && k.deferrable && rel.Replica == schema.IdentityDefault:
			return undefer(rel, k)
		case k.deferrable || k.nullable:
		case k.primary && rel.Replica != schema.IdentityDefault:
			return fmt.Sprintf("ALTER TABLE %s REPLICA IDENTITY DEFAULT;", rel.Name)
		case !k.primary && k.index != "":
			return fmt.Sprintf("ALTER TABLE %s REPLICA IDENTITY USING INDEX %s;", rel.Name, schema.Ident(k.index))
		}
	}
	return full
}

// undefer makes a key over that is deferrable; no foreign key can depend on it.
func undefer(rel *schema.Relation, k catalogKey) string {
	kind := "UNIQUE"
	if k.primary {
		kind = "PRIMARY KEY"
	}
	columns := make([]string, len(k.columns))
	for i, c := range k.columns {
		columns[i] = schema.Ident(c).String()
	}
	name := schema.Ident(k.index)
	return fmt.Sprintf("ALTER TABLE %s DROP CONSTRAINT %s, ADD CONSTRAINT %s %s (%s);", rel.Name, name, name, kind, strings.Join(columns, ", "))
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// parens gives a column list as a user would write it.
func parens(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = bare(n)
	}
	return "(" + strings.Join(out, ", ") + ")"
}
