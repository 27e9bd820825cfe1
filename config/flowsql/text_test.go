package flowsql_test

import (
	"strings"
	"testing"

	"github.com/autocdc/autocdc/config/flowsql"
)

// condition parses sql as the condition of a flow.
func condition(t *testing.T, sql string) flowsql.Text {
	t.Helper()
	f, err := flowsql.Parse("f", []byte("AUTO CDC INTO t FROM CHANGES(s) KEYS (id) APPLY AS DELETE WHEN "+sql))
	if err != nil {
		t.Fatal(err)
	}
	return *f.Statements[0].(*flowsql.CreateFlow).CDC.DeleteWhen
}

func TestText_Columns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ sql, want string }{
		{"op = 'D'", "op"},
		{`op = "DELETE" AND OP = "op"`, `op "DELETE"`},
		{"CASE WHEN __op IN ('delete', 'truncate') THEN __commit_ts ELSE updated_at END", "__op __commit_ts updated_at"},
		{"coalesce(a, s.b, lower(c)) IS NOT NULL", "a s c"},
		{"a::bigint + b::double precision + c::pg_catalog.int4 + d::numeric(3, 2)", "a b c d"},
		{"CAST(a AS character varying) || b::timestamp with time zone::text", "a b"},
		{"ts AT TIME ZONE tz > timestamp '2020-01-01' + interval '1' day", "ts tz"},
		{"extract(epoch FROM ts) > extract(year FROM at)", "ts at"},
		{"x LIKE 'a' ESCAPE '!' AND x COLLATE \"C\" < y", "x y"},
		{"doc IS JSON WITH UNIQUE KEYS OR b IS NOT UNKNOWN", "doc b"},
		{"time + zone + day + json + keys > date", "time zone day json keys date"},
		{"make_interval(days => n) > now() AND (r).f = current_date", "n r"},
		{"percentile_cont(0.5) WITHIN GROUP (ORDER BY x NULLS LAST) > $1", "x"},
		{"x = DOUBLE PRECISION '1' AND true", "x"},
	} {
		names := []string{}
		for _, n := range condition(t, c.sql).Columns() {
			names = append(names, n.String())
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.sql, got, c.want)
		}
	}
}

func TestText_PlacesOfTokens(t *testing.T) {
	t.Parallel()
	text := condition(t, "\n  ö = 'é'\n\t/* c */ AND \"B\"")
	want := []struct {
		text         string
		line, column int
	}{{"ö", 2, 3}, {"=", 2, 5}, {"é", 2, 7}, {"and", 3, 10}, {"B", 3, 14}}
	for i, w := range want {
		tok := text.Tokens[i]
		if tok.Text != w.text || tok.Pos.Line != w.line || tok.Pos.Column != w.column {
			t.Errorf("token %d: %+v, want %+v", i, tok, w)
		}
	}
	if text.SQL != "ö = 'é'\n\t/* c */ AND \"B\"" {
		t.Errorf("%q", text.SQL)
	}
}

func TestColumnList_Resolve(t *testing.T) {
	t.Parallel()
	all := []string{"id", "name", "userId", "city"}
	ids := func(names ...string) (l []flowsql.Ident) {
		for _, n := range names {
			l = append(l, flowsql.Ident{Name: n, Pos: flowsql.Pos{File: "f", Line: 1, Column: 2}})
		}
		return l
	}
	for _, c := range []struct {
		list       flowsql.ColumnList
		want, errs string
	}{
		{flowsql.ColumnList{Columns: ids("city", "id")}, "city id", ""},
		{flowsql.ColumnList{All: true}, "id name userId city", ""},
		{flowsql.ColumnList{All: true, Columns: ids("name", "id")}, "userId city", ""},
		{flowsql.ColumnList{Columns: ids("id", "nmae")}, "id", "f:1:2: no column nmae\n  hint: did you mean name?\n"},
		{flowsql.ColumnList{All: true, Columns: ids("userid", "x")}, "id name userId city", "f:1:2: no column userid\n  hint: did you mean \"userId\"?\nf:1:2: no column x\n"},
	} {
		names, errs := c.list.Resolve(all)
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%+v: %s, want %s", c.list, got, c.want)
		}
		if got := report(flowsql.ErrorList(errs)); got != c.errs {
			t.Errorf("%+v: %s, want %s", c.list, got, c.errs)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	candidates := []string{"pipeline", "flows", "sources", "target"}
	for word, want := range map[string]string{
		"pipelin": "pipeline", "Flows": "flows", "flow": "flows", "source": "sources", "tagret": "target",
		"": "", "x": "", "something": "", strings.Repeat("flows", 100): "",
	} {
		if got := flowsql.Nearest(word, candidates); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
