// Package sqlgen turns a target and its flows into SQL text. It is pure: the
// statements are the templates in sql/, rendered from slices, so that the same
// input always gives the same bytes and a reader who knows SQL and no Go can
// review them. Golden files under testdata/ hold examples of all.
//
// Names that the statements use beside the target's own: the temporary tables
// events (what a batch brings, in the target's shape), raw (what a flow staged,
// in its source's shape), step, run, late and fold (see DESIGN.md in merge), and
// in the metadata schema shadow and floor.
package sqlgen
