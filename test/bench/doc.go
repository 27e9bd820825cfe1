// Package bench measures what whole runs of the binary cost, each beside the plain
// work that it is compared with, on the same servers in the same run.
package bench
