// Package autocdc replicates tables of Postgres sources into current (SCD type 1)
// and history (SCD type 2) tables of a Postgres target, as flow files in SQL
// declare it.
//
// Load reads configuration and flow files into a Pipeline. Pipeline.Check
// compares it with the catalogs of all databases and reports every fault at
// once, changing nothing. Pipeline.Run makes what is missing (slots,
// publications, targets), copies, and follows the sources until its context
// ends.
//
// The package wires rooms together: it decodes no WAL and writes no merge.
package autocdc
