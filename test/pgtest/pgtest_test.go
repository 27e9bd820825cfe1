package pgtest_test

import (
	"context"
	"errors"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/autocdc/autocdc/cmd/embedpg"
	"github.com/autocdc/autocdc/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestDatabase_IsFreshAndLogical(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	pgtest.Exec(t, dsn, "CREATE TABLE a (n int); INSERT INTO a VALUES (1), (NULL)")
	got := pgtest.Rows(t, dsn, "SELECT n, current_setting('wal_level') FROM a ORDER BY n")
	want := [][]string{{"1", "logical"}, {pgtest.Null, "logical"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestDatabase_DropsItsSlots(t *testing.T) {
	t.Parallel()
	other := pgtest.Database(t)
	t.Run("slot", func(t *testing.T) {
		dsn := pgtest.Database(t)
		pgtest.Exec(t, dsn, "SELECT pg_create_logical_replication_slot('drops_its_slots', 'pgoutput')")
	})
	got := pgtest.Rows(t, other, "SELECT slot_name FROM pg_replication_slots WHERE slot_name = 'drops_its_slots'")
	if len(got) != 0 {
		t.Errorf("slots left: %v", got)
	}
}

func TestStart_SurvivesKill(t *testing.T) {
	t.Parallel()
	s := pgtest.Start(t, embedpg.Options{Settings: map[string]string{"work_mem": "5MB"}})
	dsn := s.DSN("postgres")
	pgtest.Exec(t, dsn, "CREATE TABLE a (n int); INSERT INTO a VALUES (1)")
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	got := pgtest.Rows(t, dsn, "SELECT n, current_setting('work_mem') FROM a")
	if want := [][]string{{"1", "5MB"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestEventually_ReturnsWhenTrue(t *testing.T) {
	t.Parallel()
	n := 0
	pgtest.Eventually(t, time.Second, func() error {
		if n++; n < 3 {
			return errors.New("not yet")
		}
		return nil
	})
}
