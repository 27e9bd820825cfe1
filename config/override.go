package config

import (
	"fmt"
	"slices"
	"strings"
)

const sourcePrefix = "AUTOCDC_SOURCE_"

func sourceVariable(name string) string { return sourcePrefix + strings.ToUpper(name) }

// AddSources adds the sources that only the environment names; environ is that
// of os.Environ. AUTOCDC_SOURCE_SHOP is the source shop.
func (c *Config) AddSources(environ []string) error {
	for _, entry := range environ {
		variable, dsn, _ := strings.Cut(entry, "=")
		name, found := strings.CutPrefix(variable, sourcePrefix)
		if !found || dsn == "" {
			continue
		}
		name = strings.ToLower(name)
		if err := c.checkSource(name); err != nil {
			return fmt.Errorf("read environment variable %s: %w", variable, err)
		}
		c.Sources[name] = DSN(dsn)
	}
	return nil
}

// Override applies the flags --target and --source NAME=DSN, which win over
// environment and file. Empty values change nothing.
func (c *Config) Override(target string, sources []string) error {
	if target != "" {
		c.Target = DSN(target)
	}
	given := map[string]bool{}
	for _, s := range sources {
		name, dsn, err := splitSource(s)
		if err != nil {
			return err
		}
		if err := c.checkSource(name); err != nil {
			return fmt.Errorf("read flag --source: %w", err)
		}
		if given[name] {
			return fmt.Errorf("read flag --source: source %s is given twice", name)
		}
		given[name] = true
		c.Sources[name] = DSN(dsn)
	}
	return nil
}

// splitSource takes NAME=DSN apart. It says so if the name was forgotten, and
// never shows what may be a password.
func splitSource(s string) (name, dsn string, err error) {
	name, dsn, found := strings.Cut(s, "=")
	if found && isURL(dsn) && isAlmostName(name) {
		return "", "", fmt.Errorf("read flag --source: invalid source name %q: %s", name, nameRule)
	}
	if !found || !isName(name) || isKeyword(name) && !isURL(dsn) {
		return "", "", fmt.Errorf("read flag --source %s: expected NAME=DSN, as in --source shop=postgres://…", Redact(s))
	}
	if strings.TrimSpace(dsn) == "" {
		return "", "", fmt.Errorf("read flag --source: source %s has an empty DSN", name)
	}
	return name, dsn, nil
}

// isKeyword says whether name=… is rather the beginning of a connection string.
func isKeyword(name string) bool {
	return slices.Contains([]string{"host", "hostaddr", "port", "user", "dbname", "password", "service", "sslmode"}, name)
}
