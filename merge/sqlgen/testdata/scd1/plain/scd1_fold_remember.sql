-- The last delete, the last upsert after it, and of each column the last upsert that carried it;
-- nothing where the last upsert carried all, for then the row says as much.
INSERT INTO "autocdc"."shadow_7" ("id", "name", "city", "__seq", "__kind", "__missing", "__flow")
SELECT f."id", f."name", f."city", f."__seq", f."__kind", x."__missing", f."__flow"
FROM (
  SELECT d."__n", d."__missing", d."__floor", d."__last_delete",
    max(d."__n") OVER same_key AS "__last",
    bool_or(d."__whole") OVER same_key AS "__whole"
    , max(d."__n") FILTER (WHERE NOT COALESCE(get_bit(d.__missing, 1), 0) = 1) OVER same_key AS last_1
    , max(d."__n") FILTER (WHERE NOT COALESCE(get_bit(d.__missing, 2), 0) = 1) OVER same_key AS last_2
  FROM (
    SELECT s."__n", s."__grp", s."__missing", s."__floor",
      f."__kind" = 'u' AND s."__missing" IS NULL AND s."__n" = max(s."__n") OVER (PARTITION BY s."__grp") AS "__whole",
      COALESCE(max(s."__n") FILTER (WHERE f."__kind" = 'd') OVER (PARTITION BY s."__grp"), 0) AS "__last_delete"
    FROM "pg_temp"."fold_step_7" AS s
    JOIN "pg_temp"."fold_7" AS f ON f."__pos" = s."__n"
  ) AS d
  WHERE d."__n" >= d."__last_delete"
  WINDOW same_key AS (PARTITION BY d."__grp")
) AS x
JOIN "pg_temp"."fold_7" AS f ON f."__pos" = x."__n"
WHERE NOT x."__floor"
  AND NOT x."__whole"
  AND (x."__n" = x."__last_delete" OR x."__n" = x."__last" OR x."__n" = x.last_1 OR x."__n" = x.last_2)
