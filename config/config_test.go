package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/autocdc/autocdc/config"
	"github.com/autocdc/autocdc/config/flowsql"
)

// folder makes files with the given contents and returns where they are.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func environment(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}
}

func TestLoad_ReadsWhatTheSpecificationShows(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"a [1]/autocdc.yaml": `# autocdc.yaml
pipeline: shop                  # slot, publication
flows: [flows/*.sql, "more.sql", flows/b.sql]
sources:
  shop: {dsn: "postgres://autocdc@db:5432/shop?sslmode=verify-full"}
  crm:
    dsn: host=crm password=${CRM_PASSWORD}
target: {dsn: "postgres://autocdc@warehouse:5432/dw"}
late_arrival_window: 36h
metadata_schema: meta
`,
		"a [1]/flows/b.sql": "", "a [1]/flows/a.sql": "", "a [1]/flows/c.txt": "", "a [1]/more.sql": "",
	})
	path := filepath.Join(dir, "a [1]", "autocdc.yaml")
	c, err := config.Load(path, environment(map[string]string{"CRM_PASSWORD": `a"b: #{c}`, "AUTOCDC_SOURCE_SHOP": "postgres://env"}))
	if err != nil {
		t.Fatal(err)
	}
	if c.Path != path || c.Pipeline != "shop" || c.MetadataSchema != "meta" || c.LateArrivalWindow != (config.Window{Duration: 36 * time.Hour}) {
		t.Errorf("%+v", c)
	}
	if c.Target != "postgres://autocdc@warehouse:5432/dw" || c.Sources["shop"] != "postgres://env" || c.Sources["crm"] != `host=crm password=a"b: #{c}` {
		t.Errorf("%#v %q %q %q", c, string(c.Target), string(c.Sources["shop"]), string(c.Sources["crm"]))
	}
	var flows []string
	for _, f := range c.Flows {
		rel, _ := filepath.Rel(filepath.Dir(path), f)
		flows = append(flows, filepath.ToSlash(rel))
	}
	if !slices.Equal(flows, []string{"flows/a.sql", "flows/b.sql", "more.sql"}) {
		t.Errorf("flows %q", flows)
	}
}

func TestLoad_Defaults(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "# nothing\n", "late_arrival_window: 48h"} {
		dir := folder(t, map[string]string{"c.yaml": text})
		c, err := config.Load(filepath.Join(dir, "c.yaml"), environment(map[string]string{"AUTOCDC_TARGET": "postgres://t"}))
		if err != nil {
			t.Fatal(err)
		}
		if c.Pipeline != "autocdc" || c.MetadataSchema != "autocdc" || c.LateArrivalWindow.Duration != 48*time.Hour || c.Target != "postgres://t" {
			t.Errorf("%+v", c)
		}
		if got := c.SlotName("shop"); got != "autocdc_shop" {
			t.Error(got)
		}
	}
}

func TestLoad_DefaultFileOnlyIfPresent(t *testing.T) { // no t.Parallel: t.Chdir
	dir := folder(t, nil)
	t.Chdir(dir)
	c, err := config.Load("", environment(nil))
	if err != nil || c.Path != "" {
		t.Fatalf("%+v, %v", c, err)
	}
	if err := os.WriteFile("autocdc.yaml", []byte("pipeline: here"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err = config.Load("", environment(nil))
	if err != nil || c.Pipeline != "here" || c.Path != "autocdc.yaml" {
		t.Fatalf("%+v, %v", c, err)
	}
	if _, err = config.Load("other.yaml", environment(nil)); err == nil || !strings.HasPrefix(err.Error(), "read configuration: open other.yaml") {
		t.Error(err)
	}
}

// faults are files and what is said of them.
var faults = []struct{ name, yaml, want string }{
	{"unknown key", "pipelin: x", "c.yaml:1:1: unknown key \"pipelin\"\n  hint: did you mean pipeline?"},
	{"unknown inner key", "target:\n  dns: x", "c.yaml:1:1: target has no dsn\n  hint: write {dsn: \"postgres://…\"}\nc.yaml:2:3: unknown key \"dns\"\n  hint: did you mean dsn?"},
	{"unknown far key", "colour: x", "c.yaml:1:1: unknown key \"colour\"\n  hint: the keys here are flows, late_arrival_window, metadata_schema, pipeline, sources, target"},
	{"key twice", "pipeline: a\npipeline: b", "c.yaml:2:1: key \"pipeline\" is there already at c.yaml:1:1"},
	{"pipeline", "pipeline: My-Shop", "c.yaml:1:11: invalid pipeline name \"My-Shop\"\n  hint: use the letters a to z, digits and _"},
	{"pipeline empty", "pipeline:", "c.yaml:1:1: pipeline has no value"},
	{"pipeline list", "pipeline: [a]", "c.yaml:1:11: pipeline: expected a single value, found a list"},
	{"source name", "sources: {Shop: {dsn: x}}", "c.yaml:1:11: invalid source name \"Shop\": use the letters a to z, digits and _"},
	{"slot name", "sources: {shop: {dsn: x}}\npipeline: " + strings.Repeat("p", 59), "c.yaml:1:11: name the slot " + strings.Repeat("p", 59) + "_shop: longer than 63 bytes; shorten the name of the pipeline or of the source"},
	{"bare dsn", "sources:\n  shop: postgres://u:secret@h/db", "c.yaml:2:9: source shop: expected a mapping, found a single value\n  hint: write {dsn: \"postgres://…\"}"},
	{"empty dsn", "target: {dsn: ''}", "c.yaml:1:15: empty dsn"},
	{"window", "late_arrival_window: 48", "c.yaml:1:22: invalid late_arrival_window \"48\": expected a duration like 48h, 90m or 7d, or infinite"},
	{"negative window", "late_arrival_window: -1h", "c.yaml:1:22: invalid late_arrival_window \"-1h\": expected a duration like 48h, 90m or 7d, or infinite"},
	{"metadata", "metadata_schema: pg_x", "c.yaml:1:18: invalid metadata_schema \"pg_x\"\n  hint: a schema's name has 1 to 63 bytes and does not begin with pg_"},
	{"unset variable", "target: {dsn: \"postgres://u:${PW}@h/${SET}/${ALSO}\"}", "c.yaml:1:29: environment variable PW is not set\nc.yaml:1:44: environment variable ALSO is not set"},
	{"plain unset variable", "pipeline: ä${PW}", "c.yaml:1:12: environment variable PW is not set"},
	{"unclosed variable", "pipeline: a${PW", "c.yaml:1:12: unclosed ${\n  hint: write ${NAME}, or $${ for the characters themselves"},
	{"odd variable", "pipeline: ${1}", "c.yaml:1:11: invalid name of an environment variable after ${\n  hint: write ${NAME}, or $${ for the characters themselves"},
	{"no flow file", "flows: [a/*.sql, \"[\"]", "c.yaml:1:9: find flow files: no file matches \"a/*.sql\" in DIR\nc.yaml:1:18: expand flow files \"[\": syntax error in pattern"},
	{"flow folder", "flows: sub", "c.yaml:1:8: find flow files: DIR/sub is no file; write sub/*.sql"},
	{"no mapping", "- a", "c.yaml:1:1: expected keys and values, found a list"},
	{"alias", "pipeline: &a x\nmetadata_schema: *a", "c.yaml:1:11: pipeline: expected a single value, found an anchor, alias or tag, which this file cannot have\nc.yaml:2:18: metadata_schema: expected a single value, found an anchor, alias or tag, which this file cannot have"},
	{"second document", "pipeline: a\n---\npipeline: b", "c.yaml:3:9: a second document"},
	{"all at once", "pipelin: a\nlate_arrival_window: x\nsources: 1", "c.yaml:1:1: unknown key \"pipelin\"\n  hint: did you mean pipeline?\nc.yaml:2:22: invalid late_arrival_window \"x\": expected a duration like 48h, 90m or 7d, or infinite\nc.yaml:3:10: expected sources by name, found a single value"},
}

func TestLoad_Faults(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			dir := folder(t, map[string]string{"c.yaml": f.yaml, "sub/x.sql": ""})
			_, err := config.Load(filepath.Join(dir, "c.yaml"), environment(map[string]string{"SET": "x"}))
			var list flowsql.ErrorList
			if !errors.As(err, &list) {
				t.Fatal(err)
			}
			var lines []string
			for _, e := range list {
				lines = append(lines, e.Error())
				if e.Hint != "" {
					lines = append(lines, "  hint: "+e.Hint)
				}
			}
			got := strings.ReplaceAll(strings.Join(lines, "\n"), dir+"/c.yaml", "c.yaml")
			if got = strings.ReplaceAll(got, dir, "DIR"); got != f.want {
				t.Errorf("got\n%s\nwant\n%s", got, f.want)
			}
		})
	}
}

func TestLoad_SyntaxErrorShowsNoPassword(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"target: {dsn: \"postgres://u:s3cret@h/db}\n",
		"target: {dsn: postgres://u:s3cret@h/db, s3cret\n",
		"target:\n\tdsn: 's3cret'\n",
		"target: s3cret: x\n  a: s3cret",
		"- s3cret\na: b", "target: &s3cret *s3cret", "%s3cret", "a: !s3cret [", "s3cret",
	} {
		dir := folder(t, map[string]string{"c.yaml": text})
		_, err := config.Load(filepath.Join(dir, "c.yaml"), environment(nil))
		if err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestLoad_RefusesWhatIsTooLarge(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"c.yaml": strings.Repeat("#", 64<<10+1)})
	_, err := config.Load(filepath.Join(dir, "c.yaml"), environment(nil))
	if err == nil || !strings.HasSuffix(err.Error(), "c.yaml: larger than 65536 bytes") {
		t.Error(err)
	}
}

func TestLoad_DollarSigns(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"c.yaml": "target: {dsn: 'a$b $${X} ${E}$'}"})
	c, err := config.Load(filepath.Join(dir, "c.yaml"), environment(map[string]string{"E": "${F}"}))
	if err != nil || string(c.Target) != "a$b ${X} ${F}$" {
		t.Errorf("%q, %v", string(c.Target), err)
	}
}

func FuzzLoad(f *testing.F) {
	for _, c := range faults {
		f.Add(c.yaml)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, "c.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(path, environment(nil))
		if (c == nil) == (err == nil) {
			t.Fatalf("%v, %v", c, err)
		}
	})
}
