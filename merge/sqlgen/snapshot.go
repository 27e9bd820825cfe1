package sqlgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/autocdc/autocdc/schema"
)

// Snapshot is what the comparing statements need beside the target.
type Snapshot struct {
	*Table
	Stage   schema.Name
	Carried []Column // of the target's columns, those that the snapshot has
	// Whole says that rows which change nothing are events all the same, since the
	// target's rows do not show what they carried.
	Whole bool
	// Late says that events may be later than the snapshot: it is compared with what
	// was valid at its version.
	Late bool
	// All says that every row of the stage is an event, without a look at the target.
	All bool
	// Complete says that the snapshot has each of the target's keys once.
	Complete bool
	// Buckets is into how many buckets keys fall, a power of two. The stage then holds
	// the rows of those that differ. 0 says that it holds all.
	Buckets int64
	// Partial says that events of other flows may carry less than all columns, so
	// that the snapshot shows through a change at its very version.
	Partial bool

	Expectations []Expectation
}

// Compare renders a statement that compares a staged snapshot with the target.
func (g *Generator) Compare(name string, s Snapshot) (string, error) {
	if len(s.Expectations) > 0 {
		return g.r.verbatim(name, s) // it may hold a user's text
	}
	return g.r.render(name, s)
}

// Checksums renders the query for the rows and the checksum of each bucket of a
// relation. It gives the same on both servers, since it reads texts only; where their
// hashes should differ, all buckets do.
func (g *Generator) Checksums(s Snapshot, relation string) (string, error) {
	return g.r.render("snapshot_checksums", checksums{s, relation})
}

type checksums struct {
	Snapshot
	Relation string
}

// Bucket is the expression for the bucket of a row.
func (s Snapshot) Bucket(alias string) string {
	return fmt.Sprintf("hashtextextended(CAST(ROW(%s) AS text), 0) & %d", each(s.Keys, ", ", alias+".%[1]s"), s.Buckets-1)
}

// SnapshotStage is the table that holds the rows of a flow's snapshot.
func SnapshotStage(meta schema.Ident, flow string) schema.Name {
	return schema.Name{Schema: string(meta), Name: "snapshot_" + flow}
}

// Carriers are the carried columns, with the word whether one is a key.
func (s Snapshot) Carriers() []KeyColumn {
	cols := make([]KeyColumn, len(s.Carried))
	for i, c := range s.Carried {
		cols[i] = KeyColumn{Column: c, Key: s.isKey(c.Name)}
	}
	return cols
}

// OneKey is a key column, which is null on the outer side of a join only where the
// row is missing.
func (s Snapshot) OneKey() schema.Ident { return s.Keys[0] }

// Plain are the carried columns whose values = tells apart.
func (s Snapshot) Plain() []Column { return s.carried(true) }

// Others are the carried columns of which equal values may look different.
func (s Snapshot) Others() []Column { return s.carried(false) }

func (s Snapshot) carried(plain bool) []Column {
	var cols []Column
	for _, c := range s.Carried {
		if c.Plain == plain {
			cols = append(cols, c)
		}
	}
	return cols
}

// PlainKeys says that all key columns are plain; their types have a hash, too.
func (s Snapshot) PlainKeys() bool {
	return !slices.ContainsFunc(s.Columns, func(c Column) bool { return !c.Plain && s.isKey(c.Name) })
}

// Missing is the bit string of the columns that no snapshot carries, empty if it
// carries all.
func (s Snapshot) Missing() string {
	bits := []byte(strings.Repeat("0", s.Bits))
	all := true
	for _, c := range s.Columns {
		if !slices.ContainsFunc(s.Carried, func(k Column) bool { return k.Name == c.Name }) {
			bits[c.Index], all = '1', false
		}
	}
	if all {
		return ""
	}
	return string(bits)
}
