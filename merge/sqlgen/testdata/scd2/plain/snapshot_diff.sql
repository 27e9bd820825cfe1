-- What a snapshot changes, where nothing can be later than it. Parameter $1: its version.
INSERT INTO "pg_temp"."events_7" ("id", "name", "city", "__seq", "__kind", "__missing", "__grp", "__n")
SELECT d."id", d."name", d."city", CAST($1 AS bigint), d."__kind", NULL, row_number() OVER (), row_number() OVER ()
FROM (
  SELECT s."id", s."name", s."city", 'u' AS "__kind"
  FROM "pg_temp"."changed_7" AS s
  -- a change at the very version wins
  WHERE s."__at" IS DISTINCT FROM CAST($1 AS bigint)
  UNION ALL
  SELECT g."id", NULL, NULL, 'd'
  FROM "pg_temp"."gone_7" AS g
  WHERE g."__at" IS DISTINCT FROM CAST($1 AS bigint)
) AS d
