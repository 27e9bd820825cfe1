// Package flowsql is the lexer and parser of flow files: SQL that declares
// streaming tables, flows and views. It is pure: it opens no file and no
// connection, and it leaves expressions and queries to Postgres.
package flowsql
