-- Each row of the query is a row of the target. Parameter $1: the end of the source transaction, for rows staged before it was known.
INSERT INTO "crm"."users" ("id", "city")
SELECT q."id", q."city"
FROM (
SELECT *, upper('FROM $1')

FROM (SELECT "__view_2"."id", "__view_2"."name", "__view_2"."city", "__row"."__lsn", "__row"."__op" FROM (SELECT "id", "name", "city", "__op", $1::pg_lsn AS "__lsn", "__commit_ts", "__xid", "__missing", "__n" FROM "pg_temp"."raw_7_0") AS "__row"
  CROSS JOIN LATERAL (
    SELECT v.*, row_number() OVER () AS "__place"
    FROM (
SELECT *
FROM (SELECT "__row"."id", "__row"."name", "__row"."city") AS "Users" -- all
    ) AS v
  ) AS "__view_1"
  CROSS JOIN LATERAL (
SELECT *, (__lsn > '0/0') IS TRUE AS "__keeps" FROM (SELECT "__view_1"."id", "__view_1"."name", "__view_1"."city", "__row"."__lsn") AS v
  ) AS "__view_2") AS "Users" -- all
) AS q
