// Package feed runs the queries of a flow that reads snapshots where they belong:
// at a source, or on the target where they read files or nothing but the target.
// It asks for the next version, and brings the rows of a snapshot into a stage on
// the target. It changes nothing at a source.
package feed
