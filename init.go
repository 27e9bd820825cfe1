package autocdc

import (
	"context"
	"fmt"

	"github.com/autocdc/autocdc/schema/catalog"
)

// Init reads the catalogs of all sources and returns a flow file for the tables
// that match, commented, with keys from their primary keys. Tables that cannot be
// followed as they are stand in it as comments, with what would help. It needs no
// target.
func (p *Pipeline) Init(ctx context.Context, opts InitOptions) (string, error) {
	if len(opts.Tables) == 0 {
		opts.Tables = []string{"public.*"}
	}
	if opts.SCD == 0 {
		opts.SCD = 1
	}
	f := newInitFile(opts)
	for _, src := range p.Sources {
		if err := f.source(ctx, src); err != nil {
			return "", fmt.Errorf("read source %q: %w", src.Name, err)
		}
	}
	return f.b.String(), nil
}

func (f *initFile) source(ctx context.Context, src Source) error {
	conn, err := catalog.Connect(ctx, src.DSN)
	if err != nil {
		return connectError(err, src.DSN)
	}
	defer closeConn(conn)
	tables, err := catalog.Tables(ctx, conn, f.opts.Tables)
	if err != nil {
		return &HintError{err, "a pattern is schema.table with *, for instance 'sales.*'; *.* is every table"}
	}
	c := &sourceCatalog{name: src.Name, conn: conn, types: catalog.NewTypeMap(src.DSN, src.DSN)}
	if err := c.read(ctx, true, tables); err != nil {
		return err
	}
	for _, name := range tables {
		f.table(src.Name, c.tables[name])
	}
	return nil
}
