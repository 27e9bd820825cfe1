// Package files reads rows from files: CSV, JSON lines and Parquet, in a directory
// or in object storage. It promises that a value arrives as it stands in the file
// or that the read stops with an error that names file and line; that the order of
// rows is that of the files' paths and of the rows in them; and that it holds a
// bounded part of a file in memory. It does not parse values: their types are for
// Postgres to apply.
package files
