package embedpg

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// defaults suit a server that replicates a lot and holds nothing of value. The
// time zone is initdb's, which was told UTC.
func defaults() map[string]string {
	return map[string]string{
		"fsync":                   "off",
		"listen_addresses":        "127.0.0.1",
		"max_connections":         "300",
		"max_replication_slots":   "200",
		"max_wal_senders":         "40",
		"max_wal_size":            "4GB",
		"shared_buffers":          "128MB",
		"unix_socket_directories": "",
		"wal_level":               "logical",
	}
}

// writeSettings writes embedpg.conf, which postgresql.conf includes at its end;
// ALTER SYSTEM still has the last word.
func writeSettings(dataDir string, user runAs, port int, settings map[string]string) error {
	all := defaults()
	maps.Copy(all, settings)
	if _, ok := settings["port"]; !ok {
		all["port"] = strconv.Itoa(port)
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&text, "%s = '%s'\n", name, strings.ReplaceAll(all[name], "'", "''"))
	}
	file := filepath.Join(dataDir, "embedpg.conf")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		return err
	}
	return user.own(file)
}

// freePort looks for a free port below the range that outgoing connections use:
// there nobody takes it while the server is down, and a client that reconnects
// cannot meet itself.
func freePort() (int, error) {
	const low, high = 15000, 32000
	var lastErr error
	for range 100 {
		port := low + rand.IntN(high-low)
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			return port, l.Close()
		}
		lastErr = err
	}
	return 0, fmt.Errorf("find a free port: %w", lastErr)
}

func pathEscape(database string) string { return url.PathEscape(database) }
