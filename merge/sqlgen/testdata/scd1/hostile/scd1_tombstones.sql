-- A delete whose key has no row is remembered, since older upserts may still come.
INSERT INTO "autocdc"."shadow_8" ("k""1", "select", "__seq", "__kind")
SELECT DISTINCT ON (e."k""1", e."select") e."k""1", e."select", e."__seq", 'd'
FROM "pg_temp"."events_8" AS e
WHERE e."__kind" = 'd'
  AND NOT EXISTS (SELECT FROM "my""s"."Größe%s" AS t WHERE t."k""1" = e."k""1" AND t."select" = e."select")
  AND NOT EXISTS (SELECT FROM "autocdc"."shadow_8" AS h WHERE h."k""1" = e."k""1" AND h."select" = e."select" AND h."__seq" >= e."__seq")
ORDER BY e."k""1", e."select", e."__seq" DESC
