package embedpg

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// envChild makes the test binary start a server and wait to be killed.
const envChild = "EMBEDPG_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(envChild) == "" {
		os.Exit(m.Run())
	}
	s, err := Start(context.Background(), Options{Log: os.Stderr})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(s.PID(), s.Dir())
	select {}
}

func start(t *testing.T, opts Options) *Server {
	t.Helper()
	began := time.Now()
	s, err := Start(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("Postgres %s from %s started in %s", s.Binaries().Version, s.Binaries().Dir, time.Since(began))
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStart_ServersAreDistinct(t *testing.T) {
	t.Parallel()
	a, b := start(t, Options{}), start(t, Options{})
	if a.Port() == b.Port() || systemIdentifier(t, a) == systemIdentifier(t, b) {
		t.Errorf("two servers share port or identity: %s, %s", a.DSN("postgres"), b.DSN("postgres"))
	}
}

func systemIdentifier(t *testing.T, s *Server) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dataDir(), "global", "pg_control"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text[:8])
}

func TestServer_ComesBackFromEveryEnd(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	ends := map[string]func() error{
		"smart":     func() error { return s.Stop(Smart) },
		"fast":      func() error { return s.Stop(Fast) },
		"immediate": func() error { return s.Stop(Immediate) },
		"kill":      s.Kill,
	}
	for name, end := range ends {
		pid := s.PID()
		if err := end(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if alive(pid) || s.PID() != 0 {
			t.Fatalf("%s: postmaster %d is still there", name, pid)
		}
		if err := s.Start(context.Background()); err != nil {
			t.Fatalf("start after %s: %v", name, err)
		}
	}
}

func TestStart_NamedDirIsKeptAndUsedAgain(t *testing.T) {
	t.Parallel()
	parent, err := tempParent(runAs{switched: true}, false)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(parent, "embedpg-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { // the server's user has to enter it
		t.Fatal(err)
	}
	first := start(t, Options{Dir: dir})
	id := systemIdentifier(t, first)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if second := start(t, Options{Dir: dir}); systemIdentifier(t, second) != id {
		t.Error("the second start made another data directory")
	}
}

func TestStart_SaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	_, err := Start(context.Background(), Options{Settings: map[string]string{"wal_level": "nonsense"}})
	if err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("got %v, want the server's own complaint", err)
	}
}

func TestServer_DiesWithItsProcess(t *testing.T) {
	t.Parallel()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), envChild+"=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	_ = child.Process.Kill()
	_ = child.Wait()
	var pid int
	var dir string
	if _, err := fmt.Sscan(line, &pid, &dir); err != nil {
		t.Fatalf("child said %q: %v", line, err)
	}
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for exists(dir) || syscall.Kill(pid, 0) == nil {
		select {
		case <-deadline:
			t.Fatalf("server %d or its directory %s outlived its process", pid, dir)
		case <-tick.C:
		}
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func TestBinaries_CommandRunsWhatIsThere(t *testing.T) {
	t.Parallel()
	bin, err := FindOrFetch(context.Background(), 0, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	cmd, err := bin.Command(context.Background(), "initdb", "--version")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := cmd.Output(); err != nil || !strings.Contains(string(out), bin.Version) {
		t.Errorf("initdb --version: %q, %v", out, err)
	}
	if _, err := bin.Command(context.Background(), "no_such_program"); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("a program that is not there: %v, want exec.ErrNotFound", err)
	}
}

func TestHydrate_StaysInside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "native"), 0o755); err != nil {
		t.Fatal(err)
	}
	list := `[{"source": "native/a.so.1", "target": "../escaped"}]`
	if err := os.WriteFile(filepath.Join(dir, "native", "pg-symlinks.json"), []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := hydrate(dir); err == nil {
		t.Error("a link outside of the package was made")
	}
}
