package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExecute_SaysWhatToTypeInstead needs no server: nothing gets that far.
func TestExecute_SaysWhatToTypeInstead(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "flows.sql")
	if err := os.WriteFile(file, []byte("CREATE STREAMNG TABLE x;"), 0o600); err != nil {
		t.Fatal(err)
	}
	const source = "--source=shop=postgres://127.0.0.1:9/shop"
	for _, c := range []struct {
		args string
		says []string
	}{
		{"rn", []string{"rn", `did you mean "run"?`}},
		{"run --trigered", []string{"--trigered", `did you mean "--triggered"?`}},
		{"check --log-level trace", []string{"trace", "hint:"}},
		{"check", []string{"check: find flow files", "on the command line"}},
		{"run", []string{"run: find flow files", "on the command line"}},
		{"refresh t --full --yes", []string{"refresh: find flow files", "--flows FILE"}},
		{"refresh t", []string{"--full is missing"}},
		{"check " + source + " " + file, []string{"check: connect to target", "--target DSN"}},
		{"status " + source, []string{"connect to target", "--target DSN"}},
		{"init", []string{"connect to source", "--source NAME=DSN"}},
		{"init " + source + " -o " + file, []string{"the file exists", "hint:"}},
		{"init --source=Shop=postgres://u:s3cret@127.0.0.1:9/shop", []string{`"Shop"`, "a to z"}},
		{"check -c none.yaml", []string{"none.yaml"}},
		{"check " + source + " --target=x none.sql", []string{`no file "none.sql"`, "autocdc init"}},
		{"refresh t --full --yes " + source + " --target=x --flows=" + file, []string{"refresh: 1 fault\n", "flows.sql:1:8: ", "STREAMING"}},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			if code := execute(context.Background(), strings.Fields(c.args), &stdout, &stderr); code != exitUsage {
				t.Errorf("exit code %d, want %d", code, exitUsage)
			}
			text := stderr.String()
			for _, part := range append(c.says, "autocdc: ") {
				if !strings.Contains(text, part) {
					t.Errorf("the message lacks %q:\n%s", part, text)
				}
			}
			if strings.Contains(text, "s3cret") || stdout.Len() > 0 {
				t.Errorf("got %s\n%s", text, stdout.String())
			}
		})
	}
}

func TestExecute_UnderstandsWhatOthersTeach(t *testing.T) {
	t.Parallel()
	for given, same := range map[string]string{"": "--help", "help": "--help", "help run": "run --help", "--version": "version"} {
		var got, want, stderr bytes.Buffer
		a := execute(context.Background(), strings.Fields(given), &got, &stderr)
		b := execute(context.Background(), strings.Fields(same), &want, &stderr)
		if a != exitDone || b != exitDone || got.String() != want.String() || got.Len() == 0 || stderr.Len() > 0 {
			t.Errorf("%q: %d, %d\n%s%s", given, a, b, got.String(), stderr.String())
		}
	}
}

func TestSummary_CountsFlowsAndComments(t *testing.T) {
	t.Parallel()
	text := "-- x\n\nCREATE STREAMING TABLE a;\nCREATE FLOW a …\n\n-- CREATE FLOW b …\n-- CREATE FLOW c …\n"
	if got := summary(text); !strings.HasPrefix(got, "1 flow, and 2 flows as comments") {
		t.Error(got)
	}
	if got := summary("\nCREATE FLOW a\nCREATE FLOW b\n"); got != "2 flows" {
		t.Error(got)
	}
}
