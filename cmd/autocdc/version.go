package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// version and commit are set by the linker (see the Makefile); otherwise Go's own
// build information is shown.
var version, commit string

type versionCmd struct{}

// Run implements the command.
func (versionCmd) Run(out output) error {
	version, commit := buildInfo()
	fmt.Fprintf(out.out, "autocdc %s\ncommit %s\n%s %s/%s\nsources: Postgres 14 to 18\ntargets: Postgres 15 to 18\n",
		version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// buildInfo returns the version and the commit that the binary was built from.
func buildInfo() (string, string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return cmp.Or(version, "unknown"), cmp.Or(commit, "unknown")
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	built := cmp.Or(settings["vcs.revision"], "unknown")
	if settings["vcs.modified"] == "true" {
		built += " (modified)"
	}
	return cmp.Or(version, info.Main.Version), cmp.Or(commit, built)
}
