-- Late keys, each with its base: the newest start before its earliest event or truncate of the batch.
INSERT INTO "pg_temp"."late_8" ("__grp", "k""1", "select", "__base")
SELECT s."__grp", e."k""1", e."select", (
  SELECT t."__start_at"
  FROM "my""s"."Größe%s" AS t
  WHERE t."k""1" = e."k""1" AND t."select" = e."select" AND t."__start_at" < s."__seq"
    AND t."__start_at" < (SELECT x."__seq" FROM "pg_temp"."events_8" AS x WHERE x."__kind" = 't' ORDER BY x."__seq" LIMIT 1)
  ORDER BY t."__start_at" DESC
  LIMIT 1
)
FROM "pg_temp"."step_8" AS s
JOIN "pg_temp"."events_8" AS e ON e."__n" = s."__n"
WHERE s."__late" AND s."__n" = s."__grp"
