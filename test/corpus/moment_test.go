package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// moment is what the tables of a case held when its marker was written.
type moment struct {
	contents map[string]contents // by table.source()
}

// contents are the rows of a table, by the numbers of its columns: names may change.
type contents struct {
	numbers []string
	rows    [][]string
}

// column is one that a target must have.
type column struct{ number, name string }

// columnsOf lists the columns of a table that the WAL carries.
func (p *play) columnsOf(t *testing.T, conn *pgx.Conn, tab table) []column {
	t.Helper()
	var columns []column
	for _, row := range query(t, conn, fmt.Sprintf(`
SELECT attnum, attname FROM pg_attribute
WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
ORDER BY attnum`, literal(tab.source()))) {
		if p.columns == "" || slices.Contains(strings.Split(p.columns, ", "), row[1]) {
			columns = append(columns, column{row[0], row[1]})
		}
	}
	return columns
}

func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// note records a moment and writes its marker.
func (p *play) note(t *testing.T, source *pgx.Conn) {
	t.Helper()
	m := moment{map[string]contents{}}
	for _, tab := range p.tables {
		columns := p.columnsOf(t, source, tab)
		if len(columns) == 0 {
			continue // dropped
		}
		c := contents{rows: query(t, source, selection(columns, tab.source(), p.where))}
		for _, col := range columns {
			c.numbers = append(c.numbers, col.number)
		}
		m.contents[tab.source()] = c
	}
	exec(t, source, fmt.Sprintf("INSERT INTO corpus_marker VALUES ('%s', %d)", p.id, len(p.moments)))
	p.moments = append(p.moments, m)
}

func selection(columns []column, from, where string) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = quote(c.name)
	}
	return fmt.Sprintf("SELECT %s FROM %s %s", strings.Join(names, ", "), from, where)
}

// lines are the rows of some columns, sorted.
func (c contents) lines(columns []column) []string {
	lines := make([]string, len(c.rows))
	for i, row := range c.rows {
		var values []string
		for _, col := range columns {
			values = append(values, row[slices.Index(c.numbers, col.number)])
		}
		lines[i] = strings.Join(values, " | ")
	}
	slices.Sort(lines)
	return lines
}

// has tells whether the table had the column.
func (c contents) has(col column) bool { return slices.Contains(c.numbers, col.number) }
