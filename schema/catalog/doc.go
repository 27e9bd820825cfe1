// Package catalog reads what schema describes from pg_catalog. It promises to
// ask for many tables in one query, to match names exactly (never by LIKE), and
// to change nothing. Its functions use the connection they are given and nothing
// beside it; such a connection should come from Connect, so that type names are
// qualified and values have the one text form that the service relies on.
package catalog
