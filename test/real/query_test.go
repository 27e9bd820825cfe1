package real

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/autocdc/autocdc/test/pgtest"
)

// text returns the rows of a query that may fail, as "a b, c d".
func text(dsn, query string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	results, err := conn.PgConn().Exec(ctx, query).ReadAll()
	if err != nil {
		return "", err
	}
	var rows []string
	for _, row := range results[0].Rows {
		rows = append(rows, line(row))
	}
	return strings.Join(rows, ", "), nil
}

func line(row [][]byte) string {
	values := make([]string, len(row))
	for i, v := range row {
		values[i] = string(v)
		if v == nil {
			values[i] = pgtest.Null
		}
	}
	return strings.Join(values, " ")
}
