-- Each row of the query is a row of the target. Parameter $1: the end of the source transaction, for rows staged before it was known.
INSERT INTO "my""s"."Größe%s" ("k""1", "Größe")
SELECT q."k""1", q."Größe"
FROM (
SELECT *, upper('FROM $1')

FROM (SELECT "__view_2"."k""1", "__view_2"."select", "__view_2"."Größe", "__row"."__lsn", "__row"."__op" FROM (SELECT "k""1", "select", "Größe", "__op", $1::pg_lsn AS "__lsn", "__commit_ts", "__xid", "__missing", "__n" FROM "pg_temp"."raw_8_0") AS "__row"
  CROSS JOIN LATERAL (
    SELECT v.*, row_number() OVER () AS "__place"
    FROM (
SELECT *
FROM (SELECT "__row"."k""1", "__row"."select", "__row"."Größe") AS "Users" -- all
    ) AS v
  ) AS "__view_1"
  CROSS JOIN LATERAL (
SELECT *, (__lsn > '0/0') IS TRUE AS "__keeps" FROM (SELECT "__view_1"."k""1", "__view_1"."select", "__view_1"."Größe", "__row"."__lsn") AS v
  ) AS "__view_2") AS "Users" -- all
) AS q
