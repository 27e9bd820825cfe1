package mariadb

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// The files of the server's TLS in its directory.
const (
	certFile = "server.crt"
	keyFile  = "server.key"
)

func (s *server) certificate() string { return filepath.Join(s.dir, certFile) }

// writeCertificate makes one that vouches for itself, for 127.0.0.1 only.
func writeCertificate(dir string, user runAs) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "autocdc test"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return errors.Join(
		writePEM(filepath.Join(dir, certFile), "CERTIFICATE", cert, user),
		writePEM(filepath.Join(dir, keyFile), "PRIVATE KEY", secret, user),
	)
}

func writePEM(file, kind string, bytes []byte, user runAs) error {
	text := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes})
	return errors.Join(os.WriteFile(file, text, 0o600), user.own(file))
}
