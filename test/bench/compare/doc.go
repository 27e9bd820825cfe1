// Package compare measures what comparing a snapshot costs a whole run of the binary,
// beside a plain COPY of it, on the same servers in the same run.
package compare
