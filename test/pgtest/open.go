package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/autocdc/autocdc/cmd/embedpg"
)

// envServers forces one kind of server, "local" or "docker".
const envServers = "AUTOCDC_TEST_SERVERS"

// open starts a shared server of the kind that the environment asks for; without
// a wish the quickest that works.
func open(ctx context.Context, version int) (server, error) {
	switch kind := os.Getenv(envServers); kind {
	case "local":
		return openLocal(ctx, version)
	case "docker":
		return openContainer(ctx, version)
	case "":
	default:
		return nil, fmt.Errorf("%s=%q: want local or docker", envServers, kind)
	}
	if _, err := embedpg.Find(version); errors.Is(err, embedpg.ErrNotFound) && engineAnswers(ctx) {
		return openContainer(ctx, version)
	}
	return openLocal(ctx, version)
}

// openLocal fetches binaries if there are none.
func openLocal(ctx context.Context, version int) (server, error) {
	s, err := embedpg.Start(ctx, embedpg.Options{
		Version:  version,
		InMemory: true,
		Settings: map[string]string{"max_wal_size": "512MB"},
		Log:      os.Stderr,
	})
	if err != nil {
		return nil, err // not s: a nil *Server would be a server that is not nil
	}
	return s, nil
}
