package migrations_test

import (
	"database/sql"
	"os"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/autocdc/autocdc/migrations"
	"github.com/autocdc/autocdc/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func up(t *testing.T, dsn string) {
	t.Helper()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	if err := migrations.Up(db, "public"); err != nil {
		t.Fatal(err)
	}
}

func TestUp_TwiceChangesNothing(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	up(t, dsn)
	up(t, dsn)
}

// A crash can lie before the migration or after it; the note is dirty both times.
func TestUp_GoesOnAfterACrash(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]string{
		"before the migration": "DROP TABLE expectation; DROP TABLE copy_part; DROP TABLE copy_point; DROP TABLE flow; DROP TABLE target; DROP SEQUENCE fence; DROP SEQUENCE batch; DROP TABLE source; DROP TABLE migration; UPDATE schema_migrations SET dirty = true",
		"after the migration":  "UPDATE schema_migrations SET dirty = true",
	} {
		t.Run(name, func(t *testing.T) {
			dsn := pgtest.Database(t)
			up(t, dsn)
			pgtest.Exec(t, dsn, damage)
			up(t, dsn)
			if n := pgtest.Rows(t, dsn, "SELECT count(*) FROM source")[0][0]; n != "0" {
				t.Errorf("source has %s rows", n)
			}
		})
	}
}
