// Package connect holds tests of the ways to reach a server: TLS, passwords, sockets,
// several hosts, services, poolers. The tests use the built binary.
package connect
