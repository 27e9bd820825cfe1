package fault_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/test/pgtest"
	"github.com/autocdc/autocdc/test/workload"
	"github.com/autocdc/autocdc/test/workload/service"
)

// A target whose disk is full is waited for.
func TestRun_WaitsWhileTheDiskOfTheTargetIsFull(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t, embedpg.Options{InMemory: true})
	disk := smallDisk(t, server)
	if disk == "" {
		return
	}
	source := pgtest.Database(t)
	pgtest.Exec(t, server.DSN("postgres"), fmt.Sprintf("CREATE TABLESPACE small LOCATION '%s'", disk), "CREATE DATABASE dw TABLESPACE small")
	target := server.DSN("dw")
	pgtest.Exec(t, source, "CREATE TABLE marker (n int PRIMARY KEY, body text); INSERT INTO marker VALUES (1, '')")
	pgtest.Exec(t, target, workload.Schemas())
	s := service.New(t, service.Config{Pipeline: "disk", Sources: map[string]string{"shop": source}, Target: target}, onlyMarker)
	p := s.Start()
	arrived(t, p, target, 1)
	pgtest.Exec(t, target, "CREATE TABLE hog (body text); ALTER TABLE hog ALTER body SET STORAGE EXTERNAL")
	for size := 1 << 20; size > 1000; size /= 2 { // until not even a page fits
		for _, err := tryRows(target, fmt.Sprintf("INSERT INTO hog VALUES (repeat('x', %d))", size)); err == nil; {
			_, err = tryRows(target, fmt.Sprintf("INSERT INTO hog VALUES (repeat('x', %d))", size))
		}
	}
	pgtest.Exec(t, source, "INSERT INTO marker SELECT i, repeat('x', 1000) FROM generate_series(2, 3000) AS i")
	pgtest.Eventually(t, time.Minute, func() error {
		if !strings.Contains(p.Log(), "No space left on device") {
			return fmt.Errorf("the disk does not seem to be full:\n%s", p.Log())
		}
		return nil
	})
	pgtest.Exec(t, target, "DROP TABLE hog")
	arrived(t, p, target, 3000)
	if r := p.Interrupt(); r.Code != 0 || strings.Contains(r.Stderr, "flow stopped") {
		t.Errorf("%v", r)
	}
	if got := fmt.Sprint(pgtest.Rows(t, target, "SELECT count(*), count(DISTINCT n) FROM hist.marker")); got != "[[3000 3000]]" {
		t.Errorf("versions and keys: %s", got)
	}
}

// smallDisk mounts a file system of 24 MB that is the server's; without the right to
// mount it returns "".
func smallDisk(t *testing.T, server *embedpg.Server) string {
	t.Helper()
	data, err := os.Stat(filepath.Join(server.Dir(), "data"))
	if err != nil {
		t.Fatal(err)
	}
	owner := data.Sys().(*syscall.Stat_t)
	dir, err := os.MkdirTemp("/tmp", "autocdc-disk-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	disk := filepath.Join(dir, "disk")
	if err := os.Mkdir(disk, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=24m,uid=%d,gid=%d", owner.Uid, owner.Gid), "tmpfs", disk).CombinedOutput(); err != nil {
		t.Logf("a full disk is tested only where a file system may be mounted: %v: %s", err, out)
		return ""
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", disk).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	return disk
}
