-- What a snapshot changes, or may have to change when late events come. Parameter $1: its version.
INSERT INTO "pg_temp"."events_7" ("id", "name", "__seq", "__kind", "__missing", "__flow")
SELECT d."id", d."name", CAST($1 AS bigint), d."__kind", CASE WHEN d."__kind" = 'u' THEN CAST('001' AS varbit) END, NULL
FROM (
  SELECT s."id", s."name", 'u' AS "__kind"
  FROM "autocdc"."snapshot_3" AS s
  UNION ALL
  SELECT g."id", NULL, 'd'
  FROM "pg_temp"."gone_7" AS g
) AS d
