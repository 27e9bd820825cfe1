-- A delete whose key has no row is remembered, since older upserts may still come.
INSERT INTO "autocdc"."shadow_7" ("id", "__seq", "__kind")
SELECT DISTINCT ON (e."id") e."id", e."__seq", 'd'
FROM "pg_temp"."events_7" AS e
WHERE e."__kind" = 'd'
  AND NOT EXISTS (SELECT FROM "crm"."users" AS t WHERE t."id" = e."id")
  AND NOT EXISTS (SELECT FROM "autocdc"."shadow_7" AS h WHERE h."id" = e."id" AND h."__seq" >= e."__seq")
ORDER BY e."id", e."__seq" DESC
