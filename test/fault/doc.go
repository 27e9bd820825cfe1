// Package fault breaks things under load: it ends the service at every point of the
// pipeline, stops and kills servers and cuts connections at random moments, and then
// demands that the targets are what they would have been without. The tests use the
// built binary, for points one with the tag failpoints; this file's package holds only
// the proxy whose connections they cut.
package fault
