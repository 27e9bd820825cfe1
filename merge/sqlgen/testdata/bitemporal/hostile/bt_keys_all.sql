-- The keys of the batch and, for its truncates, all others: sys is the earliest system time that changes,
-- base the newest start before the earliest event that is believed from sys on.
INSERT INTO "pg_temp"."late_8" ("__grp", "k""1", "select", "__base", "__sys")
SELECT row_number() OVER (), k."k""1", k."select",
  NULL,
  k."__sys"
FROM (
  SELECT y."k""1", y."select", (array_agg(y."__first" ORDER BY y."__first"))[1] AS "__first", (array_agg(y."__sys" ORDER BY y."__sys"))[1] AS "__sys"
  FROM (
    SELECT e."k""1", e."select", e."__seq" AS "__first", e."__sys" AS "__sys" FROM "pg_temp"."events_8" AS e WHERE e."__kind" <> 't'
    UNION ALL
    SELECT x."k""1", x."select", e."__seq", e."__sys"
    FROM "pg_temp"."events_8" AS e
    CROSS JOIN (
      SELECT t."k""1", t."select" FROM "my""s"."Größe%s" AS t
      UNION
      SELECT n."k""1", n."select" FROM "pg_temp"."events_8" AS n WHERE n."__kind" <> 't'
    ) AS x
    WHERE e."__kind" = 't'
  ) AS y
  GROUP BY y."k""1", y."select"
) AS k
