package config_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/autocdc/autocdc/config"
)

func empty() *config.Config {
	return &config.Config{Pipeline: "p", Sources: map[string]config.DSN{"shop": "old"}, Target: "old"}
}

func TestOverride(t *testing.T) {
	t.Parallel()
	c := empty()
	if err := c.Override("new", []string{"shop=host=h password=x", "host=postgres://a?b=c"}); err != nil {
		t.Fatal(err)
	}
	want := map[string]config.DSN{"shop": "host=h password=x", "host": "postgres://a?b=c"}
	if !maps.Equal(c.Sources, want) || c.Target != "new" {
		t.Errorf("%v %v", c.Sources, c.Target)
	}
	if err := c.Override("", nil); err != nil || c.Target != "new" {
		t.Error(err)
	}
}

func TestOverride_Faults(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string]string{
		"postgres://u:s3cret@h/db":           "read flag --source postgres://u:***@h/db: expected NAME=DSN, as in --source shop=postgres://…",
		"postgres://u:s3cret@h/db?sslmode=x": "read flag --source postgres://u:***@h/db?sslmode=x: expected NAME=DSN, as in --source shop=postgres://…",
		"host=h password=s3cret":             "read flag --source host=h password=***: expected NAME=DSN, as in --source shop=postgres://…",
		"s3cret":                             "read flag --source ***: expected NAME=DSN, as in --source shop=postgres://…",
		"My-Shop=postgres://u:s3cret@h/db":   `read flag --source: invalid source name "My-Shop": use the letters a to z, digits and _`,
		"shop=":                              "read flag --source: source shop has an empty DSN",
		strings.Repeat("x", 62) + "=a":       "read flag --source: name the slot p_" + strings.Repeat("x", 62) + ": longer than 63 bytes; shorten the name of the pipeline or of the source",
	} {
		if err := empty().Override("", []string{flag}); err == nil || err.Error() != want {
			t.Errorf("%s: %v", flag, err)
		}
	}
	if err := empty().Override("", []string{"a=b", "a=c"}); err == nil || err.Error() != "read flag --source: source a is given twice" {
		t.Error(err)
	}
}

func TestAddSources(t *testing.T) {
	t.Parallel()
	c := empty()
	err := c.AddSources([]string{"HOME=/", "AUTOCDC_SOURCE_CRM=host=a", "AUTOCDC_SOURCE_SHOP=new", "AUTOCDC_SOURCE_NONE=", "AUTOCDC_TARGET=x"})
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]config.DSN{"shop": "new", "crm": "host=a"}; !maps.Equal(c.Sources, want) {
		t.Error(c.Sources)
	}
	err = c.AddSources([]string{"AUTOCDC_SOURCE_A-B=x"})
	if err == nil || err.Error() != `read environment variable AUTOCDC_SOURCE_A-B: invalid source name "a-b": use the letters a to z, digits and _` {
		t.Error(err)
	}
}

func TestParseWindow(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"48h": "48h0m0s", "7d": "168h0m0s", "90m": "1h30m0s", "Infinite": "infinite", "0s": "0s",
		"48": "", "-1h": "", "": "", "d": "", "1.5d": "", "-1d": "", "99999d": "", "infinity": "",
	} {
		w, err := config.ParseWindow(in)
		if (err != nil) != (want == "") || err == nil && w.String() != want {
			t.Errorf("%q: %v, %v", in, w, err)
		}
	}
}
