-- The keys of the batch and, for its truncates, all others: sys is the earliest system time that changes,
-- base the newest start before the earliest event that is believed from sys on.
INSERT INTO "pg_temp"."late_7" ("__grp", "id", "__base", "__sys")
SELECT row_number() OVER (), k."id",
  NULL,
  k."__sys"
FROM (
  SELECT y."id", (array_agg(y."__first" ORDER BY y."__first"))[1] AS "__first", (array_agg(y."__sys" ORDER BY y."__sys"))[1] AS "__sys"
  FROM (
    SELECT e."id", e."__seq" AS "__first", e."__sys" AS "__sys" FROM "pg_temp"."events_7" AS e WHERE e."__kind" <> 't'
    UNION ALL
    SELECT x."id", e."__seq", e."__sys"
    FROM "pg_temp"."events_7" AS e
    CROSS JOIN (
      SELECT t."id" FROM "crm"."users" AS t
      UNION
      SELECT n."id" FROM "pg_temp"."events_7" AS n WHERE n."__kind" <> 't'
    ) AS x
    WHERE e."__kind" = 't'
  ) AS y
  GROUP BY y."id"
) AS k
