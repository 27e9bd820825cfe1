package files_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/autocdc/autocdc/snapshot/files"
)

func TestJSON(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content, schema string
		want            []string
	}{
		"kinds": {
			`{"id": 12345678901234567890.10, "a": "x\u00e4\ud83d\ude00\n", "n": {"k": [1, "}"]}, "b": true}` + "\n\n" + `{"b": null, "id": -0, "z": 1}`, "",
			[]string{"id numeric, a text, n jsonb, b boolean, z numeric", "12345678901234567890.10|xä😀\n|{\"k\": [1, \"}\"]}|true|∅", "-0|∅|∅|∅|1"},
		},
		"mixed":        {`{"a": 1, "n": "x"}` + "\n" + `{"a": "x", "n": [1]}`, "", []string{"a text, n jsonb", `1|"x"`, `x|[1]`}},
		"only nulls":   {`{"a": null}`, "", []string{"a text", "∅"}},
		"schema":       {`{"Id": 1, "j": "x", "t": {"a":1}}` + "\n{}", "id bigint, j jsonb, t text", []string{"id bigint, j jsonb, t text", `1|"x"|{"a":1}`, "∅|∅|∅"}},
		"escaped keys": {`{"\u0061\"":1}`, "", []string{`a" numeric`, "1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := files.Options{}
			if c.schema != "" {
				opts = options(t, "schema="+c.schema)
			}
			got, err := read(t, write(t, "f.jsonl", c.content), opts)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, got, c.want...)
		})
	}
}

func TestJSON_LaterFilesMayLackKeys(t *testing.T) {
	t.Parallel()
	got, err := read(t, write(t, "1.json", `{"a": 1, "b": "x"}`, "2.json", `{"b": "y"}`, "3.json", ""), files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, got, "a numeric, b text", "1|x", "∅|y")
}

// FuzzJSON holds the reader to encoding/json, and to panic at nothing.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{"a": "x\u00e4", "b": [1, {"c": "]"}]}`, `{"a":1,"a":2}`, `{"\ud800": 1}`, `{"a": "\u0000"}`, `[]`, `{ "a" : -1e5 , "b":null}`, "{}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "\n") || !utf8.ValidString(text) {
			return // neither reaches the parser
		}
		got, err := files.ParseJSON([]byte(text))
		var want map[string]json.RawMessage
		if refused := json.Unmarshal([]byte(text), &want); refused != nil || err != nil {
			if refused != nil && err == nil {
				t.Fatalf("%q: taken, though %v", text, refused)
			}
			return
		}
		if len(got) != len(want) {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
		for name, value := range want {
			if got[name] != string(value) {
				t.Fatalf("%q: %q is %q, want %q", text, name, got[name], value)
			}
		}
	})
}
