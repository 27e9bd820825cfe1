package connect_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// password has whatever a URL must escape.
const password = `s3#c/r?e%t@:`

const hba = `
local all all scram-sha-256
local replication all scram-sha-256
hostnossl all postgres 127.0.0.1/32 trust
hostnossl all postgres ::1/128 trust
host all scram 127.0.0.1/32 scram-sha-256
host all scram ::1/128 scram-sha-256
hostssl all scram all scram-sha-256
hostssl all certified all cert
`

// secured is a server with TLS, passwords and a socket, and what its clients need.
type secured struct {
	*embedpg.Server
	dir string // certificates and keys of clients
}

func newSecured(t *testing.T) *secured {
	t.Helper()
	s := &secured{Server: pgtest.Start(t, embedpg.Options{InMemory: true, Settings: map[string]string{
		"unix_socket_directories": ".", "listen_addresses": "127.0.0.1, ::1", "password_encryption": "scram-sha-256",
	}}), dir: t.TempDir()}
	ca := newAuthority(t, "test CA")
	ca.issue(t, "localhost", s.data("server"))
	ca.issue(t, "certified", filepath.Join(s.dir, "client"))
	write(t, filepath.Join(s.dir, "ca.crt"), ca.pem)
	write(t, filepath.Join(s.dir, "other.crt"), newAuthority(t, "other CA").pem)
	write(t, s.data("ca.crt"), ca.pem)
	write(t, s.data("pg_hba.conf"), []byte(hba))
	s.own(t, "server.crt", "server.key", "ca.crt", "pg_hba.conf")
	admin := s.DSN("postgres")
	pgtest.Exec(t, admin,
		"CREATE ROLE scram SUPERUSER REPLICATION LOGIN PASSWORD '"+password+"'", "CREATE ROLE certified SUPERUSER REPLICATION LOGIN",
		"CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)", "CREATE DATABASE dw")
	for name, value := range map[string]string{"ssl": "on", "ssl_cert_file": "server.crt", "ssl_key_file": "server.key", "ssl_ca_file": "ca.crt"} {
		pgtest.Exec(t, admin, fmt.Sprintf("ALTER SYSTEM SET %s = '%s'", name, value))
	}
	pgtest.Exec(t, admin, "SELECT pg_reload_conf()")
	pgtest.Eventually(t, 10*time.Second, func() error {
		if got := pgtest.Rows(t, admin, "SELECT count(*) FROM pg_hba_file_rules WHERE auth_method = 'cert'"); got[0][0] != "1" || pgtest.Rows(t, admin, "SHOW ssl")[0][0] != "on" {
			return fmt.Errorf("the server has not read its configuration: %v", got)
		}
		return nil
	})
	return s
}

func (s *secured) data(name string) string { return filepath.Join(s.Dir(), "data", name) }

// own gives files to the server's user.
func (s *secured) own(t *testing.T, names ...string) {
	t.Helper()
	info, err := os.Stat(s.data(""))
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	for _, name := range names {
		if err := os.Chown(s.data(name), int(owner.Uid), int(owner.Gid)); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{key: key, cert: &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}}
	a.pem = a.sign(t, a.cert, key)
	return a
}

func (a *authority) sign(t *testing.T, cert *x509.Certificate, key *ecdsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, cert, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// issue writes a certificate and its key to path.crt and path.key.
func (a *authority) issue(t *testing.T, name, path string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	cert := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour)}
	if strings.HasSuffix(path, "server") {
		cert.DNSNames, cert.IPAddresses = []string{name}, []net.IP{net.IPv6loopback}
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path+".crt", a.sign(t, cert, key))
	write(t, path+".key", pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}))
}
