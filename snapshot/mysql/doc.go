// Package mysql reads rows of a MySQL or MariaDB server as of one moment. It
// promises that every query of one Conn sees the same committed state, that rows
// come one at a time however many there are, and that a value arrives in Postgres
// as it was or not at all: what the Postgres type cannot hold is an error that
// names row, column and value, never a null or a nearby value. It needs no more
// than SELECT, and writes nothing anywhere.
package mysql
