-- A column that an event does not carry has the value of the last event before it that did, if no delete lies between.
UPDATE "pg_temp"."fold_7" AS f
SET
  "name" = CASE WHEN w.from_1 = f.pos THEN f."name" ELSE (SELECT x."name" FROM "pg_temp"."fold_7" AS x WHERE x.pos = w.from_1 AND x.op = 'u') END
  , "city" = CASE WHEN w.from_2 = f.pos THEN f."city" ELSE (SELECT x."city" FROM "pg_temp"."fold_7" AS x WHERE x.pos = w.from_2 AND x.op = 'u') END
FROM (
  SELECT y.pos
    , max(CASE WHEN y.op = 'd' OR NOT COALESCE(get_bit(y.__missing, 1), 0) = 1 THEN y.pos END) OVER same_key AS from_1
    , max(CASE WHEN y.op = 'd' OR NOT COALESCE(get_bit(y.__missing, 2), 0) = 1 THEN y.pos END) OVER same_key AS from_2
  FROM (SELECT pos, grp, op, missing AS "__missing" FROM "pg_temp"."fold_7") AS y
  WINDOW same_key AS (PARTITION BY y.grp ORDER BY y.pos)
) AS w
WHERE w.pos = f.pos AND f.op = 'u' AND f.missing IS NOT NULL
