// Command autocdc keeps tables of a target Postgres current from other Postgres
// servers, as flow files declare it. It is a thin user of the package autocdc: a
// file a command, and no logic of replication.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// memoryLimit makes the collector work harder where a batch is large; what is
// needed at once is far less. GOMEMLIMIT wins.
const memoryLimit = 160 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal kills
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
