package real

import (
	"testing"

	"github.com/autocdc/autocdc/test/pgtest"
)

const usersFeed = `CREATE TABLE users_cdf (userid bigint, name text, city text, operation text, sequencenum bigint)`

// users is the feed of the documents, in its order.
var users = []string{
	"(124, 'Raul', 'Oaxaca', 'INSERT', 1)",
	"(123, 'Isabel', 'Monterrey', 'INSERT', 1)",
	"(125, 'Mercedes', 'Tijuana', 'INSERT', 2)",
	"(126, 'Lily', 'Cancun', 'INSERT', 2)",
	"(123, NULL, NULL, 'DELETE', 6)",
	"(125, 'Mercedes', 'Guadalajara', 'UPDATE', 6)",
	"(125, 'Mercedes', 'Mexicali', 'UPDATE', 5)",
	"(123, 'Isabel', 'Chihuahua', 'UPDATE', 5)",
}

const usersFlows = `
CREATE OR REFRESH STREAMING TABLE users_current;
CREATE FLOW users_current_flow AS AUTO CDC INTO users_current
FROM STREAM(users_cdf)
KEYS (userid)
APPLY AS DELETE WHEN operation = 'DELETE'
SEQUENCE BY sequencenum
COLUMNS * EXCEPT (operation, sequencenum)
STORED AS SCD TYPE 1;

CREATE OR REFRESH STREAMING TABLE users_history;
CREATE FLOW users_history_flow AS AUTO CDC INTO users_history
FROM STREAM(users_cdf)
KEYS (userid)
APPLY AS DELETE WHEN operation = 'DELETE'
SEQUENCE BY sequencenum
COLUMNS * EXCEPT (operation, sequencenum)
STORED AS SCD TYPE 2;

CREATE OR REFRESH STREAMING TABLE users_history_except_city;
CREATE FLOW users_history_except_city_flow AS AUTO CDC INTO users_history_except_city
FROM STREAM(users_cdf)
KEYS (userid)
APPLY AS DELETE WHEN operation = 'DELETE'
SEQUENCE BY sequencenum
COLUMNS * EXCEPT (operation, sequencenum)
STORED AS SCD TYPE 2
TRACK HISTORY ON * EXCEPT (city);
`

func mustBeAsInTheDocuments(t *testing.T, target string) {
	t.Helper()
	null := pgtest.Null
	mustEqual(t, "users_current",
		pgtest.Rows(t, target, "SELECT userid, name, city FROM users_current ORDER BY 1"),
		[][]string{{"124", "Raul", "Oaxaca"}, {"125", "Mercedes", "Guadalajara"}, {"126", "Lily", "Cancun"}})
	const history = "SELECT userid, name, city, __start_at, __end_at FROM "
	mustEqual(t, "users_history", pgtest.Rows(t, target, history+"users_history ORDER BY 1, 4"), [][]string{
		{"123", "Isabel", "Monterrey", "1", "5"},
		{"123", "Isabel", "Chihuahua", "5", "6"},
		{"124", "Raul", "Oaxaca", "1", null},
		{"125", "Mercedes", "Tijuana", "2", "5"},
		{"125", "Mercedes", "Mexicali", "5", "6"},
		{"125", "Mercedes", "Guadalajara", "6", null},
		{"126", "Lily", "Cancun", "2", null},
	})
	mustEqual(t, "users_history_except_city", pgtest.Rows(t, target, history+"users_history_except_city ORDER BY 1, 4"), [][]string{
		{"123", "Isabel", "Chihuahua", "1", "6"},
		{"124", "Raul", "Oaxaca", "1", null},
		{"125", "Mercedes", "Guadalajara", "2", null},
		{"126", "Lily", "Cancun", "2", null},
	})
}

func TestUsers_AllAtOnce(t *testing.T) {
	t.Parallel()
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, usersFeed)
	for _, row := range users {
		pgtest.Exec(t, source, "INSERT INTO users_cdf VALUES "+row)
	}
	s := newService(t, "users", source, target, usersFlows)
	s.Check()
	s.Triggered()
	mustBeAsInTheDocuments(t, target)
}

func TestUsers_EventByEvent(t *testing.T) {
	t.Parallel()
	source, target := pgtest.Database(t), pgtest.TargetDatabase(t)
	pgtest.Exec(t, source, usersFeed)
	s := newService(t, "users", source, target, usersFlows)
	s.Triggered()
	for _, row := range users {
		pgtest.Exec(t, source, "INSERT INTO users_cdf VALUES "+row)
		s.Triggered()
	}
	mustBeAsInTheDocuments(t, target)
}
