-- After a truncate also every key that has a version then or later.
INSERT INTO "pg_temp"."late_7" ("__grp", "id", "__base")
SELECT -row_number() OVER (), k."id", (
  SELECT t."__start_at"
  FROM "crm"."users" AS t
  WHERE t."id" = k."id" AND t."__start_at" < k."__first"
  ORDER BY t."__start_at" DESC
  LIMIT 1
)
FROM (
  SELECT DISTINCT ON (t."id") t."id", x."__first"
  FROM "crm"."users" AS t
  JOIN (SELECT e."__seq" AS "__first" FROM "pg_temp"."events_7" AS e WHERE e."__kind" = 't' ORDER BY e."__seq" LIMIT 1) AS x
    ON t."__end_at" IS NULL OR t."__end_at" > x."__first"
) AS k
WHERE NOT EXISTS (SELECT FROM "pg_temp"."late_7" AS l WHERE l."id" = k."id")
