package replication

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/autocdc/autocdc/schema"
)

// FeedsPublication is the name of the publication, beside the one called name,
// that publishes inserts only: it is harmless for tables without a replica
// identity.
func FeedsPublication(name string) string { return name + "_feeds" }

// EnsurePublications makes the publication called name hold exactly the tables
// of changes, and FeedsPublication(name) those of feeds; both are made, empty if
// need be, since a publication must be older than the slot. Call it before
// CreateSlot. What is right already is left alone, and so is every other
// publication. One that the role may not make or alter is accepted if it covers
// the tables. A table of changes without a usable replica identity gives an
// *IdentityError, and nothing is changed.
func EnsurePublications(ctx context.Context, conn *pgx.Conn, name string, changes, feeds []schema.Name) error {
	err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if err := checkPublishable(ctx, tx, changes, feeds); err != nil {
			return err
		}
		pub := publication{name: name, publish: "insert, update, delete, truncate", tables: unique(changes)}
		if err := pub.ensure(ctx, tx); err != nil {
			return err
		}
		pub = publication{name: FeedsPublication(name), publish: "insert", tables: unique(feeds)}
		return pub.ensure(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("ensure publication %q: %w", name, err)
	}
	return nil
}

// DropPublications drops both; one that does not exist is no error.
func DropPublications(ctx context.Context, conn *pgx.Conn, name string) error {
	for _, pub := range []string{name, FeedsPublication(name)} {
		if _, err := conn.Exec(ctx, "DROP PUBLICATION IF EXISTS "+schema.Ident(pub).String()); err != nil {
			return fmt.Errorf("drop publication %q: %w", pub, err)
		}
	}
	return nil
}

func unique(names []schema.Name) []schema.Name {
	names = slices.Clone(names)
	slices.SortFunc(names, compareNames)
	return slices.Compact(names)
}

func compareNames(a, b schema.Name) int {
	if c := strings.Compare(a.Schema, b.Schema); c != 0 {
		return c
	}
	return strings.Compare(a.Name, b.Name)
}

// publication is what one ought to be.
type publication struct {
	name    string
	publish string
	tables  []schema.Name // sorted
}

// ensure changes as little as possible. A step that the role may not do is
// undone, and forgiven if an administrator has done the work.
func (p publication) ensure(ctx context.Context, tx pgx.Tx) error {
	now, err := loadPublication(ctx, tx, p.name)
	if err != nil {
		return err
	}
	steps := p.steps(now)
	if len(steps) == 0 {
		return nil
	}
	err = pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { return execAll(ctx, tx, steps) })
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok && pgErr.Code == "42501" {
		if now != nil && now.covers(p) {
			return nil
		}
		return &PrivilegeError{Publication: p.name, Statements: steps, Err: err}
	}
	return err
}

func execAll(ctx context.Context, tx pgx.Tx, steps []string) error {
	for _, sql := range steps {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// steps are the statements that lead from now to p.
func (p publication) steps(now *livePublication) []string {
	id := schema.Ident(p.name)
	options := fmt.Sprintf("(publish = '%s', publish_via_partition_root = true)", p.publish)
	switch {
	case now == nil && len(p.tables) == 0:
		return []string{fmt.Sprintf("CREATE PUBLICATION %s WITH %s", id, options)}
	case now == nil:
		return []string{fmt.Sprintf("CREATE PUBLICATION %s FOR TABLE %s WITH %s", id, list(p.tables), options)}
	}
	var steps []string
	if now.publish != p.publish || !now.viaRoot {
		steps = append(steps, fmt.Sprintf("ALTER PUBLICATION %s SET %s", id, options))
	}
	switch {
	case now.plain && slices.Equal(now.tables, p.tables):
	case len(p.tables) > 0:
		steps = append(steps, fmt.Sprintf("ALTER PUBLICATION %s SET TABLE %s", id, list(p.tables)))
	case len(now.tables) > 0:
		steps = append(steps, fmt.Sprintf("ALTER PUBLICATION %s DROP TABLE %s", id, list(now.tables)))
	}
	return steps
}

func list(names []schema.Name) string {
	parts := make([]string, len(names))
	for i, n := range names {
		parts[i] = "ONLY " + n.String()
	}
	return strings.Join(parts, ", ")
}

// PrivilegeError says what an owner or administrator must run.
type PrivilegeError struct {
	Publication string
	Statements  []string
	Err         error
}

// Error names the publication and the server's objection.
func (e *PrivilegeError) Error() string {
	return fmt.Sprintf("change publication %q: %v", e.Publication, e.Err)
}

// Unwrap returns the server's error.
func (e *PrivilegeError) Unwrap() error { return e.Err }

// Hint gives the statements.
func (e *PrivilegeError) Hint() string {
	return "have the owner of the tables run: " + strings.Join(e.Statements, "; ")
}
