// Command autocdc keeps tables of a target Postgres current from other Postgres
// servers, as flow files declare it. It is a thin user of the package autocdc: a
// file a command, and no logic of replication.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal kills
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
