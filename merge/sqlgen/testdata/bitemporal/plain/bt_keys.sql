-- The keys of the batch: sys is the earliest system time that changes,
-- base the newest start before the earliest event that is believed from sys on.
INSERT INTO "pg_temp"."late_7" (grp, "id", base, sys)
SELECT row_number() OVER (), k."id",
  (
    SELECT t."__start_at"
    FROM "crm"."users" AS t
    WHERE t."id" = k."id" AND t."__start_at" < k.first
      AND t."__system_start_at" <= k.sys AND t."__system_end_at" IS NULL
    ORDER BY t."__start_at" DESC
    LIMIT 1
  ),
  k.sys
FROM (
  SELECT e."id", (array_agg(e."__seq" ORDER BY e."__seq"))[1] AS first, (array_agg(e."__sys" ORDER BY e."__sys"))[1] AS sys
  FROM "pg_temp"."events_7" AS e
  GROUP BY e."id"
) AS k
