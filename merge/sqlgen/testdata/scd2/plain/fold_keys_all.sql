-- Late keys, each with its base: the newest start before its earliest event or truncate of the batch.
INSERT INTO "pg_temp"."late_7" ("__grp", "id", "__base")
SELECT s."__grp", e."id", (
  SELECT t."__start_at"
  FROM "crm"."users" AS t
  WHERE t."id" = e."id" AND t."__start_at" < s."__seq"
    AND t."__start_at" < (SELECT x."__seq" FROM "pg_temp"."events_7" AS x WHERE x."__kind" = 't' ORDER BY x."__seq" LIMIT 1)
  ORDER BY t."__start_at" DESC
  LIMIT 1
)
FROM "pg_temp"."step_7" AS s
JOIN "pg_temp"."events_7" AS e ON e."__n" = s."__n"
WHERE s."__late" AND s."__n" = s."__grp"
