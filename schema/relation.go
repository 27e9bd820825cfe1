package schema

// ReplicaIdentity is pg_class.relreplident: which columns of an old row the WAL
// carries.
type ReplicaIdentity byte

// The values of pg_class.relreplident.
const (
	IdentityDefault ReplicaIdentity = 'd'
	IdentityNothing ReplicaIdentity = 'n'
	IdentityFull    ReplicaIdentity = 'f'
	IdentityIndex   ReplicaIdentity = 'i'
)

// Column is one column of a Relation, in the order in which tuples carry it.
type Column struct {
	Name      string
	TypeOID   uint32
	TypeMod   int32  // -1 where the type has none
	Type      string // SQL text as format_type gives it at the source; empty if only the WAL is known
	Collation string // quoted, qualified; empty for the type's default
	Identity  bool   // part of the replica identity
	NotNull   bool
	Generated bool // GENERATED ALWAYS AS (…) STORED or VIRTUAL
	AttNum    int16
}

// Relation is a source table as of some place in the WAL or in the catalog. It
// is immutable once shared; a changed table is a new Relation.
type Relation struct {
	OID      uint32
	Name     Name
	Kind     byte // pg_class.relkind: r table, p partitioned, v view, m matview, f foreign
	Replica  ReplicaIdentity
	Columns  []Column
	IsParent bool // has inheritance children that are not partitions
}

// Column returns the index of the named column, or -1.
func (r *Relation) Column(name string) int {
	for i := range r.Columns {
		if r.Columns[i].Name == name {
			return i
		}
	}
	return -1
}
