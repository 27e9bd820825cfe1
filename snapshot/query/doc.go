// Package query takes the queries of FROM SNAPSHOT apart: which tables and files
// they read, where they ask for a version, and what of them must read otherwise
// before Postgres runs them. It is pure: it connects to nothing.
package query
