package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionCmd struct{}

// Run implements the command.
func (versionCmd) Run(out output) error {
	version, commit := build()
	fmt.Fprintf(out.out, "autocdc %s\ncommit %s\n%s %s/%s\nsources: Postgres 14 to 18\ntargets: Postgres 15 to 18\n",
		version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// build returns the module's version and the commit it was built from.
func build() (version, commit string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown", "unknown"
	}
	settings := map[string]string{"vcs.revision": "unknown"}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit = settings["vcs.revision"]
	if settings["vcs.modified"] == "true" {
		commit += " (modified)"
	}
	return info.Main.Version, commit
}
