package embedpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// fetchAPT downloads the distribution's packages with state directories of our
// own and unpacks them in our cache, which works without being root and leaves
// the system as it was: no service, no cluster.
func fetchAPT(ctx context.Context, version int, cache string, log io.Writer) error {
	for _, name := range []string{"apt-get", "dpkg"} {
		if _, err := exec.LookPath(name); err != nil {
			return fmt.Errorf("fetch Postgres by apt-get: %w", errNoClient)
		}
	}
	pkg := "postgresql"
	if version != 0 {
		pkg += "-" + strconv.Itoa(version)
	}
	dir, remove, err := scratch(cache)
	if err != nil {
		return err
	}
	defer remove()
	fmt.Fprintf(log, "embedpg: fetching %s by apt-get into %s (nothing is installed)\n", pkg, cache)
	if err := aptDownload(ctx, dir, pkg); err != nil {
		return fmt.Errorf("fetch Postgres by apt-get: %w", err)
	}
	root := filepath.Join(dir, "root")
	if err := aptUnpack(ctx, dir, root); err != nil {
		return fmt.Errorf("fetch Postgres by apt-get: %w", err)
	}
	if !anyFits(root, version) {
		return fmt.Errorf("fetch Postgres by apt-get: %s of this distribution is not %s", pkg, wanted(version))
	}
	if err := ensureZones(ctx, dir, log); err != nil {
		return fmt.Errorf("fetch Postgres by apt-get: %w", err)
	}
	return os.Rename(root, filepath.Join(cache, "apt-"+pkg))
}

// ensureZones cares for the one thing that the distribution's server looks for
// at a fixed place, which a minimal system may lack.
func ensureZones(ctx context.Context, dir string, log io.Writer) error {
	if _, err := os.Stat("/usr/share/zoneinfo"); err == nil {
		return nil
	}
	if os.Geteuid() != 0 {
		return errors.New("the server needs /usr/share/zoneinfo: install tzdata as root")
	}
	fmt.Fprintln(log, "embedpg: installing tzdata by apt-get")
	_, updateErr := run(ctx, dir, "apt-get", "update", "-qq")
	_, err := run(ctx, dir, "apt-get", "install", "-qq", "-y", "--no-install-recommends", "tzdata")
	if err != nil {
		return errors.Join(updateErr, err)
	}
	return nil
}

// aptDownload lets apt-get choose what is missing on this machine.
func aptDownload(ctx context.Context, dir, pkg string) error {
	for _, d := range []string{"state", "lists/partial", "cache/archives/partial"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			return err
		}
	}
	apt := func(command ...string) error {
		_, err := run(ctx, dir, "apt-get", append([]string{
			"-o", "Debug::NoLocking=1",
			"-o", "APT::Sandbox::User=",
			"-o", "Dir::State=" + filepath.Join(dir, "state"),
			"-o", "Dir::State::lists=" + filepath.Join(dir, "lists"),
			"-o", "Dir::State::status=/var/lib/dpkg/status",
			"-o", "Dir::Cache=" + filepath.Join(dir, "cache"),
		}, command...)...)
		return err
	}
	return errors.Join(apt("update", "-qq"), apt("install", "-qq", "-y", "--download-only", "--no-install-recommends", pkg))
}

func aptUnpack(ctx context.Context, dir, root string) error {
	if err := os.Mkdir(root, 0o755); err != nil {
		return err
	}
	archives, err := filepath.Glob(filepath.Join(dir, "cache/archives/*.deb"))
	if err != nil {
		return err
	}
	for _, deb := range archives {
		if _, err := run(ctx, dir, "dpkg", "-x", deb, root); err != nil {
			return err
		}
	}
	return nil
}

func anyFits(root string, version int) bool {
	dirs, _ := filepath.Glob(filepath.Join(root, aptBin))
	for _, dir := range dirs {
		if bin, err := inspect(dir); err == nil && bin.fits(version) {
			return true
		}
	}
	return false
}

// aptBin is where the unpacked packages have the server's binaries.
const aptBin = "usr/lib/postgresql/*/bin"

// aptLibDir returns where the libraries are that were unpacked along with the
// binaries in dir; empty for an installed server.
func aptLibDir(dir string) string {
	root := filepath.Join(dir, "../../../../..")
	if root == "/" {
		return ""
	}
	libs, _ := filepath.Glob(filepath.Join(root, "usr/lib/*-linux-gnu"))
	if len(libs) == 0 {
		return ""
	}
	return libs[0]
}
