-- A column that an event does not carry has the value of the last event before it that did, if no delete lies between.
UPDATE "pg_temp"."fold_8" AS f
SET
  "Größe" = CASE WHEN w.from_2 = f."__pos" THEN f."Größe" ELSE (SELECT x."Größe" FROM "pg_temp"."fold_8" AS x WHERE x."__pos" = w.from_2 AND x."__kind" = 'u') END
FROM (
  SELECT y."__pos"
    , max(CASE WHEN y."__kind" = 'd' OR NOT COALESCE(get_bit(y.__missing, 2), 0) = 1 THEN y."__pos" END) OVER same_key AS from_2
  FROM (SELECT z."__pos", z."__grp", z."__kind", z."__missing" FROM "pg_temp"."fold_8" AS z) AS y
  WINDOW same_key AS (PARTITION BY y."__grp" ORDER BY y."__pos")
) AS w
WHERE w."__pos" = f."__pos" AND f."__kind" = 'u' AND f."__missing" IS NOT NULL
