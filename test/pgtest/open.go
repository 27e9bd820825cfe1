package pgtest

import (
	"context"
	"os"

	"github.com/autocdc/autocdc/cmd/embedpg"
)

// open starts a shared server of the kind that the environment asks for.
func open(ctx context.Context, version int) (server, error) {
	return embedpg.Start(ctx, embedpg.Options{Version: version, Log: os.Stderr})
}
