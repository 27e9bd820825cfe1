-- Each row of the query is a row of the target. Parameter $1: the end of the source transaction, for rows staged before it was known.
INSERT INTO "my""s"."Größe%s" ("k""1", "Größe")
SELECT q."k""1", q."Größe"
FROM (
SELECT *, upper('FROM $1')

FROM (SELECT "k""1", "select", "Größe", $1::pg_lsn AS "__lsn", "__op" FROM "pg_temp"."raw_8_0") AS "Users" -- all
) AS q
WHERE ((city IS NOT NULL
) IS TRUE) AND ((__xid > 0
) IS TRUE)
