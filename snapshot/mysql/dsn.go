package mysql

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	driver "github.com/go-sql-driver/mysql"
)

// connectTimeout bounds dialling and the handshake.
const connectTimeout = 30 * time.Second

// dsnForm is what the user is told to write. Errors about a DSN say no more of
// it, since any part may be one of a password with a character unescaped.
const dsnForm = "write mysql://user:password@host:3306/database?tls=true; " +
	"escape special characters of the password, as %40 for @ and %2F for /"

// parseDSN reads a URL of the scheme mysql or mariadb.
func parseDSN(dsn string) (*driver.Config, error) {
	u, err := url.Parse(dsn)
	if err != nil || u.Scheme != "mysql" && u.Scheme != "mariadb" || u.Opaque != "" || u.Fragment != "" {
		return nil, &HintError{Err: errors.New("read dsn: not a MySQL URL"), Hint: dsnForm}
	}
	cfg := driver.NewConfig()
	cfg.User = u.User.Username()
	cfg.Passwd, _ = u.User.Password()
	cfg.DBName = strings.TrimPrefix(u.Path, "/")
	if strings.Contains(cfg.DBName, "/") {
		return nil, &HintError{Err: errors.New("read dsn: more than a database after the host"), Hint: dsnForm}
	}
	cfg.Net, cfg.Addr = "tcp", address(u)
	cfg.Timeout = connectTimeout
	if err := cfg.Apply(driver.Charset("utf8mb4", "")); err != nil {
		return nil, err
	}
	return cfg, applyOptions(cfg, u)
}

// address is host and port, with the defaults of the client programs.
func address(u *url.URL) string {
	host, port := u.Hostname(), u.Port()
	if host == "" {
		host = "127.0.0.1"
	}
	if port == "" {
		port = "3306"
	}
	return net.JoinHostPort(host, port)
}

// applyOptions reads what stands behind the question mark.
func applyOptions(cfg *driver.Config, u *url.URL) error {
	options, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return &HintError{Err: errors.New("read dsn: options are not name=value&name=value"), Hint: dsnForm}
	}
	for name := range options {
		switch name {
		case "tls", "tls-ca":
		case "socket":
			cfg.Net, cfg.Addr = "unix", options.Get(name)
		default:
			return &HintError{
				Err:  fmt.Errorf("read dsn: unknown option %q", name),
				Hint: "the options are tls, tls-ca and socket",
			}
		}
	}
	return applyTLS(cfg, u.Hostname(), options.Get("tls"), options.Get("tls-ca"))
}

// applyTLS sets what an option tls=mode asks for. The default is that of libpq
// and of MySQL's own clients: encrypted if the server can, to whomever.
func applyTLS(cfg *driver.Config, host, mode, ca string) error {
	if mode == "" && ca != "" {
		mode = "true"
	}
	switch mode {
	case "false":
	case "", "preferred":
		if cfg.Net == "unix" {
			return nil
		}
		cfg.TLS = &tls.Config{InsecureSkipVerify: true}
		cfg.AllowFallbackToPlaintext = true
	case "skip-verify":
		cfg.TLS = &tls.Config{InsecureSkipVerify: true}
	case "true":
		cfg.TLS = &tls.Config{ServerName: host}
	default:
		return &HintError{
			Err:  fmt.Errorf("read dsn: unknown tls mode %q", mode),
			Hint: "the modes are false, preferred, skip-verify and true",
		}
	}
	if ca == "" {
		return nil
	}
	if mode != "true" {
		return &HintError{Err: fmt.Errorf("read dsn: tls-ca with tls=%s, which verifies nothing", mode), Hint: "write tls=true"}
	}
	return trust(cfg.TLS, ca)
}

// trust makes the authorities of a PEM file the only ones.
func trust(cfg *tls.Config, file string) error {
	pem, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read tls-ca: %w", err)
	}
	cfg.RootCAs = x509.NewCertPool()
	if !cfg.RootCAs.AppendCertsFromPEM(pem) {
		return fmt.Errorf("read tls-ca: %s holds no certificate in PEM form", file)
	}
	return nil
}
