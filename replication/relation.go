package replication

import (
	"github.com/autocdc/autocdc/schema"
)

// relation keeps a description. The server repeats it whenever its cache was
// invalidated; the value that changes point to stays the same while nothing in
// it differs.
func (d *decoder) relation(c *cursor) error {
	raw := c.b
	rel, err := readRelation(c)
	if err != nil {
		return err
	}
	if known := d.rels[rel.OID]; known != nil && known.raw == string(raw) {
		return nil
	}
	d.rels[rel.OID] = &relation{Relation: rel, columns: len(rel.Columns), raw: string(raw)}
	d.last = nil
	return nil
}

func readRelation(c *cursor) (*schema.Relation, error) {
	rel := &schema.Relation{OID: c.u32()}
	rel.Name = schema.Name{Schema: c.str(), Name: c.str()}
	if rel.Name.Schema == "" { // how pgoutput writes pg_catalog
		rel.Name.Schema = "pg_catalog"
	}
	rel.Replica = schema.ReplicaIdentity(c.u8())
	for range c.u16() {
		if c.err != nil {
			break
		}
		rel.Columns = append(rel.Columns, readColumn(c))
	}
	return rel, c.end()
}

func readColumn(c *cursor) schema.Column {
	key := c.u8()&1 != 0
	return schema.Column{Identity: key, Name: c.str(), TypeOID: c.u32(), TypeMod: int32(c.u32())}
}
