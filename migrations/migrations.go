// Package migrations holds the metadata schema of a target as golang-migrate
// files. A file that has been released never changes; a new one follows it.
package migrations

import (
	"database/sql"
	"embed"
	"errors"
	"fmt"

	"github.com/golang-migrate/migrate/v4"
	migratepgx "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/golang-migrate/migrate/v4/source/iofs"
)

//go:embed *.sql
var files embed.FS

// Up brings the metadata schema, which must exist and be the first of db's
// search_path, to the newest version. It takes golang-migrate's advisory lock, so
// that two callers do not disturb each other, and closes db.
func Up(db *sql.DB, schema string) error {
	source, err := iofs.New(files, ".")
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	driver, err := migratepgx.WithInstance(db, &migratepgx.Config{SchemaName: schema, MigrationsTable: "schema_migrations"})
	if err != nil {
		return fmt.Errorf("open migrations of schema %q: %w", schema, err)
	}
	m, err := migrate.NewWithInstance("iofs", source, "pgx5", driver)
	if err != nil {
		return fmt.Errorf("open migrations of schema %q: %w", schema, err)
	}
	defer m.Close()
	if err := m.Up(); err != nil && !errors.Is(err, migrate.ErrNoChange) {
		return fmt.Errorf("migrate schema %q: %w", schema, err)
	}
	return nil
}
