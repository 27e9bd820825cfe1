-- What a snapshot changes, or may have to change when late events come. Parameter $1: its version.
INSERT INTO "pg_temp"."events_7" ("id", "name", "city", "__seq", "__kind", "__missing", "__flow")
SELECT d."id", d."name", d."city", CAST($1 AS bigint), d."__kind", NULL, NULL
FROM (
  SELECT COALESCE(s."id", t."id") AS "id", s."name", s."city", CASE WHEN s."id" IS NULL THEN 'd' ELSE 'u' END AS "__kind"
  FROM "autocdc"."snapshot_3" AS s
  FULL JOIN "crm"."users" AS t ON s."id" = t."id"
  WHERE t."id" IS NULL OR t."__sequence" < CAST($1 AS bigint) AND (s."id" IS NULL OR NOT record_image_eq(ROW(s."id", s."name", s."city"), ROW(t."id", t."name", t."city")))
) AS d
-- a change at the very version wins
WHERE NOT EXISTS (SELECT FROM "autocdc"."floor_7" AS f WHERE f."__seq" = CAST($1 AS bigint))
  AND NOT EXISTS (SELECT FROM "autocdc"."shadow_7" AS h WHERE h."id" = d."id" AND h."__seq" >= CAST($1 AS bigint))
  AND NOT EXISTS (SELECT FROM "crm"."users" AS x WHERE x."id" = d."id" AND x."__sequence" = CAST($1 AS bigint))
