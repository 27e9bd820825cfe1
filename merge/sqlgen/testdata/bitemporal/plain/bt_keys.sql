-- The keys of the batch: sys is the earliest system time that changes,
-- base the newest start before the earliest event that is believed from sys on.
INSERT INTO "pg_temp"."late_7" ("__grp", "id", "__base", "__sys")
SELECT row_number() OVER (), k."id",
  (
    SELECT t."__start_at"
    FROM "crm"."users" AS t
    WHERE t."id" = k."id" AND t."__start_at" < k."__first"
      AND t."__system_start_at" <= k."__sys" AND t."__system_end_at" IS NULL
    ORDER BY t."__start_at" DESC
    LIMIT 1
  ),
  k."__sys"
FROM (
  SELECT e."id", (array_agg(e."__seq" ORDER BY e."__seq"))[1] AS "__first", (array_agg(e."__sys" ORDER BY e."__sys"))[1] AS "__sys"
  FROM "pg_temp"."events_7" AS e
  GROUP BY e."id"
) AS k
