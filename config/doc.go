// Package config reads autocdc.yaml, the environment and the flags into one
// Config. It is pure but for reading that file and listing flow files: it opens
// no connection and leaves the flow files to flowsql.
//
// It promises that all faults of the file are reported at once, each with its
// place, and that no error, no String method and no log value shows a password.
package config
