-- After a truncate also every key that has a version then or later.
INSERT INTO "pg_temp"."late_8" ("__grp", "k""1", "select", "__base")
SELECT -row_number() OVER (), k."k""1", k."select", (
  SELECT t."__start_at"
  FROM "my""s"."Größe%s" AS t
  WHERE t."k""1" = k."k""1" AND t."select" = k."select" AND t."__start_at" < k."__first"
  ORDER BY t."__start_at" DESC
  LIMIT 1
)
FROM (
  SELECT DISTINCT ON (t."k""1", t."select") t."k""1", t."select", x."__first"
  FROM "my""s"."Größe%s" AS t
  JOIN (SELECT e."__seq" AS "__first" FROM "pg_temp"."events_8" AS e WHERE e."__kind" = 't' ORDER BY e."__seq" LIMIT 1) AS x
    ON t."__end_at" IS NULL OR t."__end_at" > x."__first"
) AS k
WHERE NOT EXISTS (SELECT FROM "pg_temp"."late_8" AS l WHERE l."k""1" = k."k""1" AND l."select" = k."select")
