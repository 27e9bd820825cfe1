-- Values that an update left alone may have been set by an earlier change of the same transaction.
UPDATE "pg_temp"."events_7" AS e
SET "id" = CASE WHEN w.from_0 < e."__n" THEN (SELECT x."id" FROM "pg_temp"."events_7" AS x WHERE x."__n" = w.from_0) ELSE e."id" END, "name" = CASE WHEN w.from_1 < e."__n" THEN (SELECT x."name" FROM "pg_temp"."events_7" AS x WHERE x."__n" = w.from_1) ELSE e."name" END, "city" = CASE WHEN w.from_2 < e."__n" THEN (SELECT x."city" FROM "pg_temp"."events_7" AS x WHERE x."__n" = w.from_2) ELSE e."city" END,
  "__missing" = CAST(CAST(w.from_0 IS NULL AS integer) AS bit(1)) || CAST(CAST(w.from_1 IS NULL AS integer) AS bit(1)) || CAST(CAST(w.from_2 IS NULL AS integer) AS bit(1))
FROM (
  SELECT y."__n",
    max(CASE WHEN NOT COALESCE(get_bit(y.__missing, 0), 0) = 1 THEN y."__n" END) OVER same_key AS from_0,
    max(CASE WHEN NOT COALESCE(get_bit(y.__missing, 1), 0) = 1 THEN y."__n" END) OVER same_key AS from_1,
    max(CASE WHEN NOT COALESCE(get_bit(y.__missing, 2), 0) = 1 THEN y."__n" END) OVER same_key AS from_2
  FROM "pg_temp"."events_7" AS y
  WHERE y."__kind" = 'u'
  WINDOW same_key AS (PARTITION BY y."id" ORDER BY y."__n")
) AS w
WHERE w."__n" = e."__n" AND e."__missing" IS NOT NULL
