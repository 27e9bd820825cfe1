-- The keys of the batch: sys is the earliest system time that changes,
-- base the newest start before the earliest event that is believed from sys on.
INSERT INTO "pg_temp"."late_8" (grp, "k""1", "select", base, sys)
SELECT row_number() OVER (), k."k""1", k."select",
  (
    SELECT t."__start_at"
    FROM "my""s"."Größe%s" AS t
    WHERE t."k""1" = k."k""1" AND t."select" = k."select" AND t."__start_at" < k.first
      AND t."__system_start_at" <= k.sys AND t."__system_end_at" IS NULL
    ORDER BY t."__start_at" DESC
    LIMIT 1
  ),
  k.sys
FROM (
  SELECT e."k""1", e."select", (array_agg(e."__seq" ORDER BY e."__seq"))[1] AS first, (array_agg(e."__sys" ORDER BY e."__sys"))[1] AS sys
  FROM "pg_temp"."events_8" AS e
  GROUP BY e."k""1", e."select"
) AS k
