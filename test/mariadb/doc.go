// Package mariadb gives tests a real MariaDB server. One server is shared by the
// tests of a package, each in a database of its own, and started when the first
// of them asks; it ends with the test process, however that ends.
//
// The server is the mariadbd of this machine. Where there is none, Debian's
// package mariadb-server-core is fetched by apt-get and unpacked in our cache:
// nothing is installed, and being root is not needed. The data directory is a
// copy of a template in the cache, so that a start takes about a second.
//
// Without a server a test fails; it never skips.
package mariadb
