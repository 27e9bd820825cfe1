// Command mutants breaks the statements that the merge layer generates, one rule at a
// time, and runs the tests that compare it with the model: each must notice. It prints
// which test did, and fails if one did not. `make mutants` runs it.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

const templates = "merge/sqlgen/sql"

// model are the tests of package merge that compare targets with the model.
var model = []string{
	"./merge", "-count=1", "-failfast", "-rapid.checks=100", "-rapid.nofailfile",
	"-run", "TestApply_(GivesTheConformanceRows|EqualsTheModel|FollowsATable)|TestCompare_(GivesTheConformanceRows|EqualsTheModel)",
}

func main() {
	missed := 0
	for _, m := range mutants() {
		caught, err := m.run()
		switch {
		case err != nil:
			fmt.Fprintln(os.Stderr, "mutants:", err)
			os.Exit(1)
		case caught == "":
			missed++
			caught = "NOBODY"
		}
		fmt.Printf("%-60s %s\n", m.rule, caught)
	}
	if missed > 0 {
		fmt.Fprintf(os.Stderr, "mutants: %d were not noticed\n", missed)
		os.Exit(1)
	}
}

// run returns the first test that fails, empty if none does.
func (m mutant) run() (caught string, err error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	overlay, err := m.overlay(dir)
	if err != nil {
		return "", fmt.Errorf("%s: %w", m.rule, err)
	}
	out, err := exec.Command("go", append([]string{"test", "-overlay", overlay}, m.tests...)...).CombinedOutput()
	if err == nil {
		return "", nil
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return "", err
	}
	if caught := lastFailure(string(out)); caught != "" {
		return caught, nil
	}
	return "", fmt.Errorf("%s: no test ran:\n%s", m.rule, out)
}

// overlay writes the broken template, and the file that tells go to take it.
func (m mutant) overlay(dir string) (string, error) {
	file, err := filepath.Abs(filepath.Join(templates, m.file+".sql.tmpl"))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if !strings.Contains(string(text), m.from) {
		return "", fmt.Errorf("%s does not have the text %q any more", file, m.from)
	}
	broken := filepath.Join(dir, "broken.sql.tmpl")
	if err := os.WriteFile(broken, []byte(strings.Replace(string(text), m.from, m.to, 1)), 0o600); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {file: broken}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}

var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// lastFailure is the innermost test of the first that failed.
func lastFailure(out string) string {
	found := failure.FindAllStringSubmatch(out, -1)
	if len(found) == 0 {
		return ""
	}
	return found[len(found)-1][1]
}
