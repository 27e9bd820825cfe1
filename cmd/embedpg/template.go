package embedpg

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// templateFormat changes with what initTemplate does.
const templateFormat = 2

// copyTemplate makes a data directory as a copy of one that initdb made once for
// this version and user: a copy is quick, initdb is not.
func copyTemplate(ctx context.Context, bin Binaries, user runAs, dataDir string, log io.Writer) error {
	template, err := ensureTemplate(ctx, bin, user, log)
	if err != nil {
		return err
	}
	args := []string{"-a", template, dataDir}
	if runtime.GOOS == "linux" {
		args = append([]string{"--reflink=auto"}, args...)
	}
	out, err := exec.CommandContext(ctx, "cp", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("copy data directory: %w: %s", err, out)
	}
	return renew(dataDir)
}

// ensureTemplate returns the template's data directory. Of several processes
// that find none, one makes it and the others wait.
func ensureTemplate(ctx context.Context, bin Binaries, user runAs, log io.Writer) (string, error) {
	templates, err := cacheDir("templates")
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("%s-%d-%08x-%d", bin.Version, user.uid, crc32.ChecksumIEEE([]byte(bin.Dir)), templateFormat)
	template := filepath.Join(templates, name)
	unlock, err := lockFile(template + ".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(template); err == nil {
		return template, nil
	}
	fmt.Fprintf(log, "embedpg: initdb of Postgres %s into %s\n", bin.Version, template)
	making := template + ".new"
	if err := os.RemoveAll(making); err != nil {
		return "", err
	}
	if err := initTemplate(ctx, bin, user, making); err != nil {
		return "", errors.Join(err, os.RemoveAll(making))
	}
	return template, os.Rename(making, template)
}

func initTemplate(ctx context.Context, bin Binaries, user runAs, dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	if err := errors.Join(user.own(dir), user.reaches(dir)); err != nil {
		return err
	}
	if err := initdb(ctx, bin, user, dir, "C.UTF-8"); err != nil {
		if fallbackErr := initdb(ctx, bin, user, dir, "C"); fallbackErr != nil {
			return errors.Join(err, fallbackErr)
		}
	}
	conf, err := os.OpenFile(filepath.Join(dir, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = conf.WriteString("\ninclude_if_exists = 'embedpg.conf'\n")
	return errors.Join(err, conf.Close())
}

func initdb(ctx context.Context, bin Binaries, user runAs, dir, locale string) error {
	cmd := bin.command(ctx, user, filepath.Dir(dir), "initdb", "-D", dir, "-U", "postgres",
		"--auth=trust", "--encoding=UTF8", "--locale="+locale, "--no-sync", "--no-instructions")
	cmd.Env = append(cmd.Env, "TZ=UTC")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb --locale=%s: %w: %s", locale, err, strings.TrimSpace(string(out)))
	}
	return nil
}
