package config

import (
	"fmt"
	"strings"
)

// nameMax is Postgres's limit for names, in bytes.
const nameMax = 63

const nameRule = "use the letters a to z, digits and _"

// isName says whether a replication slot may have the name.
func isName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// isAlmostName says whether somebody may have meant a name that is none.
func isAlmostName(s string) bool {
	return !isName(s) && isName(strings.NewReplacer("-", "", ".", "").Replace(strings.ToLower(s)))
}

// SlotName is the name of the slot and the publication for a source.
func (c *Config) SlotName(source string) string { return c.Pipeline + "_" + source }

// checkSource says what is wrong with a source's name.
func (c *Config) checkSource(name string) error {
	if !isName(name) {
		return fmt.Errorf("invalid source name %q: %s", name, nameRule)
	}
	if slot := c.SlotName(name); len(slot) > nameMax {
		return fmt.Errorf("name the slot %s: longer than %d bytes; shorten the name of the pipeline or of the source", slot, nameMax)
	}
	return nil
}
