// Package workload writes to a source database at random, from a seed, and
// remembers what the source held after each transaction, so that current and
// history tables can be checked against it. It knows nothing of the service:
// only source and target databases.
package workload
