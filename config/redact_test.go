package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/config"
)

func TestRedact(t *testing.T) {
	t.Parallel()
	for dsn, want := range map[string]string{
		"":                                               "",
		"postgres://db/shop":                             "postgres://db/shop",
		"postgres://u@db:5432/shop":                      "postgres://u@db:5432/shop",
		"postgres://u:pw@db:5432/s":                      "postgres://u:***@db:5432/s",
		"postgresql://u:@db":                             "postgresql://u:***@db",
		"mysql://u:pw@db:3306/s":                         "mysql://u:***@db:3306/s",
		"postgres://:pw@db":                              "postgres://:***@db",
		"postgres://u:a:b@c@db/s":                        "postgres://u:***@db/s",
		"postgres://u:a/b@db/s":                          "postgres://u:***",
		"postgres://u:a?b@db/s":                          "postgres://u:***",
		"postgres://u:a%zzb@db:x/s":                      "postgres://u:***@db:x/s",
		"postgres://u:pw":                                "postgres://u:***",
		"postgres://h1:1,h2:2/s":                         "postgres://h1:1,h2:2/s",
		"postgres://[::1]:5432/s":                        "postgres://[::1]:5432/s",
		"postgres://h/s?password=pw":                     "postgres://h/s?password=***",
		"postgres://h/s?sslmode=x&Password=p%20w&user=u": "postgres://h/s?sslmode=x&Password=***&user=u",
		"postgres://h/s?pass%77ord=pw&user=u":            "postgres://h/s?pass%77ord=***&user=u",
		"postgres://h/s?password=p&w":                    "postgres://h/s?password=***&***",
		"postgres://u@h/s?password=a@b&user=u":           "postgres://u@h/s?password=***&user=u",
		"postgres://u:x@h/s?password=a@b":                "postgres://u:***",
		"postgres://u:p@h/s?sslpassword=q":               "postgres://u:***@h/s?***",
		"host=h password=pw user=u":                      "host=h password=*** user=u",
		"host = h password = 'p w' user=u":               "host = h password = *** user=u",
		`host=h password='a\'b c' user=u`:                "host=h password=*** user=u",
		`password=a\ b host=h`:                           "password=*** host=h",
		"password='open host=h":                          "***",
		"host=h password=my pw user=u":                   "host=h password=*** ***",
		"password='a'b host=h":                           "***",
		"password=a=b host=h":                            "password=*** host=h",
		"password=a b=c host=h":                          "password=*** *** host=h",
		"PASSWORD=a host=h":                              "*** host=h",
		"password=x://a@b host=h":                        "password=*** host=h",
		"host=h password=":                               "host=h password=***",
		"hunter2":                                        "***",
		"u:pw@db":                                        "***",
		" postgres://u:pw@h":                             " postgres://u:***@h",
	} {
		if got := config.Redact(dsn); got != want {
			t.Errorf("%q: %q, want %q", dsn, got, want)
		}
	}
}

func TestDSN_HidesItsPasswordEverywhere(t *testing.T) {
	t.Parallel()
	dsn := config.DSN("postgres://u:s3cret@h/db")
	c := config.Config{Target: dsn, Sources: map[string]config.DSN{"a": dsn}}
	asJSON, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "dsn", dsn, "config", c)
	for _, text := range []string{fmt.Sprintf("%v %+v %#v %s %q", c, c, c, c, dsn), string(asJSON), log.String()} {
		if strings.Contains(text, "s3cret") || !strings.Contains(text, "u:***@h") {
			t.Error(text)
		}
	}
}

func TestScrub_CleansErrorsThatQuoteTheirInput(t *testing.T) {
	t.Parallel()
	for _, dsn := range []string{
		"postgres://u:s3cret@h:port/db", "postgres://u:s3cret\x7f@h/db", "postgres://u:s3cret\"\n@h/db", "postgres://u:%zzs3cret@h/db",
		"postgres://u:s3cret@[h/db", "postgres://u:s3cret", ":s3cret",
	} {
		_, err := url.Parse(dsn)
		if err == nil {
			t.Fatalf("%q parses", dsn)
		}
		if text := config.Scrub(err.Error(), dsn); strings.Contains(text, "s3cret") {
			t.Errorf("%q: %s", dsn, text)
		}
	}
	if got := config.Scrub("password s p is wrong", `host=h password='s p'`); got != "password *** is wrong" {
		t.Error(got)
	}
	if got := config.Scrub("text", ""); got != "text" {
		t.Error(got)
	}
}

// FuzzRedact puts a password into every form, escaped as it should be and not,
// and looks for it.
func FuzzRedact(f *testing.F) {
	for _, s := range []string{"secret", "a@b:c/d?e#f", "x y", "'q'", `\`, "a=b", "a&b", "%41"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		const mark = "S3CRET"
		config.Redact(s)
		pw := mark + s + mark
		kv := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(pw)
		for _, dsn := range []string{
			"postgres://u:" + pw + "@h:1/db?sslmode=require", "postgres://u:" + url.QueryEscape(pw) + "@h/db",
			"postgres://h/db?password=" + url.QueryEscape(pw) + "&user=u", "host=h password='" + kv + "' user=u",
		} {
			if got := config.Redact(dsn); strings.Contains(got, mark) {
				t.Errorf("%q: %q", dsn, got)
			}
		}
	})
}
