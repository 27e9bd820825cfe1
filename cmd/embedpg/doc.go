// Package embedpg starts throw-away Postgres servers for the demo and the
// tests: it finds the server's binaries or fetches them, keeps an initialised
// data directory as a template, and runs copies of it on a loopback port.
//
// A server lives no longer than the process that started it, however that
// process ends. The package never touches a server that it did not start. It is
// not for data that somebody wants to keep: fsync is off and anybody on the
// machine may connect.
package embedpg
