-- Values that an update left alone may have been set by an earlier change of the same transaction.
UPDATE "pg_temp"."events_8" AS e
SET "k""1" = CASE WHEN w.from_0 < e."__n" THEN (SELECT x."k""1" FROM "pg_temp"."events_8" AS x WHERE x."__n" = w.from_0) ELSE e."k""1" END, "select" = CASE WHEN w.from_1 < e."__n" THEN (SELECT x."select" FROM "pg_temp"."events_8" AS x WHERE x."__n" = w.from_1) ELSE e."select" END, "Größe" = CASE WHEN w.from_2 < e."__n" THEN (SELECT x."Größe" FROM "pg_temp"."events_8" AS x WHERE x."__n" = w.from_2) ELSE e."Größe" END,
  "__missing" = CAST(CAST(w.from_0 IS NULL AS integer) AS bit(1)) || CAST(CAST(w.from_1 IS NULL AS integer) AS bit(1)) || CAST(CAST(w.from_2 IS NULL AS integer) AS bit(1))
FROM (
  SELECT y."__n",
    max(CASE WHEN NOT COALESCE(get_bit(y.__missing, 0), 0) = 1 THEN y."__n" END) OVER same_key AS from_0,
    max(CASE WHEN NOT COALESCE(get_bit(y.__missing, 1), 0) = 1 THEN y."__n" END) OVER same_key AS from_1,
    max(CASE WHEN NOT COALESCE(get_bit(y.__missing, 2), 0) = 1 THEN y."__n" END) OVER same_key AS from_2
  FROM "pg_temp"."events_8" AS y
  WHERE y."__kind" = 'u'
  WINDOW same_key AS (PARTITION BY y."k""1", y."select" ORDER BY y."__n")
) AS w
WHERE w."__n" = e."__n" AND e."__missing" IS NOT NULL
