// Package corpus holds cases from the field: what went wrong for users of other
// replication tools, retold with small sources of our own. Each is a file of
// testdata, named after its id, and a subtest. Nearly always the target must equal
// the source as text, and its history must replay what the source held after each
// of its transactions; where a case has no usable key it must be refused before
// anything happens.
package corpus
