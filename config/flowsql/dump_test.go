package flowsql_test

import (
	"fmt"
	"strings"

	"github.com/autocdc/autocdc/config/flowsql"
)

// dump writes a file in a form that shows every field that is set.
func dump(f *flowsql.File) string {
	var b strings.Builder
	for _, s := range f.Statements {
		fmt.Fprintf(&b, "%d:%d ", s.Position().Line, s.Position().Column)
		switch s := s.(type) {
		case *flowsql.CreateTable:
			dumpTable(&b, s)
		case *flowsql.CreateFlow:
			fmt.Fprintf(&b, "flow %s%s\n", s.Name, dumpComment(s.Comment))
			dumpCDC(&b, s.CDC)
			if s.Insert != nil {
				fmt.Fprintf(&b, "  insert once=%v into %s: %s\n", s.Insert.Once, s.Insert.Target, dumpText(s.Insert.Query))
			}
		case *flowsql.CreateView:
			fmt.Fprintf(&b, "view %s: %s\n", s.Name, dumpText(s.Query))
		}
	}
	return b.String()
}

func dumpTable(b *strings.Builder, s *flowsql.CreateTable) {
	fmt.Fprintf(b, "table %s refresh=%v ifnotexists=%v%s\n", s.Target, s.OrRefresh, s.IfNotExists, dumpComment(s.Comment))
	for _, c := range s.Columns {
		fmt.Fprintf(b, "  column %s: %s\n", c.Name, dumpText(c.Type))
	}
	for _, e := range s.Expectations {
		fmt.Fprintf(b, "  expect %s: %s violation=%d\n", e.Name, dumpText(e.Condition), e.OnViolation)
	}
	dumpCDC(b, s.Flow)
}

func dumpCDC(b *strings.Builder, c *flowsql.AutoCDC) {
	if c == nil {
		return
	}
	fmt.Fprintf(b, "  cdc once=%v into %s\n", c.Once, c.Target)
	fmt.Fprintf(b, "  from %s\n", dumpSource(c.From))
	fmt.Fprintf(b, "  keys %s\n", dumpIdents(c.Keys))
	dumpList(b, "ignore null", c.IgnoreNull)
	dumpOptional(b, "delete when", c.DeleteWhen)
	dumpOptional(b, "truncate when", c.TruncateWhen)
	dumpSequence(b, "sequence", c.SequenceBy)
	dumpSequence(b, "system sequence", c.SystemSequenceBy)
	dumpList(b, "columns", c.Columns)
	if c.ColumnsToUpdate != nil {
		fmt.Fprintf(b, "  columns to update %s\n", c.ColumnsToUpdate)
	}
	if c.StoredAsPos.Line > 0 {
		fmt.Fprintf(b, "  stored as %d\n", c.StoredAs)
	}
	dumpList(b, "track", c.TrackHistory)
	for _, o := range c.Options {
		fmt.Fprintf(b, "  option %s=%q\n", o.Name, o.Value)
	}
}

func dumpSource(s flowsql.Source) string {
	kind := [...]string{"changes", "stream", "snapshot", "relation"}[s.Kind]
	if s.Query == nil {
		return kind + " " + s.Name.String()
	}
	text := kind + " " + dumpText(*s.Query)
	if s.Version != nil {
		text += " version " + dumpText(*s.Version)
	}
	return text
}

func dumpComment(c *string) string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf(" comment=%q", *c)
}

func dumpText(t flowsql.Text) string {
	return fmt.Sprintf("%d:%d %q", t.Pos.Line, t.Pos.Column, t.SQL)
}

func dumpOptional(b *strings.Builder, what string, t *flowsql.Text) {
	if t != nil {
		fmt.Fprintf(b, "  %s %s\n", what, dumpText(*t))
	}
}

func dumpSequence(b *strings.Builder, what string, s *flowsql.Sequence) {
	if s == nil {
		return
	}
	fmt.Fprintf(b, "  %s struct=%v", what, s.Struct)
	for _, f := range s.Fields {
		fmt.Fprintf(b, " %s", dumpText(f))
	}
	b.WriteString("\n")
}

func dumpList(b *strings.Builder, what string, l *flowsql.ColumnList) {
	if l != nil {
		fmt.Fprintf(b, "  %s all=%v %s\n", what, l.All, dumpIdents(l.Columns))
	}
}

func dumpIdents(ids []flowsql.Ident) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = id.String()
	}
	return strings.Join(names, ", ")
}
