package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// verify compares everything that was noted of a case with the target.
func (s *scene) verify(t *testing.T, p *play, log string) {
	t.Helper()
	target := reader(t, s.target)
	compared := 0
	for _, tab := range p.tables {
		columns := p.columnsOf(t, s.read, tab)
		if p.flows == "" || exists(t, target, tab.current()) {
			compared++
			p.current(t, target, tab, columns)
		}
		if p.flows == "" || exists(t, target, tab.history()) {
			p.shape(t, target, tab, columns)
			p.replay(t, target, tab, columns)
		}
	}
	if compared == 0 {
		t.Error("no table of the case has a target")
	}
	s.answers(t, p, target)
	if t.Failed() {
		t.Logf("case %s: %s; the log on it:\n%s", p.id, p.about, about(log, p))
	}
}

func exists(t *testing.T, conn *pgx.Conn, name string) bool {
	t.Helper()
	return query(t, conn, fmt.Sprintf("SELECT to_regclass(%s) IS NOT NULL", literal(name)))[0][0] == "t"
}

// about returns the lines of the log that name a table of the case.
func about(log string, p *play) string {
	var lines strings.Builder
	for line := range strings.Lines(log) {
		for _, tab := range p.tables {
			if strings.Contains(line, tab.name) {
				lines.WriteString(line)
				break
			}
		}
	}
	return lines.String()
}

// current compares the last moment with both targets' rows of now.
func (p *play) current(t *testing.T, target *pgx.Conn, tab table, columns []column) {
	t.Helper()
	want := p.moments[len(p.moments)-1].contents[tab.source()].lines(columns)
	got := query(t, target, selection(columns, tab.current(), ""))
	same(t, tab.current(), all(got), want)
}

// replay compares the history as of each moment with what was noted then.
func (p *play) replay(t *testing.T, target *pgx.Conn, tab table, columns []column) {
	t.Helper()
	for n, m := range p.moments {
		c, ok := m.contents[tab.source()]
		if !ok {
			continue
		}
		then := slices.DeleteFunc(slices.Clone(columns), func(col column) bool { return !c.has(col) })
		at := fmt.Sprintf("(SELECT __start_at FROM hist.corpus_marker WHERE id = '%s' AND n = %d)", p.id, n)
		got := query(t, target, selection(then, tab.history(), fmt.Sprintf("WHERE __start_at <= %s AND (__end_at > %[1]s OR __end_at IS NULL)", at)))
		same(t, fmt.Sprintf("%s after transaction %d", tab.history(), n), all(got), c.lines(then))
	}
}

// shape demands that no versions are empty, overlap, or touch and say the same.
func (p *play) shape(t *testing.T, target *pgx.Conn, tab table, columns []column) {
	t.Helper()
	keys := make([]string, len(tab.keys))
	for i, k := range tab.keys {
		keys[i] = quote(k)
	}
	text := make([]string, len(columns))
	for i, c := range columns {
		text[i] = quote(c.name) + "::text"
	}
	const sql = `
SELECT line, __start_at, __end_at, next_start
FROM (
  SELECT ROW(%s)::text AS line, __start_at, __end_at,
    lead(__start_at) OVER versions AS next_start, lead(ROW(%[1]s)::text) OVER versions AS next_line
  FROM %s
  WINDOW versions AS (PARTITION BY %s ORDER BY __start_at)
) AS v
WHERE __end_at <= __start_at
   OR next_start IS NOT NULL AND (__end_at IS NULL OR __end_at > next_start)
   OR __end_at = next_start AND line = next_line`
	if len(tab.keys) == 0 {
		t.Errorf("%s has a history and no key", tab.source())
		return
	}
	for _, row := range query(t, target, fmt.Sprintf(sql, strings.Join(text, ", "), tab.history(), strings.Join(keys, ", "))) {
		t.Errorf("%s has a version that may not be: %.500s", tab.history(), row)
	}
}

// answers compares what both servers say to the queries of the case.
func (s *scene) answers(t *testing.T, p *play, target *pgx.Conn) {
	t.Helper()
	exec(t, target, "SET search_path = cur")
	defer exec(t, target, "RESET search_path")
	for _, sql := range strings.Split(strings.TrimSpace(p.check), ";\n") {
		if sql == "" {
			continue
		}
		want, got := query(t, s.read, sql), query(t, target, sql)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s\ntarget says %.1000v\nsource says %.1000v", sql, got, want)
		}
	}
}

func all(rows [][]string) []string {
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = strings.Join(row, " | ")
	}
	slices.Sort(lines)
	return lines
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	t.Errorf("%s: %d rows, want %d\ntarget only:%s\nsource only:%s", what, len(got), len(want), only(got, want), only(want, got))
}

// only shows some lines of a that b lacks; equal rows count.
func only(a, b []string) string {
	left := map[string]int{}
	for _, line := range b {
		left[line]++
	}
	var out strings.Builder
	shown := 0
	for _, line := range a {
		if left[line]--; left[line] < 0 && shown < 5 {
			shown++
			fmt.Fprintf(&out, "\n  %.300s", line)
		}
	}
	return out.String()
}
