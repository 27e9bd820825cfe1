package mariadb

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/autocdc/autocdc/test/debian"
)

// templateFormat changes with what bootstrap does.
const templateFormat = 1

// accounts are who may connect to the shared server: anybody on this machine.
const accounts = `FLUSH PRIVILEGES;
CREATE USER test@'%' IDENTIFIED BY 'test';
GRANT ALL ON *.* TO test@'%' WITH GRANT OPTION;
`

// ensureTemplate returns a data directory that was set up once for this server
// and user: a copy is quick, making one is not. Of several processes that find
// none, one makes it and the others wait.
func ensureTemplate(ctx context.Context, bin binaries, user runAs, log io.Writer) (string, error) {
	templates, err := debian.Cache("templates")
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("mariadb-%s-%d-%08x-%d",
		bin.version, user.uid, crc32.ChecksumIEEE([]byte(bin.program)), templateFormat)
	template := filepath.Join(templates, name)
	unlock, err := debian.Lock(template + ".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(template); err == nil {
		return template, nil
	}
	fmt.Fprintf(log, "mariadb: making the system tables of MariaDB %s in %s\n", bin.version, template)
	making := template + ".new"
	if err := errors.Join(os.RemoveAll(making), user.makeDir(making)); err != nil {
		return "", err
	}
	if err := bootstrap(ctx, bin, user, making); err != nil {
		return "", errors.Join(err, os.RemoveAll(making))
	}
	return template, os.Rename(making, template)
}

// bootstrap does what mariadb-install-db does, which needs programs that the
// package with the server lacks: it has a server without network run the SQL that
// makes the system tables.
func bootstrap(ctx context.Context, bin binaries, user runAs, dir string) error {
	tables := "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket = NULL;\n"
	for _, name := range []string{"system_tables", "performance_tables", "system_tables_data"} {
		files, err := filepath.Glob(filepath.Join(bin.share, "*_"+name+".sql"))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("find %s in %s: %w", name, bin.share, errors.Join(err, os.ErrNotExist))
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			return err
		}
		tables += string(text) + "\n"
	}
	for _, sql := range []string{tables, accounts} { // the accounts need the tables of a server before
		cmd := bin.command(ctx, user, append(settings(bin, dir), "--bootstrap")...)
		cmd.Stdin = strings.NewReader(sql)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("make system tables: %w: %s", err, tail(out))
		}
	}
	return nil
}

// settings suit a small server that holds nothing of value.
func settings(bin binaries, dir string) []string {
	return []string{
		"--datadir=" + dir,
		"--basedir=" + filepath.Dir(filepath.Dir(bin.share)),
		"--lc-messages-dir=" + bin.share,
		"--character-set-server=utf8mb4",
		"--innodb-buffer-pool-size=32M",
		"--innodb-log-file-size=32M",
		"--innodb-flush-log-at-trx-commit=0",
		"--innodb-use-native-aio=0",
		"--aria-pagecache-buffer-size=8M",
		"--key-buffer-size=1M",
		"--max-allowed-packet=64M",
		"--performance-schema=OFF",
	}
}

func tail(log []byte) string {
	const most = 2000
	return strings.TrimSpace(string(log[max(0, len(log)-most):]))
}
