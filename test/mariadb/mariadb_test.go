package mariadb_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/autocdc/autocdc/test/mariadb"
	"github.com/autocdc/autocdc/test/pgtest"
)

func TestDatabase_IsFresh(t *testing.T) {
	t.Parallel()
	for range 2 {
		dsn := mariadb.Database(t)
		mariadb.Exec(t, dsn, "CREATE TABLE a (n int); INSERT INTO a VALUES (1), (NULL)")
		if got := mariadb.Value(t, dsn, "SELECT count(*) FROM a"); got != "2" {
			t.Errorf("got %s rows, want 2", got)
		}
	}
}

// envChild makes the test binary start a server and wait to be killed.
const envChild = "MARIADB_TEST_CHILD"

func TestServer_DiesWithItsProcess(t *testing.T) {
	t.Parallel()
	if os.Getenv(envChild) != "" {
		dsn := mariadb.Database(t)
		fmt.Println("PID", mariadb.Value(t, dsn, "SELECT @@pid_file"))
		select {}
	}
	child := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	child.Env = append(os.Environ(), envChild+"=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	file := pidFile(t, bufio.NewScanner(out))
	text, err := os.ReadFile(file)
	_ = child.Process.Kill()
	_ = child.Wait()
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	pgtest.Eventually(t, 20*time.Second, func() error {
		if _, err := os.Stat(file); err == nil {
			return fmt.Errorf("%s is still there", file)
		}
		if isRunning(pid) {
			return fmt.Errorf("server %d is still there", pid)
		}
		return nil
	})
}

// isRunning is false for a process that only waits to be reaped.
func isRunning(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) == nil
	}
	return !strings.Contains(string(stat), ") Z ")
}

func pidFile(t *testing.T, lines *bufio.Scanner) string {
	t.Helper()
	for lines.Scan() {
		if file, ok := strings.CutPrefix(lines.Text(), "PID "); ok {
			return file
		}
	}
	t.Fatal("the child started no server")
	return ""
}
