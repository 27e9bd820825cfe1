-- What a snapshot changes, or may have to change when late events come. Parameter $1: its version.
INSERT INTO "pg_temp"."events_7" ("id", "name", "city", "__seq", "__kind", "__missing", "__flow")
SELECT d."id", d."name", d."city", CAST($1 AS bigint), d."__kind", NULL, NULL
FROM (
  SELECT s."id", s."name", s."city", 'u' AS "__kind"
  FROM "pg_temp"."changed_7" AS s
  WHERE s."__fresh" OR s."__at" < CAST($1 AS bigint)
  UNION ALL
  SELECT g."id", NULL, NULL, 'd'
  FROM "pg_temp"."gone_7" AS g
  WHERE g."__at" < CAST($1 AS bigint)
) AS d
-- a change at the very version wins
WHERE NOT EXISTS (SELECT FROM "autocdc"."floor_7" AS f WHERE f."__seq" = CAST($1 AS bigint))
  AND NOT EXISTS (SELECT FROM "autocdc"."shadow_7" AS h WHERE h."id" = d."id" AND h."__seq" >= CAST($1 AS bigint))
  AND NOT EXISTS (SELECT FROM "crm"."users" AS x WHERE x."id" = d."id" AND x."__sequence" = CAST($1 AS bigint))
