package flowsql

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func seed(f *testing.F) {
	f.Helper()
	files, err := filepath.Glob("testdata/*.sql")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
		for s := range strings.SplitSeq(string(src), ";") {
			f.Add(s)
			f.Add("SET dialect='spark';" + s)
		}
	}
	for _, s := range []string{
		"concat(a, 'b', 1 / 2L) RLIKE r'^(a.b)\\b' || x AND struct(a AS b) <=> named_struct('x', !y)",
		"regexp_extract(regexp_replace(a, '(.)', '$1'), '[^a]+(b)*') NOT REGEXP CASE WHEN a THEN b END",
		"CAST(x AS ARRAY<ARRAY<STRING>>) + if(a, b::double, (c / 2)::int) & 1 - INTERVAL 1 day 2 hours",
		"row_number() OVER (ORDER BY a DESC, b NULLS LAST ROWS 1 PRECEDING) = array(1)['a']",
		"x IN (FROM VALUES (1, 2), 3 AS t) OR (VALUES (1), ) > TIMESTAMP 'a' 'b'",
	} {
		f.Add("SET dialect='spark'; AUTO CDC INTO t FROM CHANGES(s) KEYS (id) SEQUENCE BY " + s)
		f.Add("SET dialect='spark'; CREATE TEMPORARY VIEW v AS SELECT " + s)
	}
	for _, s := range []string{"E'\\x41\\101\\u00e9'", "$a$ $$ $a$", "1.5e-3..2 0xFF .5", "a->>'b'||-c @-d <> --\n e", "`a``b` r\"\\n\" 'x\\'y'", "/*/**/*/ \ufeff\u00a0"} {
		f.Add(s)
	}
}

func lexAll(src string, d Dialect) (toks []Token, errs ErrorList) {
	p := newParser("f", src)
	p.lex.dialect = d
	for more := true; more; {
		var part []Token
		part, more = p.lex.statement()
		toks = append(toks, part...)
	}
	return toks, p.lex.errs
}

// FuzzLex checks that tokens tile the file in order and that their places are
// those of their offsets.
func FuzzLex(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src string) {
		if !utf8.ValidString(src) {
			return
		}
		for _, d := range []Dialect{Postgres, Spark} {
			toks, _ := lexAll(src, d)
			checkOrder(t, src, toks)
		}
	})
}

func checkOrder(t *testing.T, src string, toks []Token) {
	t.Helper()
	last := 0
	for _, tok := range toks {
		if tok.Offset < last || tok.End < tok.Offset || tok.End > len(src) {
			t.Fatalf("token %+v after %d of %d", tok, last, len(src))
		}
		if tok.Kind != endOfStatement && tok.End == tok.Offset {
			t.Fatalf("empty token %+v", tok)
		}
		last = tok.End
	}
	for _, tok := range toks[max(0, len(toks)-3):] {
		if p := newParser("f", src).placeOf(tok.Offset); p != tok.Pos {
			t.Fatalf("token %+v stands at %v", tok, p)
		}
	}
}

// FuzzParse checks that nothing panics, that places are inside the file, that
// texts are what stands in it or what it is translated to, with the tokens that
// Postgres finds in them, and that a second parse gives the same.
func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src string) {
		file, err := Parse("f", []byte(src))
		if file == nil {
			t.Fatal("no file")
		}
		var list ErrorList
		if err != nil && !errors.As(err, &list) {
			t.Fatalf("%T", err)
		}
		for _, e := range list {
			checkInside(t, src, e.Pos)
		}
		checkTexts(t, src, file, reflect.ValueOf(file.Statements))
		again, errAgain := Parse("f", []byte(src))
		if !reflect.DeepEqual(file, again) || !reflect.DeepEqual(err, errAgain) {
			t.Fatal("a second parse differs")
		}
	})
}

func checkInside(t *testing.T, src string, p Pos) {
	t.Helper()
	lines := strings.Split(src, "\n")
	if p.File != "f" || p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > utf8.RuneCountInString(lines[p.Line-1])+1 {
		t.Fatalf("%v is outside", p)
	}
}

// checkTexts visits every Text and Pos of the tree.
func checkTexts(t *testing.T, src string, file *File, v reflect.Value) {
	t.Helper()
	switch x := v.Interface().(type) {
	case Text:
		checkInside(t, src, x.Pos)
		checkText(t, src, file.Dialect, x)
		return
	case Pos:
		if x != (Pos{}) {
			checkInside(t, src, x)
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			checkTexts(t, src, file, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			checkTexts(t, src, file, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			checkTexts(t, src, file, v.Field(i))
		}
	}
}

func checkText(t *testing.T, src string, d Dialect, x Text) {
	t.Helper()
	if d == Postgres && !strings.Contains(src, x.SQL) {
		t.Fatalf("%q is not in the file", x.SQL)
	}
	if len(x.Tokens) == 0 || x.Tokens[0].Offset != 0 || x.Tokens[len(x.Tokens)-1].End != len(x.SQL) || x.Tokens[0].Pos != x.Pos {
		t.Fatalf("tokens of %q: %+v", x.SQL, x.Tokens)
	}
	for _, tok := range x.Tokens {
		checkInside(t, src, tok.Pos)
	}
	x.Columns()
	again, errs := lexAll(x.SQL, Postgres)
	if len(errs) > 0 || len(again) != len(x.Tokens)+1 {
		t.Fatalf("%q lexed again: %d tokens, %d before, %v", x.SQL, len(again), len(x.Tokens), errs)
	}
	for i, tok := range x.Tokens {
		if a := again[i]; a.Kind != tok.Kind || a.Text != tok.Text || a.Offset != tok.Offset || a.End != tok.End {
			t.Fatalf("%q token %d: %+v, before %+v", x.SQL, i, a, tok)
		}
	}
}
