package autocdc

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/autocdc/autocdc/merge"
	"github.com/autocdc/autocdc/schema"
)

// InitOptions say what Init writes.
type InitOptions struct {
	Tables []string // patterns over schema.table; none: public.*
	SCD    int      // 1 or 2
	Into   string   // schema of the targets; empty: that of the source's table
}

// initFile renders a flow file for the tables of all sources.
type initFile struct {
	opts    InitOptions
	taken   map[string]bool      // flow names
	targets map[schema.Name]bool // target names
	b       strings.Builder
}

func newInitFile(opts InitOptions) *initFile {
	f := &initFile{opts: opts, taken: map[string]bool{}, targets: map[schema.Name]bool{}}
	f.b.WriteString("-- Flow file written by autocdc init. Each flow keeps one target table current from\n" +
		"-- one source table. Look through it, then: autocdc check FILE; autocdc run FILE\n")
	if opts.SCD == 2 {
		f.b.WriteString("-- SCD TYPE 2: the targets hold every version of a row, from __start_at until __end_at.\n")
	} else {
		f.b.WriteString("-- SCD TYPE 1: the targets hold the current rows. SCD TYPE 2 would keep their history.\n")
	}
	return f
}

// table writes one table, as a comment if it cannot be followed as it is.
func (f *initFile) table(source string, t *sourceTable) {
	target := f.targetName(t.rel.Name)
	fmt.Fprintf(&f.b, "\n-- %s of source %s\n", oneLine(t.rel.Name.String()), source)
	f.notes(t)
	key, why := f.key(t)
	statement := f.statement(source, t, target, key)
	if why == "" {
		f.b.WriteString(statement)
		return
	}
	f.comment("WARNING: " + why)
	f.comment(statement)
}

// notes tells of what the target will not have as the source has it.
func (f *initFile) notes(t *sourceTable) {
	for _, name := range t.unsent {
		f.comment("The generated column " + bare(name) + " is not in the WAL: the target does not get it.")
	}
	for i, c := range t.rel.Columns {
		if t.notes[i] != "" {
			f.comment("Column " + bare(c.Name) + ": " + t.notes[i] + ".")
		}
	}
}

// key chooses the primary key, or else a unique key that tells rows apart in the
// WAL. It returns a reason if the table cannot be followed as it is.
func (f *initFile) key(t *sourceTable) (key []string, why string) {
	for _, c := range pseudo() {
		if t.rel.Column(c.Name) >= 0 {
			why = "column " + c.Name + " has a name that every row has beside its own columns; rename it"
		}
	}
	p := &flowPlanner{table: t}
	for _, k := range t.keys {
		if k.deferrable || k.nullable {
			continue
		}
		if !p.insideIdentity(k.columns) {
			return k.columns, "updates of this table cannot be followed until its owner runs\n" + identityStatement(t.rel, t.keys)
		}
		if !k.primary {
			f.comment("Key: the unique index " + schema.Ident(k.index).String() + ".")
		}
		return k.columns, why
	}
	cure := fmt.Sprintf("ALTER TABLE %s ADD PRIMARY KEY (…);", t.rel.Name)
	for _, k := range slices.Backward(t.keys) {
		if k.deferrable && (k.primary || !k.nullable) {
			cure = undefer(t.rel, k)
		}
	}
	return nil, "no key tells the rows of this table apart at any time. Give it one, then say it in KEYS:\n" + cure + "\n" +
		"Or, if its rows are only ever inserted and are events, read it with STREAM and SEQUENCE BY."
}

func (f *initFile) statement(source string, t *sourceTable, target schema.Name, key []string) string {
	keys := "(…)"
	if key != nil {
		keys = parens(key)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE STREAMING TABLE %s;\n", shown(target))
	fmt.Fprintf(&b, "CREATE FLOW %s AS AUTO CDC INTO %s\n", bare(f.flowName(t.rel.Name)), shown(target))
	fmt.Fprintf(&b, "FROM CHANGES(%s.%s)\n", bare(source), shown(t.rel.Name))
	fmt.Fprintf(&b, "KEYS %s\n", keys)
	if except := taken(t); len(except) > 0 {
		fmt.Fprintf(&b, "COLUMNS * EXCEPT %s\n", parens(except))
	}
	fmt.Fprintf(&b, "STORED AS SCD TYPE %d;\n", f.opts.SCD)
	return b.String()
}

// taken names the columns that the target cannot have.
func taken(t *sourceTable) []string {
	var out []string
	for _, c := range t.rel.Columns {
		if merge.Reserved(c.Name) && !isPseudo(c.Name) {
			out = append(out, c.Name)
		}
	}
	return out
}

// targetName keeps schema and name of the source's table, unless two tables would
// meet in one target.
func (f *initFile) targetName(n schema.Name) schema.Name {
	target := n
	if f.opts.Into != "" {
		target.Schema = f.opts.Into
	}
	if f.targets[target] {
		target.Name = n.Schema + "_" + n.Name
	}
	for base, i := target.Name, 2; f.targets[target]; i++ {
		target.Name = fmt.Sprintf("%s_%d", base, i)
	}
	f.targets[target] = true
	return target
}

// flowName bears the schema that the targets go into, so that files for several
// schemas fit into one pipeline.
func (f *initFile) flowName(n schema.Name) string {
	prefix := ""
	if f.opts.Into != "" {
		prefix = f.opts.Into + "_"
	}
	name := cut(prefix+n.Name, nameMax)
	if f.taken[name] {
		name = cut(prefix+n.Schema+"_"+n.Name, nameMax)
	}
	for base, i := cut(name, nameMax-5), 2; f.taken[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	f.taken[name] = true
	return name
}

// nameMax is how many bytes a name may have.
const nameMax = 63

// cut shortens a name to so many bytes, between characters.
func cut(name string, length int) string {
	for len(name) > length {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return name
}

// comment writes text, of any number of lines, so that none escapes.
func (f *initFile) comment(text string) {
	text = strings.ReplaceAll(strings.TrimRight(text, "\n"), "\r", " ")
	for line := range strings.SplitSeq(text, "\n") {
		f.b.WriteString("-- " + line + "\n")
	}
}

func oneLine(s string) string {
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(s)
}
