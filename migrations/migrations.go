// Package migrations holds the metadata schema of a target as golang-migrate
// files. A file that has been released never changes; a new one follows it.
package migrations

import (
	"database/sql"
	"embed"
	"errors"
	"fmt"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
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
	err = m.Up()
	var dirty migrate.ErrDirty
	if errors.As(err, &dirty) {
		err = repair(m, db, dirty.Version)
	}
	if err != nil && !errors.Is(err, migrate.ErrNoChange) {
		return fmt.Errorf("migrate schema %q: %w", schema, err)
	}
	return nil
}

// repair goes on after a crash between golang-migrate's notes of a migration's
// begin and end. A file is one transaction, so it was carried out or it was not.
func repair(m *migrate.Migrate, db *sql.DB, version int) error {
	done, err := carriedOut(db, version)
	if err != nil {
		return err
	}
	at := version
	if !done {
		at = version - 1
	}
	if at < 1 {
		at = database.NilVersion
	}
	if err := m.Force(at); err != nil {
		return err
	}
	return m.Up()
}

func carriedOut(db *sql.DB, version int) (done bool, err error) {
	var exists bool
	if err := db.QueryRow(`SELECT to_regclass('migration') IS NOT NULL`).Scan(&exists); err != nil || !exists {
		return false, err
	}
	err = db.QueryRow(`SELECT EXISTS (SELECT FROM migration WHERE version = $1)`, version).Scan(&done)
	return done, err
}
