package mariadb

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
)

// ownDatabase finds the statements by which the script wants a database of its name.
var ownDatabase = regexp.MustCompile("(?m)^(DROP DATABASE|CREATE DATABASE|USE)\\b[^;]*`Chinook`;")

// Chinook loads the sample database of that name into a database of the test's
// own. The script is not part of this repository: where it is absent, ok is false
// and the test has said so.
func Chinook(t testing.TB) (dsn string, ok bool) {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	path := filepath.Join(filepath.Dir(here), "../../../shared/data/chinook_mysql.sql")
	script, err := os.ReadFile(path)
	if err != nil {
		t.Logf("NOT TESTED: %s is not there (%v); put it there to run this test", path, err)
		if os.Getenv("AUTOCDC_DATA_REQUIRED") != "" {
			t.Errorf("AUTOCDC_DATA_REQUIRED is set, but %s is not there", path)
		}
		return "", false
	}
	dsn = Database(t)
	Exec(t, dsn, ownDatabase.ReplaceAllString(string(script), ""))
	return dsn, true
}
