// Package flowsql is the lexer and parser of flow files: SQL that declares
// streaming tables, flows and views. It is pure: it opens no file and no
// connection, and it leaves expressions and queries to Postgres, which it takes
// verbatim and only cuts where the next clause begins.
//
// It promises to report every faulty statement of a file at once, each with its
// place, to need time linear in the size of the file, and never to panic.
package flowsql
