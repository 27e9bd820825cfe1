-- What a snapshot changes, or may have to change when late events come. Parameter $1: its version.
INSERT INTO "pg_temp"."events_7" ("id", "name", "__seq", "__kind", "__missing", "__flow")
SELECT d."id", d."name", CAST($1 AS bigint), d."__kind", CASE WHEN d."__kind" = 'u' THEN CAST('001' AS varbit) END, NULL
FROM (
  SELECT COALESCE(s."id", t."id") AS "id", s."name", CASE WHEN s."id" IS NULL THEN 'd' ELSE 'u' END AS "__kind"
  FROM "autocdc"."snapshot_3" AS s
  FULL JOIN "crm"."users" AS t ON s."id" = t."id"
  WHERE true
) AS d
