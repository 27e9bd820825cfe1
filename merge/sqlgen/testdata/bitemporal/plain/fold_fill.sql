-- A column that an event does not carry has the value of the last event before it that did, if no delete lies between.
UPDATE "pg_temp"."fold_7" AS f
SET
  "name" = CASE WHEN w.from_1 = f."__pos" THEN f."name" ELSE (SELECT x."name" FROM "pg_temp"."fold_7" AS x WHERE x."__pos" = w.from_1 AND x."__kind" = 'u') END
  , "city" = CASE WHEN w.from_2 = f."__pos" THEN f."city" ELSE (SELECT x."city" FROM "pg_temp"."fold_7" AS x WHERE x."__pos" = w.from_2 AND x."__kind" = 'u') END
FROM (
  SELECT y."__pos"
    , max(CASE WHEN y."__kind" = 'd' OR NOT COALESCE(get_bit(y.__missing, 1), 0) = 1 THEN y."__pos" END) OVER same_key AS from_1
    , max(CASE WHEN y."__kind" = 'd' OR NOT COALESCE(get_bit(y.__missing, 2), 0) = 1 THEN y."__pos" END) OVER same_key AS from_2
  FROM (SELECT z."__pos", z."__grp", z."__kind", z."__missing" FROM "pg_temp"."fold_7" AS z) AS y
  WINDOW same_key AS (PARTITION BY y."__grp" ORDER BY y."__pos")
) AS w
WHERE w."__pos" = f."__pos" AND f."__kind" = 'u' AND f."__missing" IS NOT NULL
