package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// number is how many cases there are, lest one be lost.
const number = 111

// testcase is a file of testdata: a line "-- ID: what it is about", directives, and
// sections that begin with "-- @name".
type testcase struct {
	id, about string
	seed      string   // SQL at the source before the first run
	prepare   string   // SQL at the target before the first run
	flows     string   // instead of two flows for each table that has a key
	stream    []string // SQL at the source while running; a line "--" ends a transaction
	check     string   // queries that source and target must answer alike
	refused   []string // what the refusal must say, if it is one
	alone     bool     // has a pipeline of its own
	tables    []string // tables that get flows; default all with a key
	where     string   // rows that reach the target; default all
	columns   string   // columns that reach the target; default all
}

// load reads all cases in the order of their ids.
func load(t *testing.T) []testcase {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.sql")
	if err != nil || len(paths) != number {
		t.Fatalf("%d cases in testdata (%v), want %d", len(paths), err, number)
	}
	slices.Sort(paths)
	cases := make([]testcase, len(paths))
	for i, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if cases[i], err = parse(string(text)); err != nil || cases[i].id+".sql" != filepath.Base(path) {
			t.Fatalf("%s: %q: %v", path, cases[i].id, err)
		}
	}
	return cases
}

// selected are the cases of one kind that AUTOCDC_CASES, a regular expression over
// ids, leaves.
func selected(t *testing.T, kind func(testcase) bool) []testcase {
	t.Helper()
	only, err := regexp.Compile(os.Getenv("AUTOCDC_CASES"))
	if err != nil {
		t.Fatalf("AUTOCDC_CASES: %v", err)
	}
	return slices.DeleteFunc(load(t), func(c testcase) bool { return !only.MatchString(c.id) || !kind(c) })
}

// one returns the case of an id.
func one(t *testing.T, id string) testcase {
	t.Helper()
	cases := load(t)
	i := slices.IndexFunc(cases, func(c testcase) bool { return c.id == id })
	if i < 0 {
		t.Fatalf("no case %s", id)
	}
	return cases[i]
}

func parse(text string) (testcase, error) {
	var c testcase
	title, rest, _ := strings.Cut(text, "\n")
	var ok bool
	if c.id, c.about, ok = strings.Cut(strings.TrimPrefix(title, "-- "), ": "); !ok {
		return c, fmt.Errorf("want -- ID: about, not %q", title)
	}
	section := new(string)
	stream := ""
	sections := map[string]*string{"seed": &c.seed, "target": &c.prepare, "flows": &c.flows, "stream": &stream, "check": &c.check}
	for line := range strings.Lines(rest) {
		name, isDirective := strings.CutPrefix(line, "-- @")
		if !isDirective {
			*section += line
			continue
		}
		name, arg, _ := strings.Cut(strings.TrimSpace(name), " ")
		if sections[name] != nil {
			section = sections[name]
			continue
		}
		if err := c.directive(name, arg); err != nil {
			return c, err
		}
	}
	if stream != "" {
		c.stream = strings.Split(stream, "\n--\n")
	}
	return c, nil
}

func (c *testcase) directive(name, arg string) error {
	switch name {
	case "refused":
		c.refused = strings.Split(arg, "|")
	case "alone":
		c.alone = true
	case "tables":
		c.tables = strings.Split(arg, ", ")
	case "where":
		c.where = "WHERE " + arg
	case "columns":
		c.columns = arg
	default:
		return fmt.Errorf("unknown directive @%s", name)
	}
	return nil
}
