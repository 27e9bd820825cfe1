package connect_test

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/autocdc/autocdc/test/debian"
	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload/service"
)

// A pool in session mode works, also if it knows of none of our settings; in the
// other modes it is refused with the reason, before anything is made.
func TestRun_WritesThroughAPoolInSessionModeOnly(t *testing.T) {
	t.Parallel()
	for mode, refused := range map[string]string{"session": "", "transaction": "pooler in transaction mode", "statement": "pooler in statement mode"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
			pgtest.Exec(t, source, "CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)")
			pgtest.Exec(t, target, "CREATE SCHEMA w")
			s := service.New(t, service.Config{Pipeline: "pool", Sources: map[string]string{"shop": source}, Target: pool(t, target, mode)}, fmt.Sprintf(flow, "w"))
			for n := 1; n <= 3; n++ { // the pool has sessions of the first run
				r := s.TriggeredResult()
				if refused != "" {
					if r.Code == 0 || !strings.Contains(r.Stderr, refused) || !strings.Contains(r.Stderr, "session mode") {
						t.Errorf("want it refused: %v", r)
					}
					if got := pgtest.Rows(t, target, "SELECT FROM pg_namespace WHERE nspname = 'autocdc'"); len(got) != 0 {
						t.Error("something was made")
					}
					return
				}
				if r.Code != 0 {
					t.Fatal(r)
				}
				if got := pgtest.Rows(t, target, "SELECT id FROM w.t"); len(got) != n {
					t.Errorf("rows: %v, want %d", got, n)
				}
				pgtest.Exec(t, source, fmt.Sprintf("INSERT INTO t VALUES (%d)", n+1))
			}
		})
	}
}

// A source behind a pool is refused with the reason.
func TestCheck_RefusesASourceBehindAPool(t *testing.T) {
	t.Parallel()
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, "CREATE TABLE t (id int PRIMARY KEY)")
	pgtest.Exec(t, target, "CREATE SCHEMA w")
	s := service.New(t, service.Config{Pipeline: "pool", Sources: map[string]string{"shop": pool(t, source, "session")}, Target: target}, fmt.Sprintf(flow, "w"))
	if r := s.TriggeredResult(); r.Code == 0 || !strings.Contains(r.Stderr, "direct connection") {
		t.Errorf("want it refused: %v", r)
	}
}

// pool starts pgbouncer before a database and returns the DSN that leads through it.
func pool(t *testing.T, dsn, mode string) string {
	t.Helper()
	root, err := debian.Package(context.Background(), "pgbouncer", os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	_ = listener.Close()
	dir, err := os.MkdirTemp("/tmp", "autocdc-pool-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	ini := filepath.Join(dir, "pgbouncer.ini")
	text := fmt.Sprintf(`[databases]
* = host=%s port=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = any
pool_mode = %s
`, u.Hostname(), u.Port(), port, mode)
	if err := os.WriteFile(ini, []byte(strings.ReplaceAll(text, "* = ", "* = user=postgres ")), 0o644); err != nil {
		t.Fatal(err)
	}
	bouncer(t, root, ini)
	u.Host = net.JoinHostPort("127.0.0.1", port)
	pgtest.Eventually(t, 20*time.Second, func() error {
		conn, err := net.Dial("tcp", u.Host)
		if err == nil {
			err = conn.Close()
		}
		return err
	})
	return u.String()
}

// bouncer runs it as nobody: it refuses to be root.
func bouncer(t *testing.T, root, ini string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(root, "usr/sbin/pgbouncer"), "-q", ini)
	libs, err := filepath.Glob(filepath.Join(root, "usr/lib/*-linux-gnu"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Join(libs, ":"))
	cmd.Stderr = os.Stderr
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}
