// Command bench measures autocdc beside what a user would take instead: native
// logical replication, and native replication with a row trigger that keeps a
// history. All sides read the same backlog from the same source server into
// databases of the same target server, one after the other, in rounds whose order
// alternates; it prints medians and their ratios and writes them as JSON.
//
// docs/benchmarks.md explains the method and has the figures; `make bench` runs it.
package main
